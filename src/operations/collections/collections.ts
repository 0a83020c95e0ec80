import { UsageError } from '../../core/errors.ts'
import {
  type Collection,
  type CollectionStatus,
  collectionAnswer,
  collectionsAnswer,
  type StatusAnswer,
  statusAnswer,
} from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'
import { defineOperation, offByDefault } from '../schema.ts'

interface ListedCollection extends Collection {
  readonly isIndexing?: boolean
}

type IndexState = Pick<ListedCollection, 'documents' | 'bytes' | 'indexedAt' | 'isIndexing'>

function collectionLine({ name, root, isPaused, ...rest }: ListedCollection): string {
  return `${oneLine(name)}  ${oneLine(root)}  ${collectionState(rest)}${isPaused ? ', paused' : ''}`
}

function collectionState({ documents, bytes, indexedAt, isIndexing = false }: IndexState): string {
  const total = `${countNoun(documents, 'document')}, ${formatBytes(bytes)}`
  const size = indexedAt === undefined ? `${total} so far` : total
  if (isIndexing) return `${size}, being indexed`
  if (indexedAt !== undefined) return size
  return documents === 0 ? 'not indexed' : `${size}: run "ambit index" to continue`
}

const input = {
  name: { is: 'text', required: true, names: 'collections', description: 'the name of a collection' },
} as const

const byName = { positional: ['name'], inputs: input, output: collectionAnswer } as const

export const collectionOperations = {
  add: defineOperation({
    name: 'collections.add',
    summary: 'Add a folder or bucket as a collection, so that you can search it',
    effect: 'write',
    scope: 'admin',
    positional: ['name', 'root'],
    examples: {
      'ambit collection add docs ~/project/docs': 'add all its files; "ambit index" then reads them',
      "ambit collection add notes ~/notes --pattern '*.md' --exclude archive/": 'add only the Markdown files',
      'ambit collection add lab s3://lab-results': 'add the objects of a bucket, and its packages',
      'ambit collection add own s3://data --endpoint http://127.0.0.1:9000 --profile minio':
        'add a bucket of another service',
      'ambit collection add code ~/project --substrings': 'make contains:"->next" fast',
    },
    inputs: {
      name: { is: 'text', required: true, description: 'the name of the new collection' },
      // An unset variable of a shell gives an empty word, which would mean the current directory.
      root: {
        is: 'path',
        path: 'root',
        required: true,
        pattern: '\\S',
        examples: ['~/notes'],
        placeholder: 'PATH',
        description: 'the directory that holds its files, or a bucket: s3://BUCKET or s3://BUCKET/PREFIX',
      },
      pattern: {
        is: 'text',
        list: true,
        placeholder: 'GLOB',
        description: 'include only files that match, such as "**/*.md"; default all',
      },
      exclude: { is: 'text', list: true, placeholder: 'GLOB', description: 'leave out files that match' },
      hidden: offByDefault('include hidden files and directories; those of agents and of GitHub are always included'),
      ignore: { is: 'flag', default: true, description: 'the rules of .gitignore' },
      endpoint: {
        is: 'text',
        placeholder: 'URL',
        description: 'for a bucket outside of Amazon: the URL of its service, such as http://127.0.0.1:9000',
      },
      region: { is: 'text', placeholder: 'REGION', description: 'for a bucket: its region; default AWS_REGION' },
      profile: {
        is: 'text',
        placeholder: 'NAME',
        description: 'for a bucket: the profile in the configuration files of AWS',
      },
      anonymous: { is: 'flag', description: 'for a bucket: send no credentials' },
      pathStyle: { is: 'flag', description: 'for a bucket: put its name in the path of the URL, not in the host name' },
      requesterPays: { is: 'flag', description: 'for a bucket: pay for the requests' },
      yes: offByDefault('add a directory that is known to hold secrets, such as ~/.ssh, without asking'),
      substrings: offByDefault(
        'index every substring, so that contains:"…" is fast in code; needs more space and time',
      ),
    },
    output: collectionAnswer,
    run: async (engine, request) => (await engine.library()).collections.add(request),
    text: (added) => `Added ${collectionLine(added)}\nNow run: ambit index ${JSON.stringify(added.name)}\n`,
  }),

  list: defineOperation({
    name: 'collections.list',
    summary: 'List the collections',
    effect: 'read',
    examples: { 'ambit collection list': 'show the name, directory and size of each' },
    inputs: {},
    output: collectionsAnswer,
    run: async (engine) => ({ collections: await (await engine.library()).collections.list() }),
    text: ({ collections }) =>
      collections.map((one) => `${collectionLine(one)}\n`).join('') ||
      'There are no collections yet. Add one: ambit collection add NAME PATH\n',
  }),

  show: defineOperation({
    ...byName,
    name: 'collections.show',
    summary: 'Show a collection',
    effect: 'read',
    examples: { 'ambit collection show docs': 'show its directory, patterns and size' },
    run: async (engine, { name }) => (await engine.library()).collections.show(name),
    text: (collection) => {
      const { patterns, exclude, hasSubstrings, indexedAt } = collection
      const lines = [
        collectionLine(collection),
        ...(patterns.length > 0 ? [`patterns  ${patterns.join('  ')}`] : []),
        ...(exclude.length > 0 ? [`exclude   ${exclude.join('  ')}`] : []),
        ...(hasSubstrings ? ['index     every substring'] : []),
        ...(indexedAt === undefined ? [] : [`indexed   ${indexedAt}`]),
      ]
      return `${lines.join('\n')}\n`
    },
  }),

  rename: defineOperation({
    name: 'collections.rename',
    summary: 'Rename a collection; its path contexts stay',
    effect: 'write',
    scope: 'admin',
    positional: ['name', 'to'],
    examples: { 'ambit collection rename docs handbook': 'find its documents as handbook/…' },
    inputs: { ...input, to: { is: 'text', required: true, placeholder: 'NAME', description: 'its new name' } },
    output: collectionAnswer,
    run: async (engine, { name, to }) => (await engine.library()).collections.rename(name, to),
    text: (collection) => `Renamed: ${collectionLine(collection)}\n`,
  }),

  remove: defineOperation({
    ...byName,
    name: 'collections.remove',
    summary: 'Remove a collection and its path contexts; its files stay',
    effect: 'write',
    scope: 'admin',
    examples: { 'ambit collection remove docs': 'stop searching it' },
    run: async (engine, { name }) => (await engine.library()).collections.remove(name),
    text: (collection) => `Removed ${collectionLine(collection)}\n`,
  }),

  set: defineOperation({
    name: 'collections.set',
    summary: 'Change a collection: pause it, or index every substring of it',
    effect: 'write',
    positional: ['name'],
    examples: {
      'ambit collection set archive --paused': 'search it only with "search -c archive"',
      'ambit collection set archive --no-paused': 'search it by default again',
      'ambit collection set code --substrings':
        'index every substring; the next "ambit index code" reads all files again',
    },
    inputs: {
      ...input,
      paused: {
        is: 'flag',
        description: 'leave it out of searches that do not name it; --no-paused: include it again',
      },
      substrings: {
        is: 'flag',
        description: 'index every substring, so that contains:"…" is fast; --no-substrings: words only, in less space',
      },
    },
    output: collectionAnswer,
    run: async (engine, { name, paused, substrings }) => {
      const { collections } = await engine.library()
      if (paused === undefined && substrings === undefined)
        throw new UsageError('Nothing to change.', 'Add --paused, --no-paused, --substrings or --no-substrings.')
      return collections.change(name, {
        ...(paused !== undefined && { isPaused: paused }),
        ...(substrings !== undefined && { hasSubstrings: substrings }),
      })
    },
    text: (collection, request) => {
      const next = request?.substrings === undefined ? '' : `Now run: ambit index ${JSON.stringify(collection.name)}\n`
      return `Changed ${collectionLine(collection)}${collection.hasSubstrings ? ', with substrings' : ''}\n${next}`
    },
  }),
}

export const status = defineOperation({
  name: 'status',
  summary: 'Show the database and the state of each collection',
  effect: 'read',
  examples: { 'ambit status': 'show where the database is, and what is in it' },
  tool: { name: 'status', set: 'search', about: 'The collections and the state of their index', inputs: {} },
  inputs: {},
  output: statusAnswer,
  run: async (engine) => (await engine.library()).collections.status(),
  text: ({ database, bytes, documents, collections, embedding }) => {
    const head = `${oneLine(database)}  ${formatBytes(bytes)}  ${countNoun(documents, 'document')}`
    const vectors = embedding ? [embeddingLine(embedding)] : []
    return `${[head, ...vectors, ...collections.map(statusRow)].join('\n')}\n`
  },
})

function statusRow({ skipped, problem, ...collection }: CollectionStatus): string {
  const skippedNote = skipped > 0 ? `, ${countNoun(skipped, 'file')} left out` : ''
  return `${collectionLine(collection)}${skippedNote}${problem === undefined ? '' : `\n  ${oneLine(problem)}`}`
}

function embeddingLine({ model, documents, missing }: NonNullable<StatusAnswer['embedding']>): string {
  const missingNote = missing > 0 ? `, ${missing} missing: run "ambit embed"` : ''
  return `embedded by ${oneLine(model)}: ${countNoun(documents, 'document')}${missingNote}`
}
