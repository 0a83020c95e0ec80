import {
  type PackageVerifyAnswer,
  packageCatAnswer,
  packageGetAnswer,
  packagePushAnswer,
  packageVerifyAnswer,
} from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'
import { defineOperation, offByDefault } from '../schema.ts'
import { changeRows, countEntries, messageLine, packageInput, problemRows, shortHash } from './formats.ts'

/** Operations that print, check, download and push the entries of packages. */
export const packageTransfer = {
  cat: defineOperation({
    name: 'packages.cat',
    summary: 'Print an entry of a package, after checking its hash',
    effect: 'read',
    positional: ['package', 'path'],
    examples: {
      'ambit package cat lab/team/results README.md': 'print a text',
      'ambit package cat lab/team/results plots/a.png > a.png': 'save any entry to a file',
    },
    inputs: {
      package: packageInput,
      path: {
        is: 'path',
        path: 'package',
        placeholder: 'ENTRY',
        description: 'the path of an entry; default the one in the address',
      },
      maxBytes: {
        is: 'integer',
        minimum: 1,
        maximum: 64 * 1024 * 1024,
        default: 1024 * 1024,
        description: 'maximum size in bytes of a text on a terminal; a file or a pipe gets everything',
      },
    },
    output: packageCatAnswer,
    run: async (engine, request, run) => (await engine.packages()).cat(request, run),
    async *bytes(engine, { package: name, path }, run) {
      yield* (await (await engine.packages()).entry({ package: name, path }, run)).stream()
    },
    text: (answer) => answer.text,
    notices: ({ replaced, isVerified }) => [
      ...(replaced > 0 ? [`${replaced} byte sequences are not UTF-8; U+FFFD replaces them.`] : []),
      ...(isVerified ? [] : ['The manifest has no hash of a known type for this entry, so the entry was not checked.']),
    ],
  }),

  verify: defineOperation({
    name: 'packages.verify',
    summary: 'Verify a package: the hash of its manifest, then the size and hash of every entry',
    effect: 'read',
    positional: ['package'],
    examples: {
      'ambit package verify lab/team/results': 'exit with 1 when something does not match',
      'ambit package verify lab/team/results --top-hash-only': 'read no entry',
      'ambit package verify lab/team/results --dir ./results': 'compare it with a downloaded copy',
    },
    inputs: {
      package: packageInput,
      topHashOnly: offByDefault('check only the manifest, and read no entry'),
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
    text: (answer, request) => {
      const { name, hash, isGood, reports, verified, totalEntries } = answer
      // The verdict claims nothing about entries that were not checked.
      const verdict = verified === totalEntries ? 'good' : 'good as far as it was checked'
      const verdictLine = `${oneLine(name)}@${shortHash(hash)} is ${isGood ? verdict : 'not intact'}.`
      return `${problemRows(reports)}${hashLine(answer)}${request?.topHashOnly ? '' : entriesLine(answer)}${verdictLine}\n`
    },
    notices: ({ counts, reports }) => {
      const hidden = Object.values(counts).reduce((sum, each) => sum + each, 0) - reports.length
      return hidden > 0 ? [`${hidden} more entries have a problem; only the first ${reports.length} are shown.`] : []
    },
    failed: ({ isGood }) => !isGood,
  }),

  get: defineOperation({
    name: 'packages.get',
    summary: 'Download a package into a directory, and check every hash',
    effect: 'write',
    scope: 'admin',
    positional: ['package', 'dir'],
    examples: {
      'ambit package get lab/team/results ./results': 'download all of it; run it again to resume',
      'ambit package get lab/team/results ./results --path plots/': 'download one directory of it',
    },
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
      force: offByDefault('replace files that differ; by default they stay, and are listed'),
      allowExecutableConfig: offByDefault(
        'write files that start programs by their names, such as .git/ and .claude/settings.json; by default they are left out, and listed',
      ),
    },
    output: packageGetAnswer,
    hasProgress: true,
    run: async (engine, request, run) => (await engine.packages()).get(request, run),
    text: (answer) => {
      const { entries: entryCount, written, writtenBytes, current, counts } = answer
      const problems = Object.entries(counts).map(([problem, number]) => `, ${number} ${problem}`)
      const parts = `${written} written (${formatBytes(writtenBytes)}), ${current} there already${problems.join('')}`
      return `${problemRows(answer.reports)}${answer.name}@${shortHash(answer.hash)}: ${countEntries(entryCount)}: ${parts}.\n`
    },
    notices: ({ unchecked, counts: { executable = 0 } }) =>
      [
        unchecked > 0 &&
          `${countEntries(unchecked)}: the manifest has no hash of a known kind, so nothing was checked.`,
        executable > 0 &&
          `${countEntries(executable)} left out: the files start programs. If you trust them: --allow-executable-config`,
      ].filter((notice) => notice !== false),
    failed: ({ counts }) => Object.keys(counts).length > 0,
  }),

  push: defineOperation({
    name: 'packages.push',
    summary: 'Push the changes in a directory as a new revision of a package, as quilt3 does',
    effect: 'write',
    positional: ['dir', 'name'],
    examples: {
      'ambit package push ./results team/results --registry lab': 'show what would be written',
      "ambit package push ./results team/results --registry s3://open-data --message 'Third run' --yes": 'write it',
    },
    inputs: {
      dir: { is: 'path', path: 'disk', required: true, placeholder: 'DIR', description: 'the directory to push' },
      name: {
        is: 'text',
        required: true,
        placeholder: 'NAMESPACE/NAME',
        description: 'the name of the package, new or existing',
      },
      registry: {
        is: 'path',
        path: 'package',
        required: true,
        placeholder: 'REGISTRY',
        description: 'a collection, or s3://BUCKET',
      },
      message: { is: 'text', short: 'm', description: 'a message that says what changed' },
      metaFile: {
        is: 'file',
        flag: 'meta',
        placeholder: 'FILE',
        description:
          'metadata of the package: a file with a JSON object, or the object; default as in the revision before',
      },
      meta: { is: 'text', flag: false, description: 'metadata of the package, as a JSON object' },
      entryMeta: {
        is: 'text',
        list: true,
        placeholder: 'KEY=JSON',
        description: 'metadata of an entry, as a JSON object, or null to remove it; default as in the revision before',
      },
      entryMetaFile: {
        is: 'file',
        placeholder: 'FILE',
        description: 'metadata of several entries: a file with a JSON object by their keys',
      },
      remove: {
        is: 'path',
        path: 'package',
        list: true,
        placeholder: 'KEY',
        description: 'remove this entry or directory from the package; nothing else is ever removed',
      },
      workflow: {
        is: 'text',
        description: 'a workflow of the registry, or "none"; default the default workflow of the registry',
      },
      secret: {
        is: 'path',
        path: 'package',
        list: true,
        placeholder: 'PATH',
        description: 'push this file although it looks like a secret; a path relative to the directory',
      },
      dryRun: offByDefault('write nothing, and list what would change'),
      yes: offByDefault('write; without it, only show what would be written'),
    },
    output: packagePushAnswer,
    hasProgress: true,
    run: async (engine, { yes, dryRun, secret, ...request }, run) => {
      const packages = await engine.packages()
      const answer = await packages.push({ ...request, isConfirmed: yes && !dryRun, secrets: secret }, run)
      return { ...answer, isDryRun: dryRun }
    },
    text: ({ name, hash, parent, place, isPushed, isCurrent, totalEntries, totalBytes, ...answer }) => {
      const summary = `${name}@${shortHash(hash)}: ${countNoun(totalEntries, 'file')}, ${formatBytes(totalBytes)}`
      if (isCurrent) return `${summary}. It is the latest revision already.\n`
      const uploadText = `${answer.uploaded} to upload (${formatBytes(answer.uploadedBytes)})`
      const after = parent === null ? 'a new package' : `after ${shortHash(parent)}`
      if (isPushed) return `${summary}, ${after}.\nPushed: ${place}\n`
      const hiddenCount = answer.changed - answer.changes.length
      return `${messageLine(answer)}${changeRows(answer)}${hiddenCount > 0 ? `and ${hiddenCount} more\n` : ''}${summary}, ${after}; ${uploadText}.\nNothing was written.\n`
    },
    notices: ({ isPushed, isCurrent, ignored, secrets, absent, isUncompared, rivals }) =>
      [
        ...secrets.map(({ path, what }) => `${path} is a secret (${what}): it is refused unless --secret names it.`),
        ignored > 0 && `${countNoun(ignored, 'file')} left out: .git, .quilt, and what .quiltignore names.`,
        absent > 0 && `Not in the directory, and kept as before: ${countEntries(absent)}. --remove KEY removes one.`,
        isUncompared && 'The service cannot compare before it writes: "latest" was written, and read back.',
        rivals.length > 0 &&
          `Somebody else pushed ${rivals.map(shortHash).join(', ')} at the same time: "package diff" shows what this revision lacks.`,
        !isPushed && !isCurrent && 'Run it again with --yes to push it.',
      ].filter((notice) => notice !== false),
    failed: ({ isPushed, isCurrent, isDryRun }) => !isPushed && !isCurrent && !isDryRun,
  }),
}

function hashLine({ isTopHashGood, computedHash, hash, problem = '' }: PackageVerifyAnswer): string {
  if (isTopHashGood) return 'The manifest has the hash that names it.\n'
  if (computedHash === null) return `The hash of the manifest cannot be computed: ${oneLine(problem)}\n`
  return `The manifest has the hash ${computedHash}, and not ${hash}, which names it.\n`
}

function entriesLine({ verified, totalEntries, totalBytes, counts }: PackageVerifyAnswer): string {
  const problemCounts = Object.entries(counts).map(([problem, number]) => `${number} ${problem}`)
  return `${[`${verified} of ${totalEntries} entries verified (${formatBytes(totalBytes)})`, ...problemCounts].join(', ')}.\n`
}
