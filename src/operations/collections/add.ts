import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Collection, Engine } from '../../engine/engine.ts'
import { collectionLine, collectionSchema } from './described.ts'

const input = {
  name: { is: 'text', required: true, description: 'what the collection is called from now on' },
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
    description: 'only files that match, such as "**/*.md"; default all',
  },
  exclude: { is: 'text', list: true, placeholder: 'GLOB', description: 'no files that match' },
  hidden: {
    is: 'flag',
    default: false,
    description:
      'also files and directories with a dot before their name; those of agents and of GitHub always belong to it',
  },
  ignore: {
    is: 'flag',
    default: true,
    description: 'without what a .gitignore leaves out; --no-ignore takes that, too',
  },
  yes: { is: 'flag', default: false, description: 'also a directory that is known to hold secrets, such as ~/.ssh' },
  substrings: {
    is: 'flag',
    default: false,
    description: 'also index any piece of the texts, for contains:"…" in code; takes more room and time',
  },
} as const

/** Names a tree of files that is to be searched. */
export const add: Operation<Engine, InputOf<typeof input>, Collection> = {
  name: 'collections.add',
  command: 'collection add',
  summary: 'Name a tree of files that is to be searched',
  effect: 'write',
  scope: 'admin',
  positional: ['name', 'root'],
  examples: [
    { command: 'ambit collection add docs ~/project/docs', does: 'all its files; "ambit index" then reads them' },
    { command: "ambit collection add notes ~/notes --pattern '*.md' --exclude archive/", does: 'only some of them' },
    { command: 'ambit collection add lab s3://lab-results', does: 'the objects of a bucket, and its packages' },
    { command: 'ambit collection add code ~/project --substrings', does: 'contains:"->next" is then quick' },
  ],
  input: defineInputs(input),
  output: collectionSchema,
  asks: () => false,
  run: async (engine, request) => (await engine.library()).collections.add(request),
  text: (collection) =>
    `Added ${collectionLine(collection)}\nNow run: ambit index ${JSON.stringify(collection.name)}\n`,
}
