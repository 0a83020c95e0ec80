import { BUILT_IN_MODEL } from '../../core/choices.ts'
import { UsageError } from '../../core/errors.ts'
import { SILENT } from '../../core/flow.ts'
import type { Input, NameKind } from '../../core/input.ts'
import type { Engine } from '../../engine/engine.ts'
import type { AnyCommand } from '../../operations/index.ts'
import { oneLine } from '../../text/controls.ts'
import { quoteShell } from '../../text/shell-quote.ts'
import { flagsOf } from './arguments.ts'
import { commandWords, flagCommands, isFlag } from './command.ts'
import { commandLineOptions } from './help.ts'

/** The completion script for a shell, made from the list of commands. */
export function completion([shell = '']: readonly string[], commands: readonly AnyCommand[]): string {
  const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
  if (write) return write(quoteShell(completionTable(commands)), quoteShell(OFFER))
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
 * Names of a kind, for a shell: a line each, with a tab before the description. The models are the configured one, those of earlier conversations,
 * and the built-in one.
 *
 * @throws UsageError for an unknown kind.
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

/**
 * The completions, a line each, with tabs between: the words of a command before it; the word, or `*` for any; the values that
 * may follow it, or `@` and a kind of names; and the description.
 */
function completionTable(commands: readonly AnyCommand[]): string {
  const named = commands.filter((command) => !commandWords(command).some(isFlag))
  const groups = Map.groupBy(named, (command) => commandWords(command)[0] ?? '')
  const firsts = [...groups].map(([word, group]) => {
    const own = group.find((command) => commandWords(command).length === 1)
    return ['', word, '', own?.summary ?? group.map((command) => commandWords(command)[1]).join(', ')]
  })
  const shells = Object.keys(SHELLS).map((shell) => ['completion', shell, '', ''])
  const rows = [
    ...firsts,
    ['', 'completion', '', 'Print the completions for a shell'],
    ['', '--help', '', 'Print help'],
    ['', '--version', '', 'Print the version'],
    ...shells,
    ...named.flatMap((command) => commandRows(command, commands)),
  ]
  return rows.map((row) => `${row.join('\t')}\n`).join('')
}

function commandRows(command: AnyCommand, commands: readonly AnyCommand[]): (readonly string[])[] {
  const words = commandWords(command)
  const [path, [first = '', second]] = [words.join(' '), words]
  const { summary, input, positional = [] } = command
  const options = Object.entries(input.fields).flatMap(([name, field]) => {
    if (positional.includes(name)) return nameKindOf(field) ? [[path, '*', valuesOf(field), '']] : []
    const [flag] = flagsOf(name, field)
    const isOff = field.is === 'flag' && field.default === true && !flag?.startsWith('no-')
    return flag === undefined ? [] : [[path, `--${isOff ? 'no-' : ''}${flag}`, valuesOf(field), field.description]]
  })
  return [
    ...(second === undefined ? [] : [[first, second, '', summary]]),
    ...options,
    ...flagCommands(words, commands).map((one) => [path, commandWords(one).find(isFlag) ?? '', '', one.summary]),
    // `--db PATH` of help is completed as `--db`.
    ...commandLineOptions(command).map(([usage, about]) => [path, usage.replace(/ .*/, ''), '', about]),
  ]
}

function nameKindOf(field: Input): NameKind | undefined {
  return 'names' in field ? field.names : undefined
}

function valuesOf(field: Input): string {
  const kind = nameKindOf(field)
  if (kind) return `@${kind}`
  return field.is === 'choice' ? field.of.join(' ') : ''
}

/** An awk program, since every system has awk. Prints the completions after the words `before`: a line each, with a tab before the description. */
const OFFER = `
function offer(values,  each, count, at) {
  if (values ~ /^@/) system("ambit completion names " substr(values, 2) " 2>/dev/null")
  count = values ~ /^@/ ? 0 : split(values, each, " ")
  for (at = 1; at <= count; at++) print each[at]
}
{ rows[NR] = $0; values[$1 FS $2] = $3 }
END {
  count = split(before, words, FS)
  for (at = 1; at <= count && words[at] !~ /^-/ && (path FS words[at]) in values; at++)
    path = path (path == "" ? "" : " ") words[at]
  last = path FS words[count]
  if (last in values && values[last] != "") { offer(values[last]); exit }
  for (at = 1; at <= NR; at++) {
    split(rows[at], row, FS)
    if (row[1] != path || (row[2] ~ /^-/) != (current ~ /^-/)) continue
    if (row[2] == "*") offer(row[3])
    else print row[2] FS row[4]
  }
}`

/** The scripts. Without a completion, the shell completes file names. */
const SHELLS: Readonly<Record<string, (table: string, offer: string) => string>> = {
  bash: (table, offer) => `# bash completion for ambit
_ambit() {
  local IFS=$'\\t' word=\${COMP_WORDS[COMP_CWORD]} offered
  local before="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  offered=$(printf '%s' ${table} | awk -F '\\t' -v before="$before" -v current="$word" ${offer} | cut -f 1)
  IFS=$'\\n'
  COMPREPLY=($(compgen -W "$offered" -- "$word"))
  [ "\${#COMPREPLY[@]}" -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _ambit ambit
`,
  zsh: (table, offer) => `#compdef ambit
# zsh completion for ambit
_ambit() {
  local before="\${(pj:\\t:)words[2,CURRENT-1]}" offered
  offered=$(printf '%s' ${table} | awk -F '\\t' -v before="$before" -v current="$words[CURRENT]" ${offer})
  local -a found
  found=("\${(@f)$(printf '%s' "$offered" | sed -e 's/:/\\\\:/g' -e 's/\t/:/')}")
  if [[ -n $offered ]]; then _describe command found; else _files; fi
}
_ambit "$@"
`,
  fish: (table, offer) => `# fish completion for ambit
function _ambit_offered
  set -l words (commandline -opc)
  set -l before (string join \\t -- $words[2..-1])
  set -l current (commandline -ct)
  printf '%s' ${table} | awk -F \\t -v "before=$before" -v "current=$current" ${offer}
end
complete -c ambit -n 'test -n "$(_ambit_offered | string collect)"' -f -a '(_ambit_offered)'
`,
}
