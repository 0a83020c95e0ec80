import { BUILT_IN_MODEL } from '../../core/choices.ts'
import { UsageError } from '../../core/errors.ts'
import { SILENT } from '../../core/flow.ts'
import type { Input, NameKind } from '../../core/input.ts'
import type { Engine } from '../../engine/engine.ts'
import type { AnyCommand } from '../../operations/index.ts'
import { oneLine } from '../../text/controls.ts'
import { flagsOf } from './arguments.ts'
import { commandWords, flagCommands, isFlag } from './command.ts'
import { commandLineOptions } from './help.ts'

/** The completion script for a shell, made from the list of commands. */
export function completion([shell = '']: readonly string[], commands: readonly AnyCommand[]): string {
  const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
  if (write) return write(firstsOf(completedCommands(commands)))
  const hint = 'For example: ambit completion bash'
  throw new UsageError(`There is no completion for "${shell}"; shells are ${Object.keys(SHELLS).join(', ')}.`, hint)
}

/** The operations that list names, with the part of their answers, and the keys of a name and its description. */
const LISTS: Readonly<
  Record<NameKind, { readonly operation: string; readonly part: string; readonly keys: readonly string[] }>
> = {
  collections: { operation: 'collections.list', part: 'collections', keys: ['name', 'root'] },
  sessions: { operation: 'research.list', part: 'sessions', keys: ['session_id', 'question'] },
  conversations: { operation: 'conversations.list', part: 'conversations', keys: ['id', 'title'] },
  models: { operation: 'conversations.list', part: 'conversations', keys: ['model'] },
}

/**
 * What is there of a kind, for a shell: a line each, with a tab before what is said of it. Models are the one that is set, those that
 * answered before, and the one that is always there.
 *
 * @throws UsageError for what is no kind.
 */
export async function completedNames(kind: string, commands: readonly AnyCommand[], engine: Engine): Promise<string> {
  const list = Object.hasOwn(LISTS, kind) ? LISTS[kind as NameKind] : undefined
  const operation = commands.find(({ name }) => name === list?.operation)
  if (!list || !operation || 'holds' in operation)
    throw new UsageError(
      `There are names of ${Object.keys(LISTS).join(', ')}, not of "${kind}".`,
      'See ambit completion --help.',
    )
  const answer = Object(await operation.run(engine, operation.input.parse({}), SILENT))
  const rows: readonly unknown[] = answer[list.part] ?? []
  const lines = rows.map((row) => list.keys.map((key) => oneLine(String(Object(row)[key] ?? ''))).join('\t'))
  const { model } = engine.config
  const set = kind === 'models' ? [...(model ? [`${model.provider}/${model.model}`] : []), BUILT_IN_MODEL] : []
  return [...new Set([...set, ...lines])]
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
    .join('')
}

interface Option {
  /** With dashes. */
  readonly flag: string
  readonly about: string
  readonly values?: readonly string[]
  /** Asked of the program when it is completed. */
  readonly names?: NameKind | undefined
}

interface CompletedCommand {
  readonly words: readonly string[]
  readonly summary: string
  readonly options: readonly Option[]
  /** What its words without a flag name. */
  readonly names?: NameKind | undefined
}

/** The first word of a command, or of several: `load`, `collection`. */
interface First {
  readonly word: string
  readonly summary: string
  /** Of a command of one word. */
  readonly options: readonly Option[]
  readonly names?: NameKind | undefined
  /** The second words, where there are such. */
  readonly seconds: readonly (Omit<CompletedCommand, 'words'> & { readonly word: string })[]
}

function completedCommands(commands: readonly AnyCommand[]): CompletedCommand[] {
  return commands
    .filter((command) => !commandWords(command).some(isFlag))
    .map((command) => {
      const words = commandWords(command)
      const { summary, input, positional = [] } = command
      const inputs = Object.entries(input.fields).filter(([name]) => !positional.includes(name))
      const options = inputs.flatMap(([name, field]) => completedOption(name, field))
      const names = positional.map((name) => nameKindOf(input.fields[name])).find((kind) => kind !== undefined)
      return { words, summary, names, options: [...options, ...flagOptions(words, commands), ...ownCompleted(command)] }
    })
}

function completedOption(name: string, field: Input): Option[] {
  const [own] = flagsOf(name, field)
  if (own === undefined) return []
  const isOff = field.is === 'flag' && field.default === true && !own.startsWith('no-')
  const values = field.is === 'choice' ? { values: field.of } : {}
  return [{ flag: `--${isOff ? 'no-' : ''}${own}`, about: field.description, names: nameKindOf(field), ...values }]
}

function nameKindOf(field: Input | undefined): NameKind | undefined {
  return field && 'names' in field ? field.names : undefined
}

/** `--db PATH` of help is completed as `--db`. */
function ownCompleted(command: AnyCommand): Option[] {
  return commandLineOptions(command).map(([usage, about]) => ({
    flag: usage.replace(/ .*/, ''),
    about: withSmallLetter(about),
  }))
}

function withSmallLetter(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

function flagOptions(words: readonly string[], commands: readonly AnyCommand[]): Option[] {
  return flagCommands(words, commands).map((command) => ({
    flag: commandWords(command).find(isFlag) ?? '',
    about: command.summary,
  }))
}

function firstsOf(commands: readonly CompletedCommand[]): First[] {
  const groups = Map.groupBy(commands, ({ words: [word = ''] }) => word)
  return [...groups].map(([word, group]) => {
    const seconds = group.flatMap(({ words: [, second], ...rest }) =>
      second === undefined ? [] : [{ ...rest, word: second }],
    )
    // `research` is a command, and the first word of others.
    const own = group.find(({ words }) => words.length === 1)
    const summary = own?.summary ?? seconds.map((second) => second.word).join(', ')
    return { word, summary, options: own?.options ?? [], names: own?.names, seconds }
  })
}

/** Commands by the words that a shell sees of them: `load`, `collection add`. */
function whole(firsts: readonly First[]): (Pick<CompletedCommand, 'options' | 'names'> & { readonly name: string })[] {
  return firsts.flatMap(({ word, options, names, seconds }) => [
    ...(seconds.length === 0 || options.length > 0 ? [{ name: word, options, names }] : []),
    ...seconds.map((second) => ({ name: `${word} ${second.word}`, options: second.options, names: second.names })),
  ])
}

const SHELLS: Readonly<Record<string, (firsts: readonly First[]) => string>> = {
  bash: (firsts) => `# bash completion for ambit
_ambit_names() {
  COMPREPLY=($(compgen -W "$(ambit completion names "$1" 2>/dev/null | cut -f 1)" -- "$word"))
}
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
  case "$command" in
${whole(firsts).flatMap(nameCase).join('')}  esac
  [ "\${#COMPREPLY[@]}" -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _ambit ambit
`,
  zsh: (firsts) => `#compdef ambit
# zsh completion for ambit
_ambit_names() {
  local -a found
  found=("\${(@f)$(ambit completion names $1 2>/dev/null | sed -e 's/:/\\\\:/g' -e 's/\t/:/')}")
  _describe $1 found
}
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
      case "\${COMP_WORDS[2]}" in ${seconds.map((second) => second.word).join('|')}) command="$command \${COMP_WORDS[2]}" ;; esac ;;
`,
  ]
}

function valueCases({ name, options }: ReturnType<typeof whole>[number]): string[] {
  return options.flatMap(({ flag, values, names }) => {
    if (names) return [`    "${name} ${flag}") _ambit_names ${names}; return ;;\n`]
    return values
      ? [`    "${name} ${flag}") COMPREPLY=($(compgen -W "${values.join(' ')}" -- "$word")); return ;;\n`]
      : []
  })
}

function flagCase({ name, options }: ReturnType<typeof whole>[number]): string {
  const flags = options.map(({ flag }) => flag).join(' ')
  return `      "${name}") COMPREPLY=($(compgen -W "${flags}" -- "$word")) ;;\n`
}

function nameCase({ name, names }: ReturnType<typeof whole>[number]): string[] {
  return names ? [`    "${name}") _ambit_names ${names} ;;\n`] : []
}

function completionLine({ word, summary }: { readonly word: string; readonly summary: string }): string {
  return `      ${quoteWord(`${word}:${summary}`)}\n`
}

function zshCase({ word, options, names, seconds }: First): string {
  if (seconds.length === 0) return `    ${word}) ${zshArguments(options, names)} ;;\n`
  const cases = seconds.map(
    (second) =>
      `        ${second.word}) shift words; (( CURRENT-- )); ${zshArguments(second.options, second.names)} ;;\n`,
  )
  return `    ${word})
      if (( CURRENT == 3 )) && [[ $words[3] != -* ]]; then
        local commands=(
${seconds.map(completionLine).join('')}        )
        _describe command commands
        return
      fi
      case "$words[3]" in
${cases.join('')}${options.length > 0 ? `        *) ${zshArguments(options, names)} ;;\n` : ''}      esac ;;
`
}

function zshArguments(options: readonly Option[], names: NameKind | undefined): string {
  const specs = options.map((option) =>
    quoteWord(`${option.flag}[${option.about.replace(/[[\]:]/g, '')}]${zshValues(option)}`),
  )
  return `_arguments ${specs.join(' ')} '*:${names ? `${names}: _ambit_names ${names}` : 'place:_files'}'`
}

function zshValues({ values, names }: Option): string {
  if (names) return `:${names}: _ambit_names ${names}`
  return values ? `:value:(${values.join(' ')})` : ''
}

function fishLines({ word, summary, options, names, seconds }: First): string {
  const seen = `__fish_seen_subcommand_from ${word}`
  const own = `complete -c ambit -n __fish_use_subcommand -a ${word} -d ${quoteWord(summary)}\n`
  const others = seconds.map((second) => {
    const isOpen = `${seen}; and not __fish_seen_subcommand_from ${wordList(seconds)}`
    const offered = `complete -c ambit -n '${isOpen}' -a ${second.word} -d ${quoteWord(second.summary)}\n`
    const condition = `${seen}; and __fish_seen_subcommand_from ${second.word}`
    return offered + fishNames(condition, second.names) + fishOptions(condition, second.options)
  })
  return own + fishNames(seen, names) + fishOptions(seen, options) + others.join('')
}

function fishNames(condition: string, names: NameKind | undefined): string {
  return names ? `complete -c ambit -n '${condition}' -f -a '(ambit completion names ${names} 2>/dev/null)'\n` : ''
}

function fishOptions(condition: string, options: readonly Option[]): string {
  const lines = options.map(({ flag, about, values, names }) => {
    const offered = names ? `(ambit completion names ${names} 2>/dev/null)` : values?.join(' ')
    const choices = offered === undefined ? '' : ` -x -a ${quoteWord(offered)}`
    return `complete -c ambit -n '${condition}' -l ${flag.slice(2)}${choices} -d ${quoteWord(about)}\n`
  })
  return lines.join('')
}

function quoteWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
