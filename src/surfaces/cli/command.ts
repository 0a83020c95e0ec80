import { type ParseArgsConfig, parseArgs } from 'node:util'
import { ContextError, UsageError } from '../../core/errors.ts'
import type { JsonSchema } from '../../core/operation.ts'
import type { AnyOperation } from '../../operations/index.ts'
import { nearest } from '../../text/nearest.ts'
import { OWN_COMMANDS } from './own-commands.ts'

/** A command line that was understood. */
export interface ParsedCommand {
  readonly operation: AnyOperation
  /** What the operation takes; it has passed its schema. */
  readonly input: Readonly<Record<string, unknown>>
  readonly flags: Flags
}

/** What is for the command line itself, and not for the operation. */
export interface Flags {
  readonly json: boolean
  /** The ledger on stderr, of commands that have one. */
  readonly explain: boolean
  /** The database, instead of the configured one. */
  readonly db?: string
}

/** Whether JSON is asked for, also by a command line that is wrong otherwise: errors are JSON then, too. */
export function wantsJson(argv: readonly string[]): boolean {
  const options = { json: { type: 'boolean' }, format: { type: 'string' } } as const
  const { values } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true })
  return values.json === true || values.format === 'json'
}

/** The options that are for the command line itself; `--format json` is `--json` everywhere. */
function ownOptions(operation: AnyOperation): NonNullable<ParseArgsConfig['options']> {
  const everywhere = { json: { type: 'boolean' }, format: { type: 'string' }, db: { type: 'string' } } as const
  return operation.explained ? { ...everywhere, explain: { type: 'boolean' } } : everywhere
}

/**
 * Reads a command line by the operation's schema.
 *
 * @throws UsageError
 */
export function commandOf(argv: readonly string[], operations: readonly AnyOperation[]): ParsedCommand {
  const { own, given } = ownFirst(argv)
  const operation = operationOf(given, operations)
  const words = commandWords(operation)
  const { properties = {} } = operation.input.json()
  const { values, positionals } = parseCommandArgs([...own, ...after(given, words)], properties, operation)
  const { json, db, ...options } = values
  const explain = operation.explained && options.explain === true
  if (operation.explained) delete options.explain
  const asJson = json === true || options.format === 'json'
  if (options.format === 'json') delete options.format
  const typed = { ...namePositionals(operation, positionals), ...typedOptions(options, properties) }
  return {
    operation,
    input: parseInput(operation, typed),
    flags: { json: asJson, explain: explain === true, ...(typeof db === 'string' && { db }) },
  }
}

/** The options of every command that stand before it, as in `ambit --db x.db status`; and the rest. */
export function ownFirst(argv: readonly string[]): {
  readonly own: readonly string[]
  readonly given: readonly string[]
} {
  let at = 0
  while (/^--(json|db(=.*)?)$/s.test(argv[at] ?? '')) at += argv[at] === '--db' ? 2 : 1
  return { own: argv.slice(0, at), given: argv.slice(at) }
}

/**
 * The operation that the first words name.
 *
 * @throws UsageError that lists the commands there are: those of a group where the first word is one.
 */
export function operationOf(argv: readonly string[], operations: readonly AnyOperation[]): AnyOperation {
  const found = operations.filter((operation) =>
    commandWords(operation).every((word, index) => argv[index] === word || (isFlag(word) && argv.includes(word))),
  )
  const [longest] = found.sort((a, b) => commandWords(b).length - commandWords(a).length)
  if (longest) return longest
  const [first = '', second] = argv
  const group = groupOf(first, operations)
  const names = (group.length > 0 ? group : operations).map((operation) => commandWords(operation).join(' '))
  if (group.length === 0) {
    const all = [...names, ...OWN_COMMANDS.map(({ name }) => name), 'completion']
    if (first === '') throw new UsageError('The command is missing.', listCommands(all, 'ambit'))
    const meant = [...new Set([...all, 'help'].map((name) => name.split(' ')[0] ?? name))]
    throw new UsageError(`There is no command "${first}".`, suggestCommand(first, meant) ?? listCommands(all, 'ambit'))
  }
  const isBare = second === undefined || second.startsWith('-')
  if (isBare)
    throw new UsageError(`"${first}" is only the beginning of a command.`, listCommands(names, `ambit ${first}`))
  const hint = suggestCommand(second, names) ?? listCommands(names, `ambit ${first}`)
  throw new UsageError(`There is no command "${first} ${second}".`, hint)
}

function listCommands(names: readonly string[], command: string): string {
  return `Commands: ${names.join(', ')}. See ${command} --help.`
}

/** The one whose last word this nearly is; undefined where it is none. Two letters are near to anything short. */
function suggestCommand(word: string, names: readonly string[]): string | undefined {
  const meant = new Map(names.map((name) => [name.split(' ').at(-1) ?? name, name]))
  const [near] = word.length < 3 ? [] : nearest(word, [...meant.keys()], 1)
  return near === undefined ? undefined : `Did you mean "${meant.get(near)}"?`
}

/** The operations whose commands begin with a word and have more words: those of `collection`, of `context`. */
export function groupOf(word: string, operations: readonly AnyOperation[]): readonly AnyOperation[] {
  return operations.filter((operation) => {
    const [first, ...more] = commandWords(operation)
    return first === word && more.some((each) => !isFlag(each))
  })
}

/** The words by which a command line names an operation: `collection`, `add`. */
export function commandWords({ name, command = name.replaceAll('.', ' ') }: AnyOperation): readonly string[] {
  return command.split(' ')
}

/** Whether a word of a command may stand anywhere: `doctor --repair`. */
export function isFlag(word: string): boolean {
  return word.startsWith('--')
}

/** What follows the words of a command. */
function after(given: readonly string[], words: readonly string[]): readonly string[] {
  return given
    .slice(words.filter((word) => !isFlag(word)).length)
    .filter((word) => !isFlag(word) || !words.includes(word))
}

type Values = Record<string, unknown>

function parseCommandArgs(given: readonly string[], properties: Properties, operation: AnyOperation) {
  const options = { ...parseArgsOptions(properties), ...ownOptions(operation) }
  const args = joinNegatives(given, options)
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      allowNegative: true,
      strict: true,
    })
    return { values: { ...values } as Values, positionals }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const command = `ambit ${commandWords(operation).join(' ')}`
    const hint = operation.positional ? dashHint(command, error, args) : ''
    throw new UsageError(firstSentence(error.message), `${hint}See ${command} --help.`)
  }
}

/** A number below 0 behind an option that takes a value is that value: `--budget -5` as `--budget=-5`. */
function joinNegatives(args: readonly string[], options: NonNullable<ParseArgsConfig['options']>): string[] {
  const taking = Object.entries(options).flatMap(([name, { type, short }]) =>
    type === 'string' ? [`--${name}`, ...(short === undefined ? [] : [`-${short}`])] : [],
  )
  const end = args.indexOf('--')
  const isValue = (at: number) =>
    (end < 0 || at < end) && /^-[\d.]+$/.test(args[at] ?? '') && taking.includes(args[at - 1] ?? '')
  return args.flatMap((word, at) => {
    if (isValue(at)) return []
    if (!isValue(at + 1)) return [word]
    return [`${word}${word.startsWith('--') ? '=' : ''}${args[at + 1]}`]
  })
}

/** What begins with a dash is taken for an option: how it is written where it is none. `''` for another error. */
function dashHint(command: string, { message }: TypeError, args: readonly string[]): string {
  const [, option] = /^Unknown option '(--?[^']+)'/.exec(message) ?? []
  const word = option === undefined ? undefined : args.find((each) => isWrittenIn(option, each))
  if (word === undefined) return ''
  const shown = /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
  return `If it is no option, put -- before it: ${command} -- ${shown}. `
}

/** `-t` is written in `-timeout`, too. */
function isWrittenIn(option: string, word: string): boolean {
  if (option.startsWith('--')) return word === option || word.startsWith(`${option}=`)
  return /^-[^-]/.test(word) && word.includes(option.slice(1))
}

function firstSentence(message: string): string {
  return message.split(/\.\s|\n/)[0]?.replace(/\.?$/, '.') ?? message
}

type Properties = Readonly<Record<string, JsonSchema>>

function parseArgsOptions(properties: Properties): NonNullable<ParseArgsConfig['options']> {
  const options = Object.entries(properties).map(([name, { type, short }]) => {
    const option =
      type === 'boolean' ? { type: 'boolean' as const } : { type: 'string' as const, multiple: type === 'array' }
    return [kebab(name), short === undefined ? option : { ...option, short }] as const
  })
  return Object.fromEntries(options)
}

/** `whyNot` → `why-not`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function camel(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function namePositionals(operation: AnyOperation, positionals: readonly string[]): Values {
  const { properties = {}, required = [] } = operation.input.json()
  const names = operation.positional ?? []
  const last = names.at(-1) ?? ''
  const isList = properties[last]?.type === 'array'
  if (!isList && positionals.length > names.length) throw tooManyWords(positionals[names.length] ?? '', names)
  // The last is the one that must be there: the others are left out first.
  const skipped = required.includes(last) ? Math.max(0, names.length - positionals.length) : 0
  const taken = names.slice(skipped)
  const values = taken.map((name, index) => [
    name,
    isList && name === last ? positionals.slice(index) : positionals[index],
  ])
  return Object.fromEntries(
    values.filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  )
}

function tooManyWords(word: string, names: readonly string[]): UsageError {
  const usage =
    names.length === 0
      ? 'It takes no argument.'
      : `It takes one ${names.map((name) => name.toUpperCase()).join(' and one ')}.`
  return new UsageError(`"${word}" is one argument too many.`, usage)
}

function typedOptions(options: Values, properties: Properties): Values {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [camel(name), typedBy(properties[camel(name)], value, name)]),
  )
}

/** A word as the schema's type; a number that is none is a usage error, and never a guess. */
function typedBy(schema: JsonSchema | undefined, value: unknown, name: string): unknown {
  if (schema?.type === 'number' && Number.isFinite(Number(value)) && value !== '') return Number(value)
  if (schema?.type === 'number')
    throw new UsageError(`--${name} is "${value}", and must be a number.`, 'For example: 0.5.')
  if (schema?.type !== 'integer') return value
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return Number(value)
  throw new UsageError(`--${name} is "${value}", and must be a whole number.`, `For example: --${name} 4000.`)
}

function parseInput(operation: AnyOperation, input: Values): Values {
  try {
    return operation.input.parse(input) as Values
  } catch (error) {
    if (!(error instanceof ContextError)) throw error
    const hint = `See ambit ${commandWords(operation).join(' ')} --help.`
    throw new UsageError(asWritten(error.message, operation), hint)
  }
}

/** `minScore must be …` → `--min-score must be …`; an input without a flag is named as help names it. */
function asWritten(message: string, { input, positional = [] }: AnyOperation): string {
  const [name = ''] = message.split(' ', 1)
  if (!Object.hasOwn(input.json().properties ?? {}, name)) return message
  const word = positional.includes(name) ? name.toUpperCase() : `--${kebab(name)}`
  const rest = message.slice(name.length)
  // `--format json` is taken everywhere.
  return `${word}${name === 'format' ? rest.replace(/\.$/, ', json.') : rest}`
}
