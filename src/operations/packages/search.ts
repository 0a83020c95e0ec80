import { type PackageSearchAnswer, packageSearchAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { defineOperation } from '../schema.ts'

/** Packages by what they are about. */
export const searchPackagesOperation = defineOperation({
  name: 'packages.search',
  command: 'package search',
  summary: 'Search packages by name, message, metadata and paths',
  effect: 'read',
  positional: ['words'],
  examples: [
    { command: 'ambit package search rainfall', does: 'search all collections' },
    { command: 'ambit package search calibration plots --registry lab', does: 'search one collection' },
  ],
  inputs: {
    words: {
      is: 'text',
      list: true,
      required: true,
      description: 'words of the name, message, metadata or paths',
    },
    registry: {
      is: 'path',
      path: 'package',
      placeholder: 'COLLECTION',
      description: 'a collection, COLLECTION/NAMESPACE/, or s3://BUCKET; default all collections',
    },
    limit: { is: 'integer', minimum: 1, maximum: 1000, default: 10, description: 'maximum number of packages' },
  },
  output: packageSearchAnswer,
  run: async (engine, { words, ...request }, run) =>
    (await engine.packages()).search({ ...request, query: words.join(' ') }, run),
  text: ({ packages, searched }) => {
    if (packages.length === 0) return `Not found in ${searched} ${searched === 1 ? 'package' : 'packages'}.\n`
    return packages
      .map((one) => [placeLine(one), ...one.entries.map((key) => `    ${oneLine(key)}\n`)].join(''))
      .join('')
  },
  notices: ({ more, problems }) => [
    ...more.map(({ registry, after }) => `There are more packages in ${registry}, after ${after}: name a namespace.`),
    ...problems.map(({ registry, message }) => `${registry}: ${message}`),
  ],
})

function placeLine({ place, message }: PackageSearchAnswer['packages'][number]): string {
  return `${oneLine(place)}${message ? `  ${oneLine(message)}` : ''}\n`
}
