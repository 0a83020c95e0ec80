import { ContextError } from '../core/errors.ts'
import type { Input, InputFields } from '../core/input.ts'
import { type AnyOperation, commandWords } from './schema.ts'

/** The inputs of a command line that a sentence contains, by name. A placeholder such as `NAME` counts as a value. */
export type HintInputs = Readonly<Record<string, string | boolean | number | readonly string[]>>

/** Rewrites a command line; undefined leaves it as it is. */
type Rephrase = (operation: AnyOperation, inputs: HintInputs) => string | undefined

/** Matches `"ambit ls docs"` in quotes, or `ambit ls docs` up to the end of the sentence or parenthesis. */
const COMMAND = /"ambit ([^"\n]+)"|\bambit ([a-z][^\n)]*?)(?=[)\n]|\.?$|\.\.?\s)/g

/** A sentence with its command lines rewritten for a surface without a command line. */
export function rephraseCommands(text: string, operations: readonly AnyOperation[], rephrase: Rephrase): string {
  return text.replace(COMMAND, (line: string, quoted?: string, bare?: string) => {
    const words = wordsIn(quoted ?? bare ?? '')
    const matches = operations.filter((one) => commandWords(one).every((name, at) => words[at] === name))
    const [operation] = matches.sort((a, b) => commandWords(b).length - commandWords(a).length)
    const inputs = operation && hintInputs(operation, words.slice(commandWords(operation).length))
    return (inputs && rephrase(operation, inputs)) ?? line
  })
}

/** Operations with rewritten hints in their errors. `hintOperations`: the operations that hints may name. Default: `operations`. */
export function rephraseHints(
  operations: readonly AnyOperation[],
  rephrase: Rephrase,
  hintOperations = operations,
): AnyOperation[] {
  return operations.map((operation) => ({
    ...operation,
    run: async (engine, input, run) => {
      try {
        return await operation.run(engine, input, run)
      } catch (error) {
        if (!(error instanceof ContextError) || error.hint === undefined) throw error
        const hint = rephraseCommands(error.hint, hintOperations, rephrase)
        throw new ContextError(error.code, error.message, { hint, cause: error.cause })
      }
    },
  }))
}

/** Text between single quotes is one word. */
function wordsIn(line: string): string[] {
  const matches = line.matchAll(/'((?:[^']|'\\'')*)'|[^\s']+/g)
  return Array.from(matches, ([word, quoted]) => quoted?.replaceAll(`'\\''`, "'") ?? word)
}

/**
 * Assigns words to inputs. The last input gets all remaining words, because sentences do not always quote paths. Undefined for an
 * unknown flag.
 */
function hintInputs({ positional = [], input }: AnyOperation, words: readonly string[]): HintInputs | undefined {
  const values: string[] = []
  const flags: (readonly [string, HintInputs[string]] | undefined)[] = []
  const remainingWords = words.values()
  for (const word of remainingWords) {
    if (word.startsWith('--')) flags.push(flagInput(word.slice(2), input.fields, remainingWords))
    else values.push(word)
  }
  const last = positional.length - 1
  const positionalInputs = positional.flatMap((name, at) => {
    const value = at === last ? values.slice(at).join(' ') : values[at]
    return value ? [[name, value] as const] : []
  })
  const flagInputs = flags.filter((flag) => flag !== undefined)
  return flagInputs.length < flags.length ? undefined : Object.fromEntries([...positionalInputs, ...flagInputs])
}

/** The input of a flag. Its value, if any, is the next word. */
function flagInput(
  flag: string,
  fields: InputFields,
  remainingWords: Iterator<string>,
): readonly [string, HintInputs[string]] | undefined {
  const hasFlag = ([name, { flag: flagName }]: [string, Input]) =>
    (flagName || name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)) === flag.replace(/^no-/, '')
  const [name, field] = Object.entries(fields).find(hasFlag) ?? []
  if (name === undefined || field === undefined) return undefined
  if (field.is === 'flag') return [name, !flag.startsWith('no-')]
  const word = remainingWords.next().value ?? ''
  if (field.is === 'integer' || field.is === 'number') return [name, Number(word)]
  return [name, 'list' in field && field.list ? [word] : word]
}
