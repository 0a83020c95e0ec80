import { ContextError } from '../core/errors.ts'
import { oneLine } from '../text/controls.ts'

/** What a model gave, by the names of a tool, without what it left out as null. @throws ContextError `invalid-input`. */
export function inputsOf(input: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new ContextError('invalid-input', 'The input must be an object.')
  }
  const stranger = Object.keys(input).find((name) => !names.includes(name))
  if (stranger !== undefined) {
    const hint = `Inputs: ${names.join(', ')}.`
    throw new ContextError('invalid-input', `There is no input called ${oneLine(stranger.slice(0, 100))}.`, { hint })
  }
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
}

/** @throws ContextError `invalid-input` for what is no text, or an empty one. */
export function textIn(inputs: Readonly<Record<string, unknown>>, name: string): string {
  const value = inputs[name]
  if (typeof value === 'string' && value.trim() !== '') return value
  throw new ContextError('invalid-input', `${name} must be a text.`)
}
