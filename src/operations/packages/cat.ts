import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, PackageCatAnswer } from '../../engine/engine.ts'
import { count, flag, object, text } from '../schema.ts'
import { packageInput, revision } from './formats.ts'

const input = {
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
} as const

/** What an entry holds. */
export const cat: Operation<Engine, InputOf<typeof input>, PackageCatAnswer> = {
  name: 'packages.cat',
  command: 'package cat',
  summary: 'Print an entry of a package, after checking its hash',
  effect: 'read',
  positional: ['package', 'path'],
  examples: [
    { command: 'ambit package cat lab/team/results README.md', does: 'print a text' },
    { command: 'ambit package cat lab/team/results plots/a.png > a.png', does: 'save any entry to a file' },
  ],
  input: defineInputs(input),
  output: () => object({ ...revision, path: text, size: count, text, replaced: count, isVerified: flag }),
  run: async (engine, request, run) => (await engine.packages()).cat(request, run),
  async *bytes(engine, { package: name, path }, run) {
    yield* (await engine.packages()).bytes({ package: name, path }, run)
  },
  text: (answer) => answer.text,
  notices: ({ replaced, isVerified }) => [
    ...(replaced > 0 ? [`${replaced} byte sequences are not UTF-8; U+FFFD replaces them.`] : []),
    ...(isVerified ? [] : ['The manifest has no hash of a known type for it: it was not checked.']),
  ],
}
