/** How an operation is defined, and inputs that several share: plain data, since every command loads it at its start. */

import { PROFILE_FILE, PROFILE_NAMES } from '../core/choices.ts'
import { defineInputs } from '../core/define-inputs.ts'
import type { InputFields, InputOf } from '../core/input.ts'
import type { Operation } from '../core/operation.ts'
import type { Engine } from '../engine/engine.ts'

export const inputs = {
  place: {
    is: 'path',
    path: 'directory',
    default: '.',
    placeholder: 'PATH',
    description: 'a directory or a file',
  },
  /** Where it need not be on disk. */
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
  home: { is: 'flag', default: true, description: 'your own instruction files' },
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
    description: `load the files that this tool loads (${PROFILE_NAMES.join(', ')}), or use a profile in a YAML file; default ambit`,
  },
  order: {
    is: 'choice',
    of: ['specific-first', 'general-first'],
    description: 'which instruction files come first',
  },
  tokens: { is: 'choice', of: ['bytes4', 'o200k'], description: 'how to count tokens; default bytes4' },
} as const satisfies InputFields

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
