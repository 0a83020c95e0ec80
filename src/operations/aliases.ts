/** Older names. Every surface takes them; help, completion and descriptions show the newer names only. */

import { defineInputs } from '../core/define-inputs.ts'
import type { InputFields } from '../core/input.ts'
import type { AnyOperation } from './index.ts'

/** Second words of commands, where the family has no command of that name. */
export const OLDER_WORDS: Readonly<Record<string, string>> = { rm: 'remove', delete: 'remove', ls: 'list' }

/** Flags, by the input that they set in a command that has it. */
export const OLDER_FLAGS: Readonly<Record<string, readonly string[]>> = {
  calls: ['budget-calls'],
  tokens: ['budget-tokens'],
  cost: ['budget-cost'],
  minutes: ['budget-minutes'],
  nodes: ['budget-nodes'],
  searches: ['budget-searches'],
  pages: ['budget-pages'],
  profile: ['agent'],
}

interface Alias {
  /** The name of the newer operation. */
  readonly is: string
  readonly command?: string
  /** Default: the scope of the newer one. */
  readonly scope?: AnyOperation['scope']
  readonly positional?: readonly string[]
  /** Default: the inputs of the newer one. */
  readonly inputs?: InputFields
  /** The inputs of the newer one. Default: the same. */
  given?(input: Readonly<Record<string, unknown>>): object
}

const name = { is: 'text', required: true, description: 'the name of a collection' } as const

/** Operations, by their older names. Their answers have all fields that they had. */
const ALIASES: Readonly<Record<string, Alias>> = {
  rebuild: { is: 'index.rebuild', command: 'rebuild' },
  'collections.pause': {
    is: 'collections.set',
    command: 'collection pause',
    inputs: { name },
    given: (input) => ({ ...input, paused: true }),
  },
  'collections.resume': {
    is: 'collections.set',
    command: 'collection resume',
    inputs: { name },
    given: (input) => ({ ...input, paused: false }),
  },
  'collections.substrings': {
    is: 'collections.set',
    command: 'collection substrings',
    positional: ['name', 'state'],
    inputs: { name, state: { is: 'choice', of: ['on', 'off'], default: 'on', description: 'on or off' } },
    given: ({ state, ...input }) => ({ ...input, substrings: state === 'on' }),
  },
  folders: {
    is: 'browse',
    command: 'folders',
    scope: 'admin',
    inputs: {
      place: { is: 'path', path: 'disk', default: '.', description: 'a directory on disk' },
      match: { is: 'text', description: 'letters of paths' },
      limit: { is: 'integer', minimum: 1, maximum: 10_000, default: 1000, short: 'n', description: 'maximum number' },
    },
    given: ({ place, ...input }) => ({ ...input, disk: place }),
  },
}

/** The operations by their older names. */
export function aliasesOf(operations: readonly AnyOperation[]): AnyOperation[] {
  return Object.entries(ALIASES).flatMap(([name, { is, inputs, given, ...own }]) => {
    const newer = operations.find((operation) => operation.name === is)
    return newer ? [renamed(newer, { ...own, name, ...(inputs && { input: defineInputs(inputs) }) }, given)] : []
  })
}

function renamed(
  { tool: _, ...newer }: AnyOperation,
  own: Pick<AnyOperation, 'name'> & Partial<Pick<AnyOperation, 'input'>>,
  given: Alias['given'] = (input) => input,
): AnyOperation {
  const { confirms, notices } = newer
  const inputOf = (input: unknown) => newer.input.parse(given(Object(input)))
  return {
    ...newer,
    ...own,
    run: (engine, input, run) => newer.run(engine, inputOf(input), run),
    text: (output, input) => newer.text(output, input === undefined ? undefined : inputOf(input)),
    ...(notices && { notices: (output) => notices(output) }),
    ...(confirms && { confirms: (engine, input) => confirms(engine, inputOf(input)) }),
  }
}
