import { reportExportAnswer } from '../../research/answers.ts'
import { REPORT_FORMATS } from '../../research/settings.ts'
import { defineOperation } from '../schema.ts'
import { session } from './described.ts'

/** The report of a session. */
export const exportReport = defineOperation({
  name: 'research.export',
  summary: 'Print the report of a research session',
  effect: 'read',
  scope: 'research',
  positional: ['session'],
  examples: [
    { command: 'ambit research export 1f2e3d4c > report.md', does: 'print Markdown' },
    {
      command: 'ambit research export 1f2e3d4c --format html > report.html',
      does: 'write a page that needs no other file',
    },
    {
      command: 'ambit research export 1f2e3d4c --format pdf > report.pdf',
      does: 'print it, where Chromium is installed',
    },
    { command: 'ambit research export 1f2e3d4c --json', does: 'include the place and text of each source' },
  ],
  tool: {
    name: 'research_report',
    set: 'research',
    about: 'The report of a research session, with citations',
    inputs: { session: 'id, or "last"' },
    data: ({ report: { sources: _, markdown: __, ...report }, ...answer }) => ({ ...answer, report }),
    most: 48_000,
  },
  inputs: {
    session,
    format: {
      is: 'choice',
      of: REPORT_FORMATS,
      default: 'md',
      description: 'the format of the report; bib and csl are its sources, as BibTeX and CSL-JSON',
    },
    version: {
      is: 'integer',
      minimum: 1,
      description: 'which of the reports of the session, from 1; default the newest',
    },
  },
  output: reportExportAnswer,
  run: async (engine, { session: id, format, version }) => (await engine.research()).exported(id, format, version),
  async *bytes(engine, { session: id, format, version }) {
    const { text: shown, encoding } = await (await engine.research()).exported(id, format, version)
    yield Buffer.from(shown, encoding)
  },
  text: ({ text: shown, encoding, format }) =>
    encoding
      ? `The report is binary. Write it to a file: ambit research export ID --format ${format} > report.${format}\n`
      : shown,
})
