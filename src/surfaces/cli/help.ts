import type { Input } from '../../core/input.ts'
import type { AnyCommand } from '../../operations/index.ts'
import { commandWords } from '../../operations/schema.ts'
import { flagsOf } from './arguments.ts'
import { familyOf, findCommand, flagRows, normalizeWords } from './command.ts'
import { type DisplayTraits, type Style, styleOf, table } from './table.ts'

/** First words of commands by topic, in the order of help. */
const COMMAND_GROUPS: Readonly<Record<string, string>> = {
  Context: 'load task explain check diff context',
  Agents: 'init hook sync mcp',
  Search: 'collection index indexing watch embed search get multi-get ls browse',
  'Ask and research': 'ask chat conversation research',
  'Data packages': 'package',
  Server: 'serve token settings',
  Upkeep: 'doctor status migrate export import completion demo',
}

/** Summaries of command families: commands that share a first word. */
export const FAMILY_SUMMARIES: Readonly<Record<string, string>> = {
  context: 'Path contexts: say what a folder is for',
  collection: 'Collections: folders and buckets that you search',
  indexing: 'Indexing in the background, on a server',
  conversation: 'Saved conversations with the assistant',
  research: 'Research a question in your files and the web, and write a report with its sources',
  package: 'Quilt packages in folders and buckets: read, verify, get and push them',
  token: 'Access tokens of the server',
  settings: 'Models, keys and web search',
}

/** The help for the command that the words name; without a command, the help for the program. */
export function help(argv: readonly string[], commands: readonly AnyCommand[], display: DisplayTraits): string {
  const style = styleOf(display)
  const typedWords = argv.filter((word) => word !== 'help')
  const words = normalizeWords(typedWords, commands)
  const [word, second = ''] = words.filter((each) => !each.startsWith('-'))
  if (word === 'completion') return COMPLETION_HELP
  if (word === undefined) return programHelp(commands, style)
  const group = familyOf(word, commands)
  const isCommand = commands.some((command) => commandWords(command).join(' ') === word)
  const hasSecond = group.some((command) => commandWords(command)[1] === second)
  return isCommand || hasSecond || group.length === 0
    ? commandHelp(findCommand(words, commands), commands, style)
    : groupHelp(word, group, style)
}

/** The help for a family: a word with which several commands begin. */
function groupHelp(word: string, group: readonly AnyCommand[], style: Style): string {
  const rows = group.map((command) => [commandWords(command).join(' '), command.summary] as const)
  return `${style.bold('Usage')}
  ambit ${word} COMMAND [ARGUMENTS] [OPTIONS]

${style.bold('Commands')}
${helpTable(rows, style)}
${style.bold('Options of every command')}
${helpTable(COMMON_OPTIONS, style)}`
}

function programHelp(commands: readonly AnyCommand[], style: Style): string {
  const groups = Object.entries(COMMAND_GROUPS).map(([title, words]) => ({ title, rows: groupRows(words, commands) }))
  const width = Math.max(...groups.flatMap(({ rows }) => rows.map(([words]) => words.length)))
  const tables = groups.map(({ title, rows }) => {
    const padded = rows.map(([words, summary]) => [words.padEnd(width), summary] as const)
    return `${style.bold(title)}\n${helpTable(padded, style)}`
  })
  return `${style.bold('ambit')}: the context that applies where an agent works, and why.

${style.bold('Usage')}
  ambit COMMAND [ARGUMENTS] [OPTIONS]

${tables.join('\n')}
${style.bold('Options of every command')}
${helpTable([...COMMON_OPTIONS, ['-v, --version', 'Print the version']], style)}
Run "ambit COMMAND --help" for the arguments, options and examples of a command.
`
}

/** A row for each first word. A family of commands has one row with its second words. */
function groupRows(words: string, commands: readonly AnyCommand[]): readonly (readonly [string, string])[] {
  return words.split(' ').map((word) => {
    if (word === 'completion') return [word, 'Print the shell completion for bash, zsh or fish'] as const
    const about = Object.hasOwn(FAMILY_SUMMARIES, word) ? FAMILY_SUMMARIES[word] : undefined
    if (about === undefined) return [word, findCommand([word], commands).summary] as const
    const secondWords = familyOf(word, commands).map((command) => commandWords(command)[1])
    return [`${word} …`, `${about} (${secondWords.join(', ')})`] as const
  })
}

const HELP_OPTION = ['--help', 'Print help'] as const

const EXPLAIN_OPTION = ['--explain', 'Draw what was kept, cut and left, on stderr'] as const

const DB_OPTION = ['--db PATH', 'The database; default AMBIT_DB'] as const

const COMMON_OPTIONS = [DB_OPTION, ['--json', 'Print JSON, also for errors'], HELP_OPTION] as const

const COMPLETION_HELP = `Usage
  ambit completion bash|zsh|fish

Example
  ambit completion bash > ~/.local/share/bash-completion/completions/ambit
`

function commandHelp(command: AnyCommand, commands: readonly AnyCommand[], style: Style): string {
  const { summary, positional = [], examples, input } = command
  const words = positional.map((each) => argumentOf(each, input.fields[each]))
  const usage = ['ambit', ...commandWords(command), ...words, '[OPTIONS]']
  const argumentRows = positional.flatMap((name) => argumentRow(name, input.fields[name]))
  const options = Object.entries(input.fields).filter(([name]) => !positional.includes(name))
  const flags = flagRows(commandWords(command), commands)
  const rows = [...options.flatMap(([name, field]) => optionRow(name, field)), ...flags, ...commandLineOptions(command)]
  const exampleLines = Object.entries(examples).flatMap(([line, text]) => [`  ${style.dim(`# ${text}`)}`, `  ${line}`])
  return `${summary}.

${style.bold('Usage')}
  ${usage.join(' ')}

${argumentRows.length === 0 ? '' : `${style.bold('Arguments')}\n${helpTable(argumentRows, style)}\n`}${style.bold('Options')}
${helpTable(rows, style)}
${style.bold(exampleLines.length === 2 ? 'Example' : 'Examples')}
${exampleLines.join('\n')}
`
}

function argumentOf(name: string, field: Input | undefined): string {
  const word = `${name.toUpperCase()}${field && 'list' in field ? '…' : ''}`
  return field?.required ? word : `[${word}]`
}

function argumentRow(name: string, field: Input | undefined): (readonly [string, string])[] {
  return field ? [[name.toUpperCase(), describeInput(field)]] : []
}

/** The description of an input as a sentence, with its choices and its default. */
function describeInput(field: Input): string {
  const { description } = field
  const choices = field.is === 'choice' && !showsChoices(field) ? `: ${field.of.join(', ')}` : ''
  const isStated = field.is === 'flag' || field.default === undefined || /\bdefault\b/.test(description)
  const preset = isStated ? '' : `; default ${field.default}`
  return `${description.charAt(0).toUpperCase()}${description.slice(1)}${choices}${preset}`
}

/** The options that a command has in addition to its inputs, each with its description. */
export function commandLineOptions(command: AnyCommand): readonly (readonly [string, string])[] {
  if (!('holds' in command)) return command.explained ? [EXPLAIN_OPTION, ...COMMON_OPTIONS] : COMMON_OPTIONS
  if (command.isLenient) return [HELP_OPTION]
  return [DB_OPTION, ...(command.json === undefined ? [] : [['--json', command.json] as const]), HELP_OPTION]
}

function optionRow(name: string, field: Input): (readonly [string, string])[] {
  const [flag] = flagsOf(name, field)
  if (flag === undefined) return []
  const about = describeInput(field)
  if (field.is === 'flag' && field.default === true)
    return [[`--no-${flag.replace(/^no-/, '')}`, `Without ${field.description}`]]
  if (field.is === 'flag') return [[`--${flag}`, about]]
  const repeatNote = 'list' in field ? '; may be given again' : ''
  const jsonFormat = name === 'format' ? '|json' : ''
  const shortFlag = field.short === undefined ? '' : `-${field.short}, `
  return [[`${shortFlag}--${flag} ${valuePlaceholder(field)}${jsonFormat}`, `${about}${repeatNote}`]]
}

/** Maximum characters of a list of choices in place of `VALUE`. Longer lists would leave no room for the description. */
const MAX_CHOICES_LENGTH = 40

/** Whether the choices are shown in place of `VALUE`. */
function showsChoices({ placeholder, of }: Extract<Input, { readonly is: 'choice' }>): boolean {
  return placeholder === undefined && of.join('|').length <= MAX_CHOICES_LENGTH
}

function valuePlaceholder(field: Input): string {
  if (field.is === 'choice') return showsChoices(field) ? field.of.join('|') : (field.placeholder ?? 'NAME')
  return field.placeholder ?? (field.is === 'integer' || field.is === 'number' ? 'N' : 'TEXT')
}

function helpTable(rows: readonly (readonly [string, string])[], style: Style): string {
  const cells = rows.map(([left, right]) => [{ text: `  ${left}`, paint: style.cyan }, { text: right }])
  return table(cells, { width: style.width })
}
