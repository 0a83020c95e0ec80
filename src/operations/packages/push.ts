import { packagePushAnswer } from '../../engine/engine.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'
import { defineOperation } from '../schema.ts'
import { changeRows, entries, messageLine, short } from './formats.ts'

/** A directory, made a revision of a package. */
export const pushPackageOperation = defineOperation({
  name: 'packages.push',
  command: 'package push',
  summary: 'Push the changes in a directory as a new revision of a package, as quilt3 does',
  effect: 'write',
  positional: ['dir', 'name'],
  examples: [
    { command: 'ambit package push ./results team/results --registry lab', does: 'show what would be written' },
    {
      command: "ambit package push ./results team/results --registry s3://open-data --message 'Third run' --yes",
      does: 'write it',
    },
  ],
  inputs: {
    dir: {
      is: 'path',
      path: 'disk',
      required: true,
      placeholder: 'DIR',
      description: 'the directory to push',
    },
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
    dryRun: { is: 'flag', default: false, description: 'write nothing, and list what would change' },
    yes: { is: 'flag', default: false, description: 'write; without it, only show what would be written' },
  },
  output: packagePushAnswer,
  hasProgress: true,
  run: async (engine, { yes, dryRun, secret, ...request }, run) => {
    const packages = await engine.packages()
    const push = await packages.push({ ...request, isMeant: yes && !dryRun, secrets: secret }, run)
    return { ...push, isDryRun: dryRun }
  },
  text: ({ name, hash, parent, place, isPushed, isCurrent, totalEntries, totalBytes, ...answer }) => {
    const whole = `${name}@${short(hash)}: ${countNoun(totalEntries, 'file')}, ${formatBytes(totalBytes)}`
    if (isCurrent) return `${whole}. It is the latest revision already.\n`
    const sent = `${answer.uploaded} to upload (${formatBytes(answer.uploadedBytes)})`
    const after = parent === null ? 'a new package' : `after ${short(parent)}`
    if (isPushed) return `${whole}, ${after}.\nPushed: ${place}\n`
    const more = answer.changed - answer.changes.length
    return `${messageLine(answer)}${changeRows(answer)}${more > 0 ? `and ${more} more\n` : ''}${whole}, ${after}; ${sent}.\nNothing was written.\n`
  },
  notices: ({ isPushed, isCurrent, ignored, secrets, absent, isUncompared, rivals }) => [
    ...secrets.map(({ path, what }) => `${path} is a secret (${what}): it is refused unless --secret names it.`),
    ...(ignored > 0 ? [`${countNoun(ignored, 'file')} left out: .git, .quilt, and what .quiltignore names.`] : []),
    ...(absent > 0 ? [`Not in the directory, and kept as before: ${entries(absent)}. --remove KEY removes one.`] : []),
    ...(isUncompared ? ['The service cannot compare before it writes: "latest" was written, and read back.'] : []),
    ...(rivals.length > 0
      ? [
          `Somebody else pushed ${rivals.map(short).join(', ')} at the same time: "package diff" shows what this revision lacks.`,
        ]
      : []),
    ...(isPushed || isCurrent ? [] : ['Run it again with --yes to push it.']),
  ],
  failed: ({ isPushed, isCurrent, isDryRun }) => !isPushed && !isCurrent && !isDryRun,
})
