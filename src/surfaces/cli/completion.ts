import { UsageError } from '../../core/errors.ts'
import { SILENT } from '../../core/flow.ts'
import type { Input, NameKind } from '../../core/input.ts'
import type { Engine } from '../../engine/engine.ts'
import { readAssetTexts } from '../../files/home.ts'
import type { AnyCommand } from '../../operations/index.ts'
import { commandWords } from '../../operations/schema.ts'
import { oneLine } from '../../text/controls.ts'
import { quoteShell } from '../../text/shell-quote.ts'
import { flagsOf } from './arguments.ts'
import { flagRows, isFlag } from './command.ts'
import { commandLineOptions } from './help.ts'

const SHELLS: readonly string[] = ['bash', 'zsh', 'fish']

/**
 * The completion script for a shell, made from the list of commands. Where the script offers nothing, the shell completes file
 * names. `offer.awk` prints the completions after the words `before`, one on each line, with a tab before the description. It is
 * in awk, because every system has awk.
 */
export function completion([shell = '']: readonly string[], commands: readonly AnyCommand[]): string {
  const hint = 'For example: ambit completion bash'
  if (!SHELLS.includes(shell))
    throw new UsageError(`There is no completion for "${shell}"; shells are ${SHELLS.join(', ')}.`, hint)
  const texts = readAssetTexts('completion.txt')
  const script = texts.get(shell) ?? ''
  const offer = texts.get('offer.awk')?.trimEnd() ?? ''
  const table = quoteShell(completionTable(commands))
  return script.replace('$TABLE', () => table).replace('$OFFER', () => quoteShell(offer))
}

/**
 * For each kind of names: the operation that lists the names, the field of its answer with the list, and the fields of an item
 * for the name and its description.
 */
const NAME_LISTS = {
  collections: { operation: 'collections.list', part: 'collections', keys: ['name', 'root'] },
  sessions: { operation: 'research.list', part: 'sessions', keys: ['session_id', 'question'] },
  conversations: { operation: 'conversations.list', part: 'conversations', keys: ['id', 'title'] },
  models: { operation: 'conversations.list', part: 'conversations', keys: ['model'] },
} as const satisfies Readonly<Record<NameKind, object>>

/**
 * Names of a kind, for a shell: one on each line, with a tab before the description. Models are the offered models and the models
 * of earlier conversations.
 *
 * @throws UsageError for an unknown kind.
 */
export async function completedNames(kind: string, commands: readonly AnyCommand[], engine: Engine): Promise<string> {
  const list = Object.hasOwn(NAME_LISTS, kind) ? NAME_LISTS[kind as NameKind] : undefined
  const operation = commands.find(({ name }) => name === list?.operation)
  if (!list || !operation || 'holds' in operation)
    throw new UsageError(
      `There are names of ${Object.keys(NAME_LISTS).join(', ')}, not of "${kind}".`,
      'See ambit completion --help.',
    )
  const answer = Object(await operation.run(engine, operation.input.parse({}), SILENT))
  const rows: readonly unknown[] = answer[list.part] ?? []
  const lines = rows.map((row) => list.keys.map((key) => oneLine(String(Object(row)[key] ?? ''))).join('\t'))
  const names = new Set([...(kind === 'models' ? engine.offeredModels() : []), ...lines])
  names.delete('')
  return [...names].map((line) => `${line}\n`).join('')
}

/**
 * The table of completions, one on each line, with four columns separated by tabs: the words of the command before the
 * completion; the completed word, or `*` for any word; the values that may follow the word, or `@` and a kind of names; and its
 * description.
 */
function completionTable(commands: readonly AnyCommand[]): string {
  const commandsWithoutFlag = commands.filter((command) => !commandWords(command).some(isFlag))
  const groups = Map.groupBy(commandsWithoutFlag, (command) => commandWords(command)[0] ?? '')
  const firstWordRows = [...groups].map(([word, group]) => {
    const singleWordCommand = group.find((command) => commandWords(command).length === 1)
    return ['', word, '', singleWordCommand?.summary ?? group.map((command) => commandWords(command)[1]).join(', ')]
  })
  const rows = [
    ...firstWordRows,
    ['', 'completion', '', 'Print the completions for a shell'],
    ['', '--help', '', 'Print help'],
    ['', '--version', '', 'Print the version'],
    ...SHELLS.map((shell) => ['completion', shell, '', '']),
    ...commandsWithoutFlag.flatMap((command) => commandRows(command, commands)),
  ]
  return rows.map((row) => `${row.join('\t')}\n`).join('')
}

function commandRows(command: AnyCommand, commands: readonly AnyCommand[]): (readonly string[])[] {
  const words = commandWords(command)
  const [line, [first = '', second]] = [words.join(' '), words]
  const { summary, input, positional = [] } = command
  const options = Object.entries(input.fields).flatMap(([name, field]) => {
    if (positional.includes(name)) return nameKindOf(field) ? [[line, '*', valuesOf(field), '']] : []
    const [flag] = flagsOf(name, field)
    const isOff = field.is === 'flag' && field.default === true && !flag?.startsWith('no-')
    return flag === undefined ? [] : [[line, `--${isOff ? 'no-' : ''}${flag}`, valuesOf(field), field.description]]
  })
  return [
    ...(second === undefined ? [] : [[first, second, '', summary]]),
    ...options,
    ...flagRows(words, commands).map(([flag, about]) => [line, flag, '', about]),
    // Help has `--db PATH`; the completion is `--db`.
    ...commandLineOptions(command).map(([usage, about]) => [line, usage.replace(/ .*/, ''), '', about]),
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
