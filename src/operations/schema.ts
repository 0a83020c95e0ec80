/**
 * Helpers that define operations, the inputs that several operations share, and older names. Every surface accepts the older names; help, completion
 * and descriptions do not show them. Every command loads this file, so it imports little.
 */

import { PROFILE_NAMES } from '../context/profiles.ts'
import { PROFILE_FILE } from '../core/choices.ts'
import { defineInputs } from '../core/define-inputs.ts'
import type { InputFields, InputOf } from '../core/input.ts'
import type { Operation } from '../core/operation.ts'
import type { Engine } from '../engine/engine.ts'

export const inputs = {
  place: { is: 'path', path: 'directory', default: '.', placeholder: 'PATH', description: 'a directory or a file' },
  /** A place on disk, in a collection or in a package. */
  anyPlace: {
    is: 'path',
    path: 'place',
    default: '.',
    placeholder: 'PLACE',
    description: 'a directory or file on disk, COLLECTION/PATH, or quilt+s3://BUCKET#package=NAMESPACE/NAME',
  },
  touched: {
    is: 'path',
    path: 'disk',
    list: true,
    placeholder: 'PATH',
    description: 'a path that the agent has read or written',
  },
  home: { is: 'flag', default: true, description: 'the instruction files in your home directory' },
  budget: {
    is: 'integer',
    minimum: 1,
    description: 'maximum number of tokens; default 8000 for places on disk, unlimited for collections and packages',
  },
  task: { is: 'text', description: 'what the agent is about to do; relevant text is kept first' },
  profile: {
    is: 'path',
    path: 'profile',
    pattern: `^(?:${PROFILE_NAMES.join('|')})$|${PROFILE_FILE.source}`,
    examples: [...PROFILE_NAMES, './team.yaml'],
    placeholder: 'NAME',
    description: `load the files that this agent loads (${PROFILE_NAMES.join(', ')}), or use a profile in a YAML file; default ambit`,
  },
  order: { is: 'choice', of: ['specific-first', 'general-first'], description: 'which instruction files come first' },
  tokens: { is: 'choice', of: ['bytes4', 'o200k'], description: 'how to count tokens; default bytes4' },
} as const satisfies InputFields

/** A flag whose default is off. */
export function offByDefault(description: string) {
  return { is: 'flag', default: false, description } as const
}

/** A whole number from 1 to `maximum`, such as a number of results. `preset`: the default. */
export function countLimit(preset: number, maximum: number, description: string) {
  return { is: 'integer', minimum: 1, maximum, default: preset, description } as const
}

export const collectionNames = { is: 'text', list: true, placeholder: 'NAME', names: 'collections' } as const

/** The format of a text: for people, or framed for prompts. */
export function textFormat(description: string) {
  return { is: 'choice', of: ['text', 'xml'], default: 'text', forText: true, description } as const
}

/** An operation of any input and answer. Surfaces validate the input by `input` before they run it. */
export type AnyOperation = Operation<Engine, unknown, unknown>

/** The words of a command: `collection`, `add`. */
export function commandWords({ name, command }: Pick<AnyOperation, 'name' | 'command'>): readonly string[] {
  return command?.split(' ') ?? name.replace(/s\./, '.').split('.')
}

/** An operation of the engine: the types of its input and its answer come from `inputs` and `output`. */
export function defineOperation<const Fields extends InputFields, Answer>({
  inputs,
  ...rest
}: Omit<Operation<Engine, InputOf<Fields>, Answer>, 'input'> & { readonly inputs: Fields }): Operation<
  Engine,
  InputOf<Fields>,
  Answer
> {
  return { ...rest, input: defineInputs(inputs) }
}

/** Older second words of commands, such as `rm` in `collection rm`. A command with that name wins. */
export const OLDER_WORDS: Readonly<Record<string, string>> = { rm: 'remove', delete: 'remove', ls: 'list' }

/** Older flags, by the input that they set. */
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
  readonly newName: string
  readonly command?: string
  /** Default: the scope of the newer operation. */
  readonly scope?: AnyOperation['scope']
  readonly positional?: readonly string[]
  /** Default: the inputs of the newer operation. */
  readonly inputs?: InputFields
  /** Converts the inputs to those of the newer operation. Default: they are the same. */
  convertInput?(input: Readonly<Record<string, unknown>>): object
}

const nameInput = { is: 'text', required: true, description: 'the name of a collection' } as const

/** The newer operation for each older name. Answers keep all older fields. */
const ALIASES: Readonly<Record<string, Alias>> = {
  rebuild: { newName: 'index.rebuild', command: 'rebuild' },
  'collections.pause': {
    newName: 'collections.set',
    inputs: { name: nameInput },
    convertInput: (input) => ({ ...input, paused: true }),
  },
  'collections.resume': {
    newName: 'collections.set',
    inputs: { name: nameInput },
    convertInput: (input) => ({ ...input, paused: false }),
  },
  'collections.substrings': {
    newName: 'collections.set',
    positional: ['name', 'state'],
    inputs: { name: nameInput, state: { is: 'choice', of: ['on', 'off'], default: 'on', description: 'on or off' } },
    convertInput: ({ state, ...input }) => ({ ...input, substrings: state === 'on' }),
  },
  folders: {
    newName: 'browse',
    scope: 'admin',
    inputs: {
      place: { is: 'path', path: 'disk', default: '.', description: 'a directory on disk' },
      match: { is: 'text', description: 'letters of paths' },
      limit: { is: 'integer', minimum: 1, maximum: 10_000, default: 1000, short: 'n', description: 'maximum number' },
    },
    convertInput: ({ place, ...input }) => ({ ...input, disk: place }),
  },
}

/** The operations by their older names. */
export function aliasesOf(operations: readonly AnyOperation[]): AnyOperation[] {
  return Object.entries(ALIASES).flatMap(([olderName, { newName, inputs, convertInput, ...overrides }]) => {
    const newer = operations.find((operation) => operation.name === newName)
    const renamed = { ...overrides, name: olderName, ...(inputs && { input: defineInputs(inputs) }) }
    return newer ? [renameOperation(newer, renamed, convertInput)] : []
  })
}

/**
 * A newer operation under an older name. The input is converted only for `run` and `text`, because the other functions
 * read only inputs that are the same.
 */
function renameOperation(
  { tool: _, command: __, ...newer }: AnyOperation,
  overrides: Pick<AnyOperation, 'name'> & Partial<Pick<AnyOperation, 'input'>>,
  convertInput: Alias['convertInput'] = (input) => input,
): AnyOperation {
  const inputOf = (input: unknown) => newer.input.parse(convertInput(Object(input)))
  return {
    ...newer,
    ...overrides,
    run: (engine, input, run) => newer.run(engine, inputOf(input), run),
    text: (output, input) => newer.text(output, input === undefined ? undefined : inputOf(input)),
  }
}
