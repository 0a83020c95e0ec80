import { UsageError } from '../../core/errors.ts'
import type { Input } from '../../core/input.ts'
import type { AnyCommand } from '../../operations/index.ts'
import { flagsOf } from './arguments.ts'
import { commandWords, isFlag } from './command.ts'

/** The completion script for a shell, made from the list of commands. */
export function completion([shell = '']: readonly string[], commands: readonly AnyCommand[]): string {
  const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
  if (write) return write(firstsOf(completedCommands(commands)))
  const hint = 'For example: ambit completion bash'
  throw new UsageError(`There are completions for ${Object.keys(SHELLS).join(', ')}, not for "${shell}".`, hint)
}

interface Option {
  /** With dashes. */
  readonly flag: string
  readonly about: string
  readonly values?: readonly string[]
}

interface CompletedCommand {
  readonly words: readonly string[]
  readonly summary: string
  readonly options: readonly Option[]
}

/** The first word of a command, or of several: `load`, `collection`. */
interface First {
  readonly word: string
  readonly summary: string
  /** Of a command of one word. */
  readonly options: readonly Option[]
  /** The second words, where there are such. */
  readonly seconds: readonly (Omit<CompletedCommand, 'words'> & { readonly word: string })[]
}

function completedCommands(commands: readonly AnyCommand[]): CompletedCommand[] {
  const flagged = commands.filter((command) => commandWords(command).some(isFlag))
  return commands
    .filter((command) => !flagged.includes(command))
    .map((command) => {
      const words = commandWords(command)
      const { summary, input, positional = [] } = command
      const inputs = Object.entries(input.fields).filter(([name]) => !positional.includes(name))
      const options = inputs.flatMap(([name, field]) => completedOption(name, field))
      return { words, summary, options: [...options, ...flagsNaming(words, flagged), ...ownCompleted(command)] }
    })
}

function completedOption(name: string, field: Input): Option[] {
  const [own] = flagsOf(name, field)
  if (own === undefined) return []
  const isOff = field.is === 'flag' && field.default === true && !own.startsWith('no-')
  const values = field.is === 'choice' ? { values: field.of } : {}
  return [{ flag: `--${isOff ? 'no-' : ''}${own}`, about: field.description, ...values }]
}

/** The options that are for the command line itself. */
function ownCompleted(command: AnyCommand): Option[] {
  const help = { flag: '--help', about: 'print help' }
  if ('holds' in command && command.isLenient) return [help]
  const hasJson = !('holds' in command) || command.json !== undefined
  const db = { flag: '--db', about: 'the database' }
  return [db, ...(hasJson ? [{ flag: '--json', about: 'print JSON' }] : []), help]
}

/** Commands that are flags of this one: of `doctor`, `doctor --repair`. */
function flagsNaming(words: readonly string[], flagged: readonly AnyCommand[]): Option[] {
  const its = flagged.filter((command) => words.every((word, at) => commandWords(command)[at] === word))
  return its.map((command) => ({ flag: commandWords(command).find(isFlag) ?? '', about: command.summary }))
}

function firstsOf(commands: readonly CompletedCommand[]): First[] {
  const groups = Map.groupBy(commands, ({ words: [word = ''] }) => word)
  return [...groups].map(([word, group]) => {
    const seconds = group.flatMap(({ words: [, second], ...rest }) =>
      second === undefined ? [] : [{ ...rest, word: second }],
    )
    const [only] = group
    if (seconds.length === 0) return { word, summary: only?.summary ?? '', options: only?.options ?? [], seconds }
    return { word, summary: seconds.map(({ word }) => word).join(', '), options: [], seconds }
  })
}

/** Commands by the words that a shell sees of them: `load`, `collection add`. */
function whole(firsts: readonly First[]): { readonly name: string; readonly options: readonly Option[] }[] {
  return firsts.flatMap(({ word, options, seconds }) =>
    seconds.length === 0
      ? [{ name: word, options }]
      : seconds.map((second) => ({ name: `${word} ${second.word}`, options: second.options })),
  )
}

const SHELLS: Readonly<Record<string, (firsts: readonly First[]) => string>> = {
  bash: (firsts) => `# bash completion for ambit
_ambit() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${wordList(firsts)} completion --help --version" -- "$word"))
    return
  fi
  case "$command" in
${firsts.flatMap(bashSeconds).join('')}  esac
  case "$command $previous" in
${whole(firsts).flatMap(valueCases).join('')}  esac
  if [[ $word == -* ]]; then
    case "$command" in
${whole(firsts).map(flagCase).join('')}    esac
    return
  fi
  COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _ambit ambit
`,
  zsh: (firsts) => `#compdef ambit
# zsh completion for ambit
_ambit() {
  if (( CURRENT == 2 )); then
    local commands=(
${firsts.map(completionLine).join('')}      'completion:Print the completions for a shell'
    )
    _describe command commands
    return
  fi
  case "$words[2]" in
${firsts.map(zshCase).join('')}    completion) _values shell bash zsh fish ;;
  esac
}
_ambit "$@"
`,
  fish: (firsts) => `# fish completion for ambit
complete -c ambit -n __fish_use_subcommand -a completion -d 'Print the completions for a shell'
${firsts.map(fishLines).join('')}`,
}

function wordList(commands: readonly { readonly word: string }[]): string {
  return commands.map(({ word }) => word).join(' ')
}

function bashSeconds({ word, seconds }: First): string[] {
  if (seconds.length === 0) return []
  return [
    `    ${word})
      if [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY=($(compgen -W "${wordList(seconds)}" -- "$word")); return; fi
      command="$command \${COMP_WORDS[2]}" ;;
`,
  ]
}

function valueCases({ name, options }: ReturnType<typeof whole>[number]): string[] {
  return options.flatMap(({ flag, values }) =>
    values ? [`    "${name} ${flag}") COMPREPLY=($(compgen -W "${values.join(' ')}" -- "$word")); return ;;\n`] : [],
  )
}

function flagCase({ name, options }: ReturnType<typeof whole>[number]): string {
  const flags = options.map(({ flag }) => flag).join(' ')
  return `      "${name}") COMPREPLY=($(compgen -W "${flags}" -- "$word")) ;;\n`
}

function completionLine({ word, summary }: { readonly word: string; readonly summary: string }): string {
  return `      ${quoteWord(`${word}:${summary}`)}\n`
}

function zshCase({ word, options, seconds }: First): string {
  if (seconds.length === 0) return `    ${word}) ${zshArguments(options)} ;;\n`
  const cases = seconds.map(
    (second) => `        ${second.word}) shift words; (( CURRENT-- )); ${zshArguments(second.options)} ;;\n`,
  )
  return `    ${word})
      if (( CURRENT == 3 )); then
        local commands=(
${seconds.map(completionLine).join('')}        )
        _describe command commands
        return
      fi
      case "$words[3]" in
${cases.join('')}      esac ;;
`
}

function zshArguments(options: readonly Option[]): string {
  const specs = options.map(({ flag, about, values }) =>
    quoteWord(`${flag}[${about.replace(/[[\]:]/g, '')}]${values ? `:value:(${values.join(' ')})` : ''}`),
  )
  return `_arguments ${specs.join(' ')} '*:place:_files'`
}

function fishLines({ word, summary, options, seconds }: First): string {
  const seen = `__fish_seen_subcommand_from ${word}`
  const own = `complete -c ambit -n __fish_use_subcommand -a ${word} -d ${quoteWord(summary)}\n`
  const others = seconds.map((second) => {
    const isOpen = `${seen}; and not __fish_seen_subcommand_from ${wordList(seconds)}`
    const offered = `complete -c ambit -n '${isOpen}' -a ${second.word} -d ${quoteWord(second.summary)}\n`
    return offered + fishOptions(`${seen}; and __fish_seen_subcommand_from ${second.word}`, second.options)
  })
  return own + fishOptions(seen, options) + others.join('')
}

function fishOptions(condition: string, options: readonly Option[]): string {
  const lines = options.map(({ flag, about, values }) => {
    const choices = values ? ` -x -a ${quoteWord(values.join(' '))}` : ''
    return `complete -c ambit -n '${condition}' -l ${flag.slice(2)}${choices} -d ${quoteWord(about)}\n`
  })
  return lines.join('')
}

function quoteWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
