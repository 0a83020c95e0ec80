import type { JsonSchema } from '../../core/operation.ts'
import type { AnyOperation } from '../../operations/index.ts'
import { commandWords, groupOf, kebab, operationOf } from './command.ts'
import { OWN_COMMANDS } from './own-commands.ts'
import { type Look, type Style, styleOf, table } from './table.ts'

/** The help for what the words name: a command, or the program. */
export function help(argv: readonly string[], operations: readonly AnyOperation[], look: Look): string {
  const style = styleOf(look)
  const words = argv.filter((word) => !word.startsWith('-') && word !== 'help')
  if (words[0] === 'completion') return COMPLETION
  const own = OWN_COMMANDS.find(({ name }) => name === words[0])
  const isOperation = operations.some((operation) => commandWords(operation).join(' ') === words.slice(0, 2).join(' '))
  if (own && !isOperation) return ownHelp(own, style)
  if (words.length === 0) return programHelp(operations, style)
  const [word = '', second = ''] = words
  const group = groupOf(word, operations)
  const isWhole = group.length === 0 || group.some((operation) => commandWords(operation)[1] === second)
  const asked = argv.filter((each) => each !== 'help')
  return isWhole ? commandHelp(operationOf(asked, operations), style) : groupHelp(word, group, style)
}

/** The help for the first word of several commands. */
function groupHelp(word: string, group: readonly AnyOperation[], style: Style): string {
  const rows = group.map((operation) => [commandWords(operation).join(' '), operation.summary] as const)
  return `${style.bold('Usage')}
  ambit ${word} COMMAND [ARGUMENTS] [OPTIONS]

${style.bold('Commands')}
${helpTable(rows, style)}
${style.bold('Options of every command')}
${helpTable(COMMON, style)}`
}

function programHelp(operations: readonly AnyOperation[], style: Style): string {
  const rows = operations.map((operation) => [commandWords(operation).join(' '), operation.summary] as const)
  const others = OWN_COMMANDS.map(({ name, summary }) => [name, summary] as const)
  const commands = [...rows, ...others, ['completion', 'Print the completions for a shell: bash, zsh or fish'] as const]
  return `${style.bold('ambit')}: the context that applies where an agent stands, and why.

${style.bold('Usage')}
  ambit COMMAND [ARGUMENTS] [OPTIONS]

${style.bold('Commands')}
${helpTable(commands, style)}
${style.bold('Options of every command')}
${helpTable([...COMMON, ['--version', 'Print the version']], style)}
"ambit COMMAND --help" has the rest. A PLACE is a directory, or a file in it.
`
}

const HELP = ['--help', 'Print help'] as const

const COMMON = [
  ['--db PATH', 'The database; default AMBIT_DB'],
  ['--json', 'Print JSON, also for errors'],
  HELP,
] as const

const COMPLETION = `Usage
  ambit completion bash|zsh|fish

Example
  ambit completion bash > ~/.local/share/bash-completion/completions/ambit
`

function commandHelp(operation: AnyOperation, style: Style): string {
  const { summary, positional = [], examples, input } = operation
  const { properties = {}, required = [] } = input.json()
  const words = positional.map((each) => argumentOf(each, properties[each], required.includes(each)))
  const usage = ['ambit', ...commandWords(operation), ...words, '[OPTIONS]']
  const options = Object.entries(properties).filter(([property]) => !positional.includes(property))
  const rows = [...options.flatMap(([property, schema]) => optionRow(property, schema)), ...own(operation), ...COMMON]
  const shown = examples.flatMap(({ command, does }) => [`  ${style.dim(`# ${does}`)}`, `  ${command}`])
  return `${summary}.

${style.bold('Usage')}
  ${usage.join(' ')}

${style.bold('Options')}
${helpTable(rows, style)}
${style.bold(examples.length === 1 ? 'Example' : 'Examples')}
${shown.join('\n')}
`
}

function argumentOf(name: string, schema: JsonSchema | undefined, isRequired: boolean): string {
  const word = `${name.toUpperCase()}${schema?.type === 'array' ? '…' : ''}`
  return isRequired ? word : `[${word}]`
}

function ownHelp(command: (typeof OWN_COMMANDS)[number], style: Style): string {
  const { name, summary, options, example } = command
  const words = 'words' in command ? `${command.words} ` : ''
  const rows = options.map((option) => {
    return ['value' in option ? `${option.flag} ${option.value}` : option.flag, option.about] as const
  })
  return `${summary}.

${style.bold('Usage')}
  ambit ${name} ${words}[OPTIONS]

${style.bold('Options')}
${helpTable([...rows, HELP], style)}
${style.bold('Example')}
  ${example}
`
}

function own({ explained }: AnyOperation): (readonly [string, string])[] {
  return explained ? [['--explain', 'Draw what was kept, cut and left, on stderr']] : []
}

function optionRow(name: string, schema: JsonSchema): (readonly [string, string])[] {
  const { description = '', type, default: preset } = schema
  const about = description.charAt(0).toUpperCase() + description.slice(1)
  if (type === 'boolean')
    return [
      [
        preset === true ? `--no-${kebab(name)}` : `--${kebab(name)}`,
        preset === true ? `Without ${description}` : about,
      ],
    ]
  const many = type === 'array' ? '; may be given again' : ''
  const json = name === 'format' ? '|json' : ''
  const short = schema.short === undefined ? '' : `-${schema.short}, `
  return [[`${short}--${kebab(name)} ${placeholder(schema)}${json}`, `${about}${many}`]]
}

function placeholder({ enum: words, type, placeholder = 'TEXT' }: JsonSchema): string {
  if (words) return words.join('|')
  return type === 'integer' ? 'N' : placeholder
}

function helpTable(rows: readonly (readonly [string, string])[], style: Style): string {
  const cells = rows.map(([left, right]) => [{ text: `  ${left}`, paint: style.cyan }, { text: right }])
  return table(cells, { width: style.width })
}
