import { packageCatAnswer } from '../../engine/engine.ts'
import { defineOperation } from '../schema.ts'
import { packageInput } from './formats.ts'

/** What an entry holds. */
export const cat = defineOperation({
  name: 'packages.cat',
  command: 'package cat',
  summary: 'Print an entry of a package, after checking its hash',
  effect: 'read',
  positional: ['package', 'path'],
  examples: [
    { command: 'ambit package cat lab/team/results README.md', does: 'print a text' },
    { command: 'ambit package cat lab/team/results plots/a.png > a.png', does: 'save any entry to a file' },
  ],
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
    yield* (await engine.packages()).bytes({ package: name, path }, run)
  },
  text: (answer) => answer.text,
  notices: ({ replaced, isVerified }) => [
    ...(replaced > 0 ? [`${replaced} byte sequences are not UTF-8; U+FFFD replaces them.`] : []),
    ...(isVerified ? [] : ['The manifest has no hash of a known type for it: it was not checked.']),
  ],
})
