import { UsageError } from '../../core/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import type { AnyCommand } from '../../operations/index.ts'
import { commandWords, OLDER_WORDS } from '../../operations/schema.ts'
import { nearest } from '../../text/nearest.ts'
import { splitOptions } from './options.ts'

/** Whether a command line asks for JSON, so that errors must be JSON, too. The command line may be invalid. */
export function wantsJson(argv: readonly string[]): boolean {
  const { options } = splitOptions(argv, { json: { type: 'boolean' }, format: { type: 'string' } })
  const isJson = options.some(({ name, value }) => name === 'json' && value === undefined)
  return isJson || options.findLast(({ name }) => name === 'format')?.value === 'json'
}

/** Splits a command line into options before the command, as in `ambit --db x.db status`, and the rest. */
export function splitGlobals(argv: readonly string[]) {
  let count = 0
  while (/^--(json|db(=.*)?)$/s.test(argv[count] ?? '')) count += argv[count] === '--db' ? 2 : 1
  return { globals: argv.slice(0, count), words: argv.slice(count) }
}

/**
 * The command that the first words name.
 *
 * @throws UsageError that lists all commands, or the commands of the family that the first word names.
 */
export function findCommand(argv: readonly string[], commands: readonly AnyCommand[]): AnyCommand {
  const matches = commands.filter((command) =>
    commandWords(command).every((word, index) => argv[index] === word || (isFlag(word) && argv.includes(word))),
  )
  const [longest] = matches.sort((a, b) => commandWords(b).length - commandWords(a).length)
  if (longest) return longest
  const [first = '', second] = argv
  const family = familyOf(first, commands)
  const names = (family.length > 0 ? family : commands).map((command) => commandWords(command).join(' '))
  if (family.length === 0) {
    const firstWords = [...new Set([...names.map((name) => name.split(' ')[0] ?? name), 'completion', 'help'])]
    const list = listCommands(firstWords, 'ambit')
    if (first === '') throw new UsageError('The command is missing.', list)
    const hint = suggestGroups(first, names) ?? suggestCommand(first, firstWords) ?? list
    throw new UsageError(`There is no command "${first}".`, hint)
  }
  const hasNoSecondWord = second === undefined || second.startsWith('-')
  if (hasNoSecondWord) throw new UsageError(`"${first}" needs a second word.`, listCommands(names, `ambit ${first}`))
  const hint = suggestCommand(second, names) ?? listCommands(names, `ambit ${first}`)
  throw new UsageError(`There is no command "${first} ${second}".`, hint)
}

function listCommands(names: readonly string[], command: string): string {
  return `Commands: ${names.join(', ')}. See ${command} --help.`
}

/**
 * A hint with the commands whose second word is `word`, because `ambit remove` may mean several commands; undefined if there are
 * none.
 */
function suggestGroups(word: string, names: readonly string[]): string | undefined {
  const second = Object.hasOwn(OLDER_WORDS, word) ? OLDER_WORDS[word] : word
  const matches = names.filter((name) => name.split(' ')[1] === second).map((name) => `"${name}"`)
  if (matches.length === 0) return undefined
  return `Did you mean ${[matches.slice(0, -1).join(', '), matches.at(-1)].filter(Boolean).join(' or ')}?`
}

/**
 * A hint with a command whose last word is similar; undefined if there is none. Ignores words of two letters, because they are
 * similar to any short word.
 */
function suggestCommand(word: string, names: readonly string[]): string | undefined {
  const nameByWord = new Map(names.map((name) => [name.split(' ').at(-1) ?? name, name]))
  const [similarWord] = word.length < 3 ? [] : nearest(word, [...nameByWord.keys()])
  return similarWord === undefined ? undefined : `Did you mean "${nameByWord.get(similarWord)}"?`
}

/** Replaces an older second word of a command line: `context rm` becomes `context remove`. */
export function normalizeWords(words: readonly string[], commands: readonly AnyCommand[]): readonly string[] {
  const [first = '', second = '', ...rest] = words
  const current = Object.hasOwn(OLDER_WORDS, second) ? OLDER_WORDS[second] : undefined
  if (current === undefined) return words
  const secondWords = familyOf(first, commands).map((command) => commandWords(command)[1])
  return secondWords.includes(current) && !secondWords.includes(second) ? [first, current, ...rest] : words
}

/** The commands of several words whose first word is `word`, such as `collection`. */
export function familyOf(word: string, commands: readonly AnyCommand[]): readonly AnyCommand[] {
  return commands.filter((command) => {
    const [first, ...laterWords] = commandWords(command)
    return first === word && laterWords.some((each) => !isFlag(each))
  })
}

/** The commands, and the aliases that the command line names. */
export function withAliases(argv: readonly string[], commands: readonly AnyCommand[], aliases: readonly AnyCommand[]) {
  const words = splitGlobals(argv).words.filter((word, at) => at > 0 || word !== 'help')
  const aliasCommands = aliases.filter((alias) => commandWords(alias).every((word, at) => words[at] === word))
  return [...commands, ...aliasCommands]
}

/**
 * Rows for flags that select another command, such as `--repair` in `doctor --repair`: the flag, and the summary of the other
 * command.
 */
export function flagRows(words: readonly string[], commands: readonly AnyCommand[]): (readonly [string, string])[] {
  if (words.some(isFlag)) return []
  return commands.flatMap((command) => {
    const longer = commandWords(command)
    const flag = longer.find(isFlag)
    return flag !== undefined && words.every((word, at) => longer[at] === word) ? [[flag, command.summary]] : []
  })
}

/** Whether a word of a command is a flag, as in `doctor --repair`. The flag may be anywhere in the command line. */
export function isFlag(word: string): boolean {
  return word.startsWith('--')
}

/** Options that are not inputs of a command. */
export interface Flags {
  readonly json: boolean
  /** Whether to print the ledger (what was kept, cut and left out) on stderr, for commands with a ledger. */
  readonly explain: boolean
  /** The database to use instead of the configured database. */
  readonly db?: string
}

/** Opens the engine of a command. */
export type EngineOpener = (options: Pick<Flags, 'db'>) => Promise<Engine>

/** Opens an engine, uses it and closes it. */
export async function withEngine<Result>(
  open: EngineOpener,
  { db }: Pick<Flags, 'db'>,
  work: (engine: Engine) => Promise<Result>,
): Promise<Result> {
  const engine = await open(db === undefined ? {} : { db })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}
