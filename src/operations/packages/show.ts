import { type PackageShowAnswer, packageShowAnswer } from '../../engine/engine.ts'
import { alignRows } from '../../text/columns.ts'
import { oneLine } from '../../text/controls.ts'
import { formatBytes } from '../../text/counts.ts'
import { frameText } from '../../text/frames.ts'
import { metadataText } from '../../text/truncate.ts'
import { defineOperation } from '../schema.ts'
import { entries, jsonLines, packageInput, time } from './formats.ts'

/** What a package is. */
export const showPackage = defineOperation({
  name: 'packages.show',
  command: 'package show',
  summary: 'Show a package: its hash, message, metadata and size',
  effect: 'read',
  positional: ['package'],
  examples: [
    { command: 'ambit package show lab/team/results', does: 'show its latest revision' },
    { command: 'ambit package show lab/team/results@1a2b3c', does: 'show the revision whose hash begins with 1a2b3c' },
    {
      command: "ambit package show 'quilt+s3://open-data#package=team/results'",
      does: 'show a package by its address',
    },
  ],
  tool: {
    name: 'package_show',
    set: 'packages',
    about: 'A data package: hash, message, size, workflow and metadata',
    inputs: { package: 'COLLECTION/NS/NAME[@HASH|:TAG], or quilt+s3://BUCKET#package=NS/NAME' },
  },
  inputs: {
    package: packageInput,
    format: {
      is: 'choice',
      of: ['text', 'xml'],
      default: 'text',
      forText: true,
      description: 'the format: text for people, xml for prompts',
    },
  },
  output: packageShowAnswer,
  run: async (engine, { package: name }, run) => (await engine.packages()).show({ package: name }, run),
  text: (answer, given) => (given?.format === 'xml' ? elements(answer) : packageText(answer)),
  notices: (answer) => hashNotice(answer),
})

function packageText({
  bucket,
  name,
  hash,
  modified,
  message,
  workflow,
  userMeta,
  ...answer
}: PackageShowAnswer): string {
  const { computedHash, totalEntries, totalBytes } = answer
  const isSame = computedHash === hash
  const rows = [
    ['package', oneLine(name)],
    ['bucket', oneLine(bucket)],
    ['hash', hash],
    ['computed', isSame ? 'the same' : (computedHash ?? 'none')],
    ['modified', modified === null ? 'not known: no pointer with a time names it' : time(modified)],
    ['message', message === null ? 'none' : oneLine(message)],
    ['entries', `${entries(totalEntries)}, ${formatBytes(totalBytes)}`],
  ]
  const parts = { workflow, metadata: userMeta }
  const lines = Object.entries(parts).flatMap(([part, value]) =>
    value === null ? [] : [`${part}\n${jsonLines(value, '  ')}`],
  )
  return `${alignRows(rows)}${lines.join('')}`
}

function hashNotice({ hash, computedHash, problem }: PackageShowAnswer): string[] {
  if (computedHash === hash) return []
  if (computedHash === null) return [`Its hash cannot be computed${problem === undefined ? '.' : `: ${problem}`}`]
  return [`The manifest is not the one that its hash names: it has the hash ${computedHash}, not ${hash}.`]
}

/** As the context of a place has them: metadata is left out only where there is none. */
function elements({ userMeta, computedHash: _, problem: __, ...info }: PackageShowAnswer): string {
  const element = (tag: string, value: unknown) => frameText({ tag, attributes: {}, text: metadataText(value) })
  return `${element('package-info', info)}${userMeta === null ? '' : element('package-metadata', userMeta)}`
}
