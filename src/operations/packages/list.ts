import { packageListAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { defineOperation } from '../schema.ts'

/** The packages that there are. */
export const listPackages = defineOperation({
  name: 'packages.list',
  command: 'package list',
  summary: 'List the packages in a collection or bucket',
  effect: 'read',
  positional: ['registry'],
  examples: [
    { command: 'ambit package list', does: 'list the packages of all collections' },
    { command: 'ambit package list lab/team/', does: 'list the packages of a namespace' },
    { command: 'ambit package list s3://open-data', does: 'list the packages of a bucket that is not a collection' },
  ],
  inputs: {
    registry: {
      is: 'path',
      path: 'package',
      placeholder: 'COLLECTION',
      description: 'a collection, COLLECTION/NAMESPACE/, or s3://BUCKET; default all collections',
    },
    limit: {
      is: 'integer',
      minimum: 1,
      maximum: 10_000,
      default: 1000,
      description: 'maximum number of names of a collection',
    },
    after: { is: 'text', placeholder: 'NAME', description: 'continue after this name' },
  },
  output: packageListAnswer,
  run: async (engine, request, run) => (await engine.packages()).list(request, run),
  text: ({ packages, problems }) => {
    if (packages.length === 0 && problems.length === 0) return 'There are no packages here.\n'
    return packages.map(({ place }) => `${oneLine(place)}\n`).join('')
  },
  notices: ({ more, problems }) => [
    ...more.map(({ registry, after }) => `There are more in ${registry}: --after ${after} shows more.`),
    ...problems.map(({ registry, message }) => `${registry}: ${message}`),
  ],
  failed: ({ problems }) => problems.length > 0,
})
