import { collectionAnswer } from '../../engine/engine.ts'
import { defineOperation } from '../schema.ts'
import { collectionLine } from './described.ts'

/** Names a tree of files that is to be searched. */
export const add = defineOperation({
  name: 'collections.add',
  command: 'collection add',
  summary: 'Add a folder or bucket as a collection, so that you can search it',
  effect: 'write',
  scope: 'admin',
  positional: ['name', 'root'],
  examples: [
    { command: 'ambit collection add docs ~/project/docs', does: 'add all its files; "ambit index" then reads them' },
    {
      command: "ambit collection add notes ~/notes --pattern '*.md' --exclude archive/",
      does: 'add only the Markdown files',
    },
    { command: 'ambit collection add lab s3://lab-results', does: 'add the objects of a bucket, and its packages' },
    {
      command: 'ambit collection add own s3://data --endpoint http://127.0.0.1:9000 --profile minio',
      does: 'add a bucket of another service',
    },
    { command: 'ambit collection add code ~/project --substrings', does: 'make contains:"->next" fast' },
  ],
  inputs: {
    name: { is: 'text', required: true, description: 'the name of the new collection' },
    // An empty word is what a shell makes of a variable that is not set; it would be the current directory.
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
    hidden: {
      is: 'flag',
      default: false,
      description: 'include hidden files and directories; those of agents and of GitHub are always included',
    },
    ignore: {
      is: 'flag',
      default: true,
      description: 'the rules of .gitignore',
    },
    endpoint: {
      is: 'text',
      placeholder: 'URL',
      description: 'of a bucket: the service, where it is not Amazon, such as http://127.0.0.1:9000',
    },
    region: { is: 'text', placeholder: 'REGION', description: 'of a bucket: its region; default as AWS_REGION has it' },
    profile: { is: 'text', placeholder: 'NAME', description: 'of a bucket: the profile in the files of AWS' },
    anonymous: { is: 'flag', description: 'of a bucket: ask without credentials' },
    pathStyle: { is: 'flag', description: 'of a bucket: its name is in the path of the address, not in the host' },
    requesterPays: { is: 'flag', description: 'of a bucket: you pay for the requests' },
    yes: {
      is: 'flag',
      default: false,
      description: 'add a directory that is known to hold secrets, such as ~/.ssh, without asking',
    },
    substrings: {
      is: 'flag',
      default: false,
      description: 'index every substring, so that contains:"…" is fast in code; needs more space and time',
    },
  },
  output: collectionAnswer,
  asks: () => false,
  run: async (engine, request) => (await engine.library()).collections.add(request),
  text: (collection) =>
    `Added ${collectionLine(collection)}\nNow run: ambit index ${JSON.stringify(collection.name)}\n`,
})
