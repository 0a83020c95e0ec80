/** Parses a command line, by the inputs of its command. */

import { ContextError, quoteValue, UsageError } from '../../core/errors.ts'
import type { Input, InputFields } from '../../core/input.ts'
import type { AnyCommand } from '../../operations/index.ts'
import { commandWords, OLDER_FLAGS } from '../../operations/schema.ts'
import { nearest } from '../../text/nearest.ts'
import { quoteShell } from '../../text/shell-quote.ts'
import { type Flags, findCommand, isFlag, normalizeWords, splitGlobals } from './command.ts'
import { findFault, type OptionKinds, type OptionToken, type SplitWords, splitOptions } from './options.ts'

export interface ParsedCommand {
  readonly command: AnyCommand
  /** Inputs of the command, checked by its schema. */
  readonly input: Readonly<Record<string, unknown>>
  readonly flags: Flags
}

/**
 * Parses a command line.
 *
 * @throws UsageError
 */
export function parseCommandLine(argv: readonly string[], commands: readonly AnyCommand[]): ParsedCommand {
  const { globals, words: typedWords } = splitGlobals(argv)
  const words = normalizeWords(typedWords, commands)
  const command = findCommand(words, commands)
  const remainingWords = wordsAfter(words, commandWords(command))
  const { options, inputs, positionals } = readArguments([...globals, ...remainingWords], command)
  const { json, format, explain, db } = options
  if (format !== undefined && format !== 'json')
    throw new UsageError(`--format is "${format}", and must be json, or be left out.`, helpHint(command))
  return {
    command,
    input: parseInput(command, { ...namePositionals(command, positionals), ...inputs }),
    flags: {
      json: json === true || format === 'json',
      explain: explain === true,
      ...(typeof db === 'string' && { db }),
    },
  }
}

/** The arguments without the words that name the command. */
function wordsAfter(line: readonly string[], words: readonly string[]): readonly string[] {
  const remainingWords = line.slice(words.filter((word) => !isFlag(word)).length)
  return remainingWords.filter((word) => !isFlag(word) || !words.includes(word))
}

type Values = Readonly<Record<string, unknown>>

/** The options that a command has in addition to its inputs. `--format json` is the same as `--json`. */
function globalOptions(command: AnyCommand): OptionKinds {
  const [db, json] = [{ db: { type: 'string' } }, { json: { type: 'boolean' }, format: { type: 'string' } }] as const
  if ('holds' in command) return command.isLenient ? {} : { ...db, ...(command.json !== undefined && json) }
  return { ...db, ...json, ...(command.explained && { explain: { type: 'boolean' } as const }) }
}

/** Parses the arguments after the words of a command. Returns the inputs by name, other options, and positional words. */
function readArguments(args: readonly string[], command: AnyCommand) {
  const { fields } = command.input
  const split = splitCommand(args, command)
  const inputByFlag = new Map(
    Object.entries(fields).flatMap(([name, field]) => flagsOf(name, field).map((flag) => [flag, name] as const)),
  )
  const options = split.options.map((token) => resolveOption(token, inputByFlag))
  const programValues = options.flatMap(({ flag, name, value }) => (name === undefined ? [[flag, value] as const] : []))
  const inputs = Object.entries(fields).flatMap(([name, field]) => {
    const matchingOptions = options.filter((option) => option.name === name)
    const values = matchingOptions.map(({ flag, value }) => convertValue(field, value, flag))
    return values.length === 0 ? [] : [[name, 'list' in field ? values : values.at(-1)] as const]
  })
  const { positionals } = split
  return { options: Object.fromEntries(programValues), inputs: Object.fromEntries(inputs), positionals }
}

/** Finds the input of an option. `--no-home` sets `home` to false, unless an input has the flag `no-home`. */
function resolveOption({ name: longName, rawName, value }: OptionToken, inputByFlag: ReadonlyMap<string, string>) {
  const flag = rawName.startsWith('--') ? rawName.slice(2) : longName
  const name = inputByFlag.get(flag) ?? inputByFlag.get(flag.replace(/^no-/, ''))
  const isFormat = name === 'format' && value === 'json'
  return { flag, name: isFormat ? undefined : name, value: value ?? !flag.startsWith('no-') }
}

/** The flags of an input. Help shows the first. */
export function flagsOf(name: string, field: Input | undefined): readonly string[] {
  const { flag = kebab(name) } = field ?? {}
  const olderFlags = Object.hasOwn(OLDER_FLAGS, name) ? OLDER_FLAGS[name] : undefined
  return flag === false ? [] : [...new Set([flag, kebab(name), ...(olderFlags ?? [])])]
}

function splitCommand(args: readonly string[], command: AnyCommand): SplitWords {
  const kinds = { ...globalOptions(command), ...optionKinds(command.input.fields) }
  const split = splitOptions(args, kinds)
  const fault = 'isLenient' in command ? undefined : findFault(split.options, kinds)
  if (!fault) return split
  const line = `ambit ${commandWords(command).join(' ')}`
  const similarHint = fault.unknown === undefined ? '' : similarOptionHint(fault.unknown, Object.keys(kinds))
  const hint = command.positional && fault.unknown !== undefined ? dashHint(line, fault.unknown, args) : ''
  throw new UsageError(fault.message, `${similarHint}${hint}See ${line} --help.`)
}

/** A hint with the most similar option; `''` if no option is similar. */
function similarOptionHint(option: string, names: readonly string[]): string {
  const [similar] = option.startsWith('--') ? nearest(option.slice(2), names, 1) : []
  return similar === undefined ? '' : `Did you mean --${similar}? `
}

/** A hint for a word that begins with a dash and was read as an unknown option; `''` if there is no such word. */
function dashHint(line: string, option: string, args: readonly string[]): string {
  const word = args.find((candidate) => wordHasOption(option, candidate))
  if (word === undefined) return ''
  const shown = /^[\w.-]+$/.test(word) ? word : quoteShell(word)
  return `If it is not an option, put -- before it: ${line} -- ${shown}. `
}

/** Whether an option was read from this word, as `-t` from `-timeout`. */
function wordHasOption(option: string, word: string): boolean {
  if (option.startsWith('--')) return word === option || word.startsWith(`${option}=`)
  return /^-[^-]/.test(word) && word.includes(option.slice(1))
}

function optionKinds(fields: InputFields): OptionKinds {
  const options = Object.entries(fields).flatMap(([name, field]) => {
    const option: OptionKinds[string] = {
      type: field.is === 'flag' ? 'boolean' : 'string',
      isNumber: field.is === 'integer' || field.is === 'number',
      bare: 'bare' in field ? field.bare : undefined,
    }
    return flagsOf(name, field).map((flag, at) => {
      const short = at === 0 && field.short !== undefined ? { short: field.short } : {}
      return [flag, { ...option, ...short }] as const
    })
  })
  return Object.fromEntries(options)
}

/** `whyNot` → `why-not`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function namePositionals(command: AnyCommand, words: readonly string[]) {
  const { input, positional: names = [] } = command
  const fields: Readonly<Record<string, Input>> = input.fields
  const last = names.at(-1) ?? ''
  const [isList, isLenient] = ['list' in (fields[last] ?? {}), 'isLenient' in command]
  if (!isList && !isLenient && words.length > names.length) throw tooManyWords(command, words)
  // If the last input is required and words are missing, the first inputs stay empty.
  const skippedCount = fields[last]?.required ? Math.max(0, names.length - words.length) : 0
  const values = names.slice(skippedCount).map((name, index) => {
    return [name, isList && name === last ? words.slice(index) : words[index]] as const
  })
  return Object.fromEntries(values.filter(([name, value]) => !isAbsent(value, fields[name])))
}

/** Whether a value is missing. For an input with a noun, blank text counts as missing. */
function isAbsent(value: string | readonly string[] | undefined, field: Input | undefined): boolean {
  if (typeof value !== 'string') return value === undefined || value.length === 0
  return nounOf(field) !== undefined && value.trim() === ''
}

function nounOf(field: Input | undefined): string | undefined {
  return field && 'noun' in field ? field.noun : undefined
}

function tooManyWords(command: AnyCommand, words: readonly string[]): UsageError {
  const { positional: names = [], input } = command
  const fields: Readonly<Record<string, Input>> = input.fields
  const usage = names.length === 0 ? 'no argument' : `one ${names.map((name) => name.toUpperCase()).join(' and one ')}`
  const quoted = `ambit ${commandWords(command).join(' ')} "${words.join(' ')}"`
  const hint = fields[names[0] ?? '']?.is === 'text' ? ` Quote several words: ${quoted}` : ''
  return new UsageError(`"${words[names.length]}" is one argument too many.`, `It takes ${usage}.${hint}`)
}

/** Converts a typed value to the type of its input. @throws UsageError for an invalid number. */
function convertValue(field: Input, value: string | boolean, flag: string): unknown {
  const { is } = field
  if (is === 'number' && Number.isFinite(Number(value)) && value !== '') return Number(value)
  if (is === 'number') throw new UsageError(`--${flag} is "${value}", and must be a number.`, 'For example: 0.5.')
  if (field.is !== 'integer') return value
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return Number(value)
  const example = field.default ?? Math.min(field.maximum ?? EXAMPLE_TOKENS, EXAMPLE_TOKENS)
  throw new UsageError(`--${flag} is "${value}", and must be a whole number.`, `For example: --${flag} ${example}.`)
}

/** A typical number of tokens, as the example in an error. */
const EXAMPLE_TOKENS = 4000

function parseInput(command: AnyCommand, input: Values): Values {
  try {
    return command.input.parse(input) as Values
  } catch (error) {
    if (!(error instanceof ContextError)) throw error
    const [name = ''] = error.message.split(' ', 1)
    const field = Object.hasOwn(command.input.fields, name) ? command.input.fields[name] : undefined
    if (!field) throw new UsageError(error.message, helpHint(command))
    const [label, problem] = [inputLabel(name, field, command), error.message.slice(name.length)]
    const message = `${label}${problem}`
    if (input[name] === undefined) throw new UsageError(message, `For example: ${Object.keys(command.examples)[0]}`)
    const [, requirement] = /^ must be (.*?)\.?$/s.exec(problem) ?? []
    if (requirement === undefined) throw new UsageError(message, helpHint(command))
    const valueText = `${label} is ${quoteValue(String(input[name]))}`
    throw new UsageError(`${valueText}, and must be ${rangeOf(name, field) ?? requirement}.`, helpHint(command))
  }
}

/**
 * The name of an input in a message: its noun, such as `The question`; its name in the help for a positional input; else its
 * flag, such as `--min-score`.
 */
function inputLabel(name: string, field: Input, { positional = [] }: AnyCommand): string {
  const noun = nounOf(field)
  if (noun !== undefined) return `The ${noun}`
  return positional.includes(name) ? name.toUpperCase() : `--${flagsOf(name, field)[0]}`
}

/** The permitted range of a number, or the permitted formats, including JSON; undefined for other inputs. */
function rangeOf(name: string, field: Input): string | undefined {
  if (field.is === 'choice' && name === 'format') return `one of ${[...field.of, 'json'].join(', ')}`
  if (field.is !== 'integer' && field.is !== 'number') return undefined
  const { minimum, maximum } = field
  return maximum === undefined ? `${minimum} or more` : `from ${minimum} to ${maximum}`
}

function helpHint(command: AnyCommand): string {
  return `See ambit ${commandWords(command).join(' ')} --help.`
}
