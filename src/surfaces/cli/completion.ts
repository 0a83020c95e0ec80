import type { AnyOperation } from '../../operations/index.ts'
import { kebab, UsageError } from './command.ts'
import { SERVERS } from './servers.ts'

/** The completion script for a shell, made from the list of operations. */
export function completion([shell = '']: readonly string[], operations: readonly AnyOperation[]): string {
  const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
  if (write) return write(wordsOf(operations))
  const hint = 'For example: ambit completion bash'
  throw new UsageError(`There are completions for ${Object.keys(SHELLS).join(', ')}, not for "${shell}".`, hint)
}

interface CommandWords {
  readonly name: string
  readonly summary: string
  /** With dashes. */
  readonly options: readonly { readonly flag: string; readonly about: string; readonly values?: readonly string[] }[]
}

function wordsOf(operations: readonly AnyOperation[]): CommandWords[] {
  const help = { flag: '--help', about: 'print help' }
  const servers = SERVERS.map(({ name, summary, options }) => ({ name, summary, options: [...options, help] }))
  const commands = operations.map(({ name, summary, input, positional = [] }) => {
    const properties = Object.entries(input.json().properties ?? {}).filter(
      ([property]) => !positional.includes(property),
    )
    const options = properties.map(([property, { type, default: preset, description = '', enum: values }]) => ({
      flag: type === 'boolean' && preset === true ? `--no-${kebab(property)}` : `--${kebab(property)}`,
      about: description,
      ...(values && { values: values.map(String) }),
    }))
    return {
      name,
      summary,
      options: [...options, { flag: '--json', about: 'print JSON' }, help],
    }
  })
  return [...commands, ...servers]
}

const SHELLS: Readonly<Record<string, (commands: readonly CommandWords[]) => string>> = {
  bash: (commands) => `# bash completion for ambit
_ambit() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} completion --help --version" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]} $previous" in
${commands.flatMap(valueCases).join('')}  esac
  if [[ $word == -* ]]; then
    case "\${COMP_WORDS[1]}" in
${commands.map(({ name, options }) => `      ${name}) COMPREPLY=($(compgen -W "${options.map(({ flag }) => flag).join(' ')}" -- "$word")) ;;\n`).join('')}    esac
    return
  fi
  COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _ambit ambit
`,
  zsh: (commands) => `#compdef ambit
# zsh completion for ambit
_ambit() {
  if (( CURRENT == 2 )); then
    local commands=(
${commands.map(({ name, summary }) => `      ${quoted(`${name}:${summary}`)}\n`).join('')}      'completion:Print the completions for a shell'
    )
    _describe command commands
    return
  fi
  case "$words[2]" in
${commands.map(zshCase).join('')}    completion) _values shell bash zsh fish ;;
  esac
}
_ambit "$@"
`,
  fish: (commands) => `# fish completion for ambit
complete -c ambit -n __fish_use_subcommand -a completion -d 'Print the completions for a shell'
${commands.map(fishLines).join('')}`,
}

function valueCases({ name, options }: CommandWords): string[] {
  return options.flatMap(({ flag, values }) =>
    values ? [`    "${name} ${flag}") COMPREPLY=($(compgen -W "${values.join(' ')}" -- "$word")); return ;;\n`] : [],
  )
}

function zshCase({ name, options }: CommandWords): string {
  const specs = options.map(({ flag, about, values }) =>
    quoted(`${flag}[${about.replace(/[[\]:]/g, '')}]${values ? `:value:(${values.join(' ')})` : ''}`),
  )
  return `    ${name}) _arguments ${specs.join(' ')} '*:place:_files' ;;\n`
}

function fishLines({ name, summary, options }: CommandWords): string {
  const command = `complete -c ambit -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}\n`
  return (
    command +
    options
      .map(({ flag, about, values }) => {
        const choices = values ? ` -x -a ${quoted(values.join(' '))}` : ''
        return `complete -c ambit -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}${choices} -d ${quoted(about)}\n`
      })
      .join('')
  )
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
