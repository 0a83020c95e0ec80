import { packagePushAnswer } from '../../engine/engine.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'
import { defineOperation } from '../schema.ts'
import { short } from './formats.ts'

/** A directory, made a revision of a package. */
export const pushPackageOperation = defineOperation({
  name: 'packages.push',
  command: 'package push',
  summary: 'Push a directory as a new revision of a package, as quilt3 does',
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
    meta: { is: 'text', placeholder: 'JSON', description: 'metadata of the package, as a JSON object; default none' },
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
    yes: { is: 'flag', default: false, description: 'write; without it, only show what would be written' },
  },
  output: packagePushAnswer,
  hasProgress: true,
  run: async (engine, { yes, secret, ...request }, run) =>
    (await engine.packages()).push({ ...request, isMeant: yes, secrets: secret }, run),
  text: ({ name, hash, parent, place, isPushed, isCurrent, totalEntries, totalBytes, ...answer }) => {
    const whole = `${name}@${short(hash)}: ${countNoun(totalEntries, 'file')}, ${formatBytes(totalBytes)}`
    if (isCurrent) return `${whole}. It is the latest revision already.\n`
    const sent = `${answer.uploaded} to upload (${formatBytes(answer.uploadedBytes)})`
    const after = parent === null ? 'a new package' : `after ${short(parent)}`
    return isPushed ? `${whole}, ${after}.\nPushed: ${place}\n` : `${whole}, ${after}; ${sent}.\nNothing was written.\n`
  },
  notices: ({ isPushed, isCurrent, ignored, secrets }) => [
    ...secrets.map(({ path, what }) => `${path} is a secret (${what}): it is refused unless --secret names it.`),
    ...(ignored > 0 ? [`${countNoun(ignored, 'file')} left out: .git, .quilt, and what .quiltignore names.`] : []),
    ...(isPushed || isCurrent ? [] : ['Run it again with --yes to push it.']),
  ],
  failed: ({ isPushed, isCurrent }) => !isPushed && !isCurrent,
})
