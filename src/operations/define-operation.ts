import { defineInputs } from '../core/define-inputs.ts'
import type { InputFields, InputOf } from '../core/input.ts'
import type { Operation } from '../core/operation.ts'
import type { Engine } from '../engine/engine.ts'

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
