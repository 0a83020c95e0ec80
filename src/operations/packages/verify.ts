import { type PackageVerifyAnswer, packageVerifyAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { formatBytes } from '../../text/counts.ts'
import { defineOperation } from '../schema.ts'
import { packageInput, problemRows, short } from './formats.ts'

/** Whether a package is what its hash names. */
export const verify = defineOperation({
  name: 'packages.verify',
  command: 'package verify',
  summary: 'Verify a package: the hash of its manifest, then the size and hash of every entry',
  effect: 'read',
  positional: ['package'],
  examples: [
    { command: 'ambit package verify lab/team/results', does: 'exit with 1 when something does not match' },
    { command: 'ambit package verify lab/team/results --top-hash-only', does: 'read no entry' },
    { command: 'ambit package verify lab/team/results --dir ./results', does: 'compare it with a downloaded copy' },
  ],
  inputs: {
    package: packageInput,
    topHashOnly: { is: 'flag', default: false, description: 'check only the manifest, and read no entry' },
    dir: {
      is: 'path',
      path: 'disk',
      placeholder: 'DIR',
      description: 'compare the entries with the files of this directory instead of the objects in the bucket',
    },
  },
  output: packageVerifyAnswer,
  hasProgress: true,
  run: async (engine, request, run) => (await engine.packages()).verify(request, run),
  text: (answer, given) => {
    const { name, hash, isGood, reports } = answer
    const sum = `${oneLine(name)}@${short(hash)} is ${isGood ? goodness(answer) : 'not intact'}.`
    return `${problemRows(reports)}${hashLine(answer)}${given?.topHashOnly ? '' : entriesLine(answer)}${sum}\n`
  },
  notices: ({ counts, reports }) => {
    const left = Object.values(counts).reduce((sum, each) => sum + each, 0) - reports.length
    return left > 0 ? [`${left} more entries have a problem; only the first ${reports.length} are shown.`] : []
  },
  failed: ({ isGood }) => !isGood,
})

/** No more is said than what was looked at. */
function goodness({ verified, totalEntries }: PackageVerifyAnswer): string {
  return verified === totalEntries ? 'good' : 'good as far as it was looked at'
}

function hashLine({ isTopHashGood, computedHash, hash, problem = '' }: PackageVerifyAnswer): string {
  if (isTopHashGood) return 'The manifest has the hash that names it.\n'
  if (computedHash === null) return `The hash of the manifest cannot be computed: ${oneLine(problem)}\n`
  return `The manifest has the hash ${computedHash}, and not ${hash}, which names it.\n`
}

function entriesLine({ verified, totalEntries, totalBytes, counts }: PackageVerifyAnswer): string {
  const others = Object.entries(counts).map(([problem, number]) => `${number} ${problem}`)
  return `${[`${verified} of ${totalEntries} entries verified (${formatBytes(totalBytes)})`, ...others].join(', ')}.\n`
}
