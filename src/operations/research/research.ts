import { reportExportAnswer, type SessionAnswer, sessionAnswer, sessionListAnswer } from '../../research/answers.ts'
import { describeGrade } from '../../research/events.ts'
import { researchInputs } from '../../research/input.ts'
import { REPORT_FORMATS } from '../../research/settings.ts'
import { alignRows } from '../../text/columns.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { countLimit, defineOperation } from '../schema.ts'

export const session = {
  is: 'text',
  required: true,
  placeholder: 'ID',
  names: 'sessions',
  description: 'the beginning of the id of a session; "last" is the newest',
} as const

const sessionOperation = {
  scope: 'research',
  positional: ['session'],
  inputs: { session },
  output: sessionAnswer,
} as const

export const researchSessions = {
  start: defineOperation({
    name: 'research.start',
    summary: 'Start research on a question in the background',
    effect: 'write',
    scope: 'research',
    positional: ['question'],
    examples: { "ambit research start 'what does it cost?' --file offer.md": 'start it, and return at once' },
    tool: {
      name: 'research_start',
      set: 'research',
      about:
        'Start research on a question in files and collections. It runs in the background: call research_status with its ' +
        'session_id until it is completed, then research_report',
      inputs: {
        question: 'the question',
        files: 'files to answer from',
        collections: 'default all',
        web: 'also search the web with this provider',
        extractive: 'without models',
        depth: 'levels of questions',
        calls: 'maximum model requests',
        follows: 'a session to continue',
      },
      isAdditive: true,
    },
    inputs: researchInputs,
    output: sessionAnswer,
    run: async (engine, request) => (await engine.research()).createAndStart(request),
    // A command line has no background: it does the work itself.
    runTyped: async (engine, request, { signal }) => {
      const research = await engine.research()
      const { session_id } = await research.createWithFiles(request)
      return research.run(session_id, signal ? { signal } : {})
    },
    text: ({ session_id, status }) => `${session_id}: ${status}\n`,
  }),

  list: defineOperation({
    name: 'research.list',
    summary: 'List research sessions, the newest first',
    effect: 'read',
    scope: 'research',
    examples: { 'ambit research list': 'show the question and state of each' },
    inputs: {
      limit: countLimit(100, 1000, 'maximum number of sessions'),
      before: { is: 'text', placeholder: 'ID', description: 'list sessions older than this one' },
    },
    output: sessionListAnswer,
    run: async (engine, { limit, before }) => (await engine.research()).list(limit, before),
    text: ({ sessions }) => {
      if (sessions.length === 0) return 'There is no research yet. Begin some: ambit research QUESTION --file PATH\n'
      const rows = sessions.map(({ session_id, status, created_at, question }) => [
        session_id.slice(0, 8),
        status,
        created_at.slice(0, 16).replace('T', ' '),
        oneLine(question),
      ])
      return alignRows(rows)
    },
  }),

  show: defineOperation({
    ...sessionOperation,
    name: 'research.show',
    summary: 'Show a research session: its files, its questions, and the evidence for each',
    effect: 'read',
    examples: { 'ambit research show 1f2e3d4c': 'show the tree of its questions' },
    tool: {
      name: 'research_status',
      set: 'research',
      about: 'The progress and findings of a research session',
      inputs: { session: 'id, or "last"' },
      data: ({ settings: _, report, ...session }) => ({
        ...session,
        report: report && { grade: report.grade, gaps: report.gaps },
      }),
    },
    run: async (engine, request) => (await engine.research()).show(request.session),
    // A local user may see the slices (the items that were selected for each question), which a server hides.
    runTyped: async (engine, request) => (await engine.research()).show(request.session, true),
    text: (answer) => [...sessionHeader(answer), ...answer.nodes.map(nodeLine)].map((line) => `${line}\n`).join(''),
  }),

  resume: defineOperation({
    ...sessionOperation,
    name: 'research.resume',
    summary: 'Resume a research session where it stopped',
    effect: 'write',
    examples: { 'ambit research resume last': 'continue without repeating finished work' },
    run: async (engine, request) => (await engine.research()).start(request.session),
    text: ({ session_id, status }) => `${session_id}: ${status}\n`,
  }),

  stop: defineOperation({
    ...sessionOperation,
    name: 'research.stop',
    summary: 'Stop a research session for good, and write a report of what it found',
    effect: 'write',
    examples: { 'ambit research stop 1f2e3d4c': 'stop it, whichever process runs it' },
    run: async (engine, request) => (await engine.research()).stop(request.session),
    text: ({ session_id, report }) =>
      `Stopped; ${describeGrade(report?.grade)}. Its report: ambit research export ${session_id}\n`,
  }),

  plan: defineOperation({
    name: 'research.plan',
    summary: 'Show the plan of a research session, or change its questions',
    effect: 'write',
    scope: 'research',
    positional: ['session'],
    examples: {
      "ambit research plan last --drop 2 --add 'What does it cost?'":
        'change the plan, then run: ambit research resume last',
      "ambit research plan last --add 'Who repairs it?'":
        'ask more after the report, then run: ambit research resume last',
    },
    inputs: {
      session,
      add: { is: 'text', list: true, placeholder: 'QUESTION', description: 'add a question, even after the report' },
      drop: { is: 'text', list: true, placeholder: 'N', description: 'drop the question with this number' },
      pin: {
        is: 'text',
        list: true,
        placeholder: 'N',
        description: 'answer the question with this number as it is, without dividing it',
      },
      edit: { is: 'text', list: true, placeholder: 'N=QUESTION', description: 'change the question with this number' },
      part: {
        is: 'text',
        list: true,
        placeholder: 'QUESTION',
        description: 'a part of the question that the report must answer; these parts replace the parts of the brief',
      },
      form: { is: 'text', placeholder: 'TEXT', description: 'form and length of the report' },
    },
    output: sessionAnswer,
    run: async (engine, { session: id, ...edits }) => {
      const research = await engine.research()
      const isEdit = Object.values(edits).some((values) => values !== undefined && values.length > 0)
      return isEdit ? research.editPlan(id, edits) : research.show(id)
    },
    text: ({ nodes, brief }) => {
      const parts = brief?.parts.map((part) => `The report answers: ${oneLine(part)}\n`) ?? []
      const form = brief?.form ? [`Its form: ${oneLine(brief.form)}\n`] : []
      const lines = nodes
        .filter(({ parent }) => parent === '1')
        .map(({ question, pinned }, at) => `${at + 1} ${oneLine(question)}${pinned ? ' (pinned)' : ''}\n`)
      return [...parts, ...form, ...lines].join('')
    },
  }),

  redo: defineOperation({
    ...sessionOperation,
    name: 'research.redo',
    summary: 'Write the report of a research session again from its findings',
    effect: 'write',
    examples: { 'ambit research redo last': 'write the report again without new searches' },
    run: async (engine, request, { signal }) => (await engine.research()).redo(request.session, signal),
    text: ({ session_id, report }) =>
      `Written again; ${describeGrade(report?.grade)}. The report: ambit research export ${session_id}\n`,
  }),

  export: defineOperation({
    name: 'research.export',
    summary: 'Print the report of a research session',
    effect: 'read',
    scope: 'research',
    positional: ['session'],
    examples: {
      'ambit research export 1f2e3d4c > report.md': 'print Markdown',
      'ambit research export 1f2e3d4c --format html > report.html': 'write a page that needs no other file',
      'ambit research export 1f2e3d4c --format pdf > report.pdf': 'print it, where Chromium is installed',
      'ambit research export 1f2e3d4c --json': 'include the place and text of each source',
    },
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
      version: { is: 'integer', minimum: 1, description: 'the number of the report, from 1; default the newest' },
    },
    output: reportExportAnswer,
    run: async (engine, { session: id, format, version }) =>
      (await engine.research()).exportReport(id, format, version),
    async *bytes(engine, { session: id, format, version }) {
      const { text: reportText, encoding } = await (await engine.research()).exportReport(id, format, version)
      yield Buffer.from(reportText, encoding)
    },
    text: ({ text: reportText, encoding, format }) =>
      encoding
        ? `The report is binary. Write it to a file: ambit research export ID --format ${format} > report.${format}\n`
        : reportText,
  }),
}

function sessionHeader({ session_id, question, status, files, failure, report }: SessionAnswer): string[] {
  const fileLines = files.map((file) => {
    const reason = file.reason === undefined ? '' : `, ${oneLine(file.reason)}`
    return `  ${oneLine(file.alias)}: ${file.status}${reason}`
  })
  return [
    oneLine(question),
    `${session_id}: ${status}${report ? `; evidence ${report.grade}` : ''}`,
    ...(failure ? [oneLine(`${failure.message} ${failure.hint ?? ''}`)] : []),
    ...(fileLines.length > 0 ? ['', countNoun(fileLines.length, 'file'), ...fileLines] : []),
    '',
  ]
}

function nodeLine({ id, question, status, evidence, slice, orphans }: SessionAnswer['nodes'][number]): string {
  const itemText = slice ? `${slice.selected_items_count} items` : ''
  const orphanText = orphans.length > 0 ? `${orphans.length} without a subquestion` : ''
  const details = [itemText, orphanText, ...evidence].filter((part) => part !== '').join(', ')
  return `${'  '.repeat(id.split('.').length - 1)}${id} ${oneLine(question)} [${status}${details === '' ? '' : `; ${details}`}]`
}
