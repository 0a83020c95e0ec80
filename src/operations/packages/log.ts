import { type PackageLogAnswer, packageLogAnswer } from '../../engine/engine.ts'
import { alignRows } from '../../text/columns.ts'
import { oneLine } from '../../text/controls.ts'
import { defineOperation } from '../schema.ts'
import { packageInput, short, time } from './formats.ts'

/** The revisions of a package. */
export const log = defineOperation({
  name: 'packages.log',
  command: 'package log',
  summary: 'List the revisions of a package, the newest first',
  effect: 'read',
  positional: ['package'],
  examples: [{ command: 'ambit package log lab/team/results', does: 'show the hash, time and message of each' }],
  inputs: {
    package: { ...packageInput, description: 'COLLECTION/NAMESPACE/NAME, or quilt+s3://BUCKET#package=NAMESPACE/NAME' },
    limit: { is: 'integer', minimum: 1, maximum: 10_000, default: 20, description: 'maximum number of revisions' },
  },
  output: packageLogAnswer,
  run: async (engine, request, run) => (await engine.packages()).log(request, run),
  text: ({ revisions }) => (revisions.length === 0 ? 'It has no revisions.\n' : alignRows(revisions.map(revisionRow))),
  notices: ({ revisions, total, latest }) => [
    ...(total > revisions.length ? [`${total - revisions.length} older: --limit N shows more.`] : []),
    ...(latest !== null && !revisions.some(({ hash }) => hash === latest)
      ? [`The latest is ${latest}, which is not among these.`]
      : []),
  ],
})

function revisionRow({
  hash,
  modified,
  pointers,
  isLatest,
  message,
  problem,
}: PackageLogAnswer['revisions'][number]): string[] {
  // A pointer that is called by its time says nothing more.
  const tags = pointers.filter((name) => !/^\d+$/.test(name))
  const said = problem === undefined ? (message ?? '') : `! ${problem}`
  const named = tags.length === 0 ? said : `[${tags.join(', ')}] ${said}`
  return [isLatest ? '*' : ' ', short(hash), time(modified), oneLine(named)]
}
