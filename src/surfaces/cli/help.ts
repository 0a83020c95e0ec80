import type { JsonSchema } from '../../core/operation.ts'
import type { AnyOperation } from '../../operations/index.ts'
import { kebab, operationOf } from './command.ts'
import { type Look, type Style, styleOf } from './style.ts'
import { table } from './table.ts'

/** The help for what the words name: a command, or the program. */
export function help(argv: readonly string[], operations: readonly AnyOperation[], look: Look): string {
  const style = styleOf(look)
  const words = argv.filter((word) => !word.startsWith('-') && word !== 'help')
  if (words[0] === 'completion') return COMPLETION
  return words.length === 0 ? programHelp(operations, style) : commandHelp(operationOf(words, operations), style)
}

function programHelp(operations: readonly AnyOperation[], style: Style): string {
  const rows = operations.map(({ name, summary }) => [name.replaceAll('.', ' '), summary] as const)
  const commands = [...rows, ['completion', 'Print the completions for a shell: bash, zsh or fish'] as const]
  return `${style.bold('ambit')}: the context that applies where an agent stands, and why.

${style.bold('Usage')}
  ambit COMMAND [ARGUMENTS] [OPTIONS]

${style.bold('Commands')}
${listed(commands, style)}
${style.bold('Options of every command')}
${listed(COMMON, style)}
"ambit COMMAND --help" has the rest. A PLACE is a directory, or a file in it.
`
}

const COMMON = [
  ['--json', 'Print JSON, also for errors'],
  ['--help', 'Print help'],
  ['--version', 'Print the version'],
] as const

const COMPLETION = `Usage
  ambit completion bash|zsh|fish

Example
  ambit completion bash > ~/.local/share/bash-completion/completions/ambit
`

function commandHelp(operation: AnyOperation, style: Style): string {
  const { name, summary, positional = [], examples, input } = operation
  const { properties = {} } = input.json()
  const usage = ['ambit', ...name.split('.'), ...positional.map((each) => `[${each.toUpperCase()}]`), '[OPTIONS]']
  const options = Object.entries(properties).filter(([property]) => !positional.includes(property))
  const rows = [
    ...options.flatMap(([property, schema]) => optionRow(property, schema)),
    ...own(operation),
    ...COMMON.slice(0, 2),
  ]
  const shown = examples.flatMap(({ command, does }) => [`  ${style.dim(`# ${does}`)}`, `  ${command}`])
  return `${summary}.

${style.bold('Usage')}
  ${usage.join(' ')}

${style.bold('Options')}
${listed(rows, style)}
${style.bold(examples.length === 1 ? 'Example' : 'Examples')}
${shown.join('\n')}
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
  return [[`--${kebab(name)} ${placeholder(schema)}${json}`, `${about}${many}`]]
}

function placeholder({ enum: words, type, placeholder = 'TEXT' }: JsonSchema): string {
  if (words) return words.join('|')
  return type === 'integer' ? 'N' : placeholder
}

function listed(rows: readonly (readonly [string, string])[], style: Style): string {
  const cells = rows.map(([left, right]) => [{ text: `  ${left}`, paint: style.cyan }, { text: right }])
  return table(cells, { width: style.width })
}
