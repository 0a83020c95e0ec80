import type { Input } from '../../core/input.ts'
import type { AnyCommand } from '../../operations/index.ts'
import { flagsOf } from './arguments.ts'
import { commandNamed, commandWords, groupOf } from './command.ts'
import { type Look, type Style, styleOf, table } from './table.ts'

/** The help for what the words name: a command, or the program. */
export function help(argv: readonly string[], commands: readonly AnyCommand[], look: Look): string {
  const style = styleOf(look)
  const asked = argv.filter((word) => word !== 'help')
  const [word, second = ''] = asked.filter((each) => !each.startsWith('-'))
  if (word === 'completion') return COMPLETION
  if (word === undefined) return programHelp(commands, style)
  const group = groupOf(word, commands)
  const isWhole = commands.some((command) => commandWords(command).join(' ') === word)
  const hasSecond = group.some((command) => commandWords(command)[1] === second)
  return isWhole || hasSecond || group.length === 0
    ? commandHelp(commandNamed(asked, commands), style)
    : groupHelp(word, group, style)
}

/** The help for the first word of several commands. */
function groupHelp(word: string, group: readonly AnyCommand[], style: Style): string {
  const rows = group.map(helpRow)
  return `${style.bold('Usage')}
  ambit ${word} COMMAND [ARGUMENTS] [OPTIONS]

${style.bold('Commands')}
${helpTable(rows, style)}
${style.bold('Options of every command')}
${helpTable(COMMON, style)}`
}

function helpRow(command: AnyCommand): readonly [string, string] {
  return [commandWords(command).join(' '), command.summary]
}

function programHelp(commands: readonly AnyCommand[], style: Style): string {
  const rows = [
    ...commands.map(helpRow),
    ['completion', 'Print the completions for a shell: bash, zsh or fish'] as const,
  ]
  return `${style.bold('ambit')}: the context that applies where an agent stands, and why.

${style.bold('Usage')}
  ambit COMMAND [ARGUMENTS] [OPTIONS]

${style.bold('Commands')}
${helpTable(rows, style)}
${style.bold('Options of every command')}
${helpTable([...COMMON, ['--version', 'Print the version']], style)}
"ambit COMMAND --help" has the rest. A PLACE is a directory, or a file in it.
`
}

const HELP = ['--help', 'Print help'] as const

const DB = ['--db PATH', 'The database; default AMBIT_DB'] as const

const COMMON = [DB, ['--json', 'Print JSON, also for errors'], HELP] as const

const COMPLETION = `Usage
  ambit completion bash|zsh|fish

Example
  ambit completion bash > ~/.local/share/bash-completion/completions/ambit
`

function commandHelp(command: AnyCommand, style: Style): string {
  const { summary, positional = [], examples, input } = command
  const words = positional.map((each) => argumentOf(each, input.fields[each]))
  const usage = ['ambit', ...commandWords(command), ...words, '[OPTIONS]']
  const options = Object.entries(input.fields).filter(([name]) => !positional.includes(name))
  const rows = [...options.flatMap(([name, field]) => optionRow(name, field)), ...ownRows(command)]
  const shown = examples.flatMap(({ command: line, does }) => [`  ${style.dim(`# ${does}`)}`, `  ${line}`])
  return `${summary}.

${style.bold('Usage')}
  ${usage.join(' ')}

${style.bold('Options')}
${helpTable(rows, style)}
${style.bold(examples.length === 1 ? 'Example' : 'Examples')}
${shown.join('\n')}
`
}

function argumentOf(name: string, field: Input | undefined): string {
  const word = `${name.toUpperCase()}${field && 'list' in field ? '…' : ''}`
  return field?.required ? word : `[${word}]`
}

/** The options that are for the command line itself. */
function ownRows(command: AnyCommand): readonly (readonly [string, string])[] {
  if (!('holds' in command)) {
    return [
      ...(command.explained ? [['--explain', 'Draw what was kept, cut and left, on stderr'] as const] : []),
      ...COMMON,
    ]
  }
  if (command.isLenient) return [HELP]
  return [DB, ...(command.json === undefined ? [] : [['--json', command.json] as const]), HELP]
}

function optionRow(name: string, field: Input): (readonly [string, string])[] {
  const { description } = field
  const [flag] = flagsOf(name, field)
  if (flag === undefined) return []
  const words = field.is === 'choice' && field.placeholder !== undefined ? `: ${field.of.join(', ')}` : ''
  const about = `${description.charAt(0).toUpperCase()}${description.slice(1)}${words}`
  if (field.is === 'flag' && field.default === true)
    return [[`--no-${flag.replace(/^no-/, '')}`, `Without ${description}`]]
  if (field.is === 'flag') return [[`--${flag}`, about]]
  const many = 'list' in field ? '; may be given again' : ''
  const json = name === 'format' ? '|json' : ''
  const short = field.short === undefined ? '' : `-${field.short}, `
  return [[`${short}--${flag} ${placeholder(field)}${json}`, `${about}${many}`]]
}

function placeholder(field: Input): string {
  if (field.is === 'choice') return field.placeholder ?? field.of.join('|')
  return field.placeholder ?? (field.is === 'integer' || field.is === 'number' ? 'N' : 'TEXT')
}

function helpTable(rows: readonly (readonly [string, string])[], style: Style): string {
  const cells = rows.map(([left, right]) => [{ text: `  ${left}`, paint: style.cyan }, { text: right }])
  return table(cells, { width: style.width })
}
