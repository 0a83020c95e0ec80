import { packageGetAnswer } from '../../engine/engine.ts'
import { formatBytes } from '../../text/counts.ts'
import { defineOperation } from '../schema.ts'
import { entries, packageInput, problemRows, short } from './formats.ts'

/** A package, taken home. */
export const getPackage = defineOperation({
  name: 'packages.get',
  command: 'package get',
  summary: 'Download a package into a directory, and check every hash',
  effect: 'write',
  scope: 'admin',
  positional: ['package', 'dir'],
  examples: [
    {
      command: 'ambit package get lab/team/results ./results',
      does: 'download all of it; run it again to resume',
    },
    { command: 'ambit package get lab/team/results ./results --path plots/', does: 'download one directory of it' },
  ],
  inputs: {
    package: packageInput,
    dir: {
      is: 'path',
      path: 'disk',
      required: true,
      placeholder: 'DIR',
      description: 'the directory to write to; created if missing',
    },
    path: {
      is: 'path',
      path: 'package',
      placeholder: 'ENTRY',
      description: 'an entry or a directory of the package; default all of it',
    },
    force: {
      is: 'flag',
      default: false,
      description: 'replace files that differ; by default they stay, and are listed',
    },
    allowExecutableConfig: {
      is: 'flag',
      default: false,
      description:
        'write files that start programs by their names, such as .git/ and .claude/settings.json; by default they are left out, and listed',
    },
  },
  output: packageGetAnswer,
  hasProgress: true,
  run: async (engine, request, run) => (await engine.packages()).get(request, run),
  text: (answer) => {
    const { entries: asked, written, writtenBytes, current, counts } = answer
    const problems = Object.entries(counts).map(([problem, number]) => `, ${number} ${problem}`)
    const parts = `${written} written (${formatBytes(writtenBytes)}), ${current} there already${problems.join('')}`
    return `${problemRows(answer.reports)}${answer.name}@${short(answer.hash)}: ${entries(asked)}: ${parts}.\n`
  },
  notices: ({ unchecked, counts: { executable = 0 } }) => [
    ...(unchecked > 0
      ? [`${entries(unchecked)}: the manifest has no hash of a known kind, so nothing was checked.`]
      : []),
    ...(executable > 0
      ? [`${entries(executable)} left out: the files start programs. If you trust them: --allow-executable-config`]
      : []),
  ],
  failed: ({ counts }) => Object.keys(counts).length > 0,
})
