/** Expands words of command lines, without running them. */

import { join } from 'node:path'
import type { DoubleQuotedChild, ParameterExpansionPart, ParsedScript, Word, WordPart } from 'unbash'
import { openRoot } from '../../../files/disk.ts'
import { statOf } from '../../../files/file-version.ts'
import { expandBraces, globs } from '../../../text/globs.ts'

/** A text to which a word may expand. */
export interface ShellValue {
  /** The text before the first unknown part. */
  readonly text: string
  /** `text` as a pattern, with a backslash before quoted signs. */
  readonly pattern: string
  /** Whether `pattern` has an unquoted wildcard. */
  readonly isGlob: boolean
  /** Whether an unknown part follows, such as an unset variable or the output of a command. */
  readonly isPartial: boolean
}

export interface WordScope {
  readonly home: string | undefined
  /** The text of a variable; undefined if it is unknown. */
  variable(name: string): string | undefined
  /** The output of a script; undefined if it is unknown. */
  output(script: ParsedScript | undefined): string | undefined
  parse(source: string): ParsedScript
  /** Set if a word has more texts than the limit. */
  isCut: boolean
}

/** Maximum texts to which one word expands. */
const MAX_VALUES = 512

/** Maximum parts of one word. */
const MAX_PARTS = 256

/** Maximum characters of a brace expansion, such as `{a,b}`. */
const MAX_BRACES_LENGTH = 1000

const NOTHING: ShellValue = { text: '', pattern: '', isGlob: false, isPartial: false }
/** A value that is known only when the command runs. */
export const UNKNOWN: ShellValue = { ...NOTHING, isPartial: true }

/** All texts to which a word expands: several if it has braces. */
export function expandWord(word: Word, scope: WordScope): readonly ShellValue[] {
  const parts = word.parts ?? []
  const values = parts.length === 0 ? [literalValue(word.value)] : joinParts(parts, scope)
  return /^~(\/|$)/.test(word.text) ? values.map((value) => expandHome(value, scope.home)) : values
}

/** A text without a pattern. */
export function literalValue(text: string): ShellValue {
  return { ...NOTHING, text, pattern: text.replace(/[\\*?[\]{}]/g, String.raw`\$&`) }
}

function expandHome(value: ShellValue, home: string | undefined): ShellValue {
  if (home === undefined) return UNKNOWN
  return { ...value, text: home + value.text.slice(1), pattern: literalValue(home).pattern + value.pattern.slice(1) }
}

function joinParts(parts: readonly WordPart[], scope: WordScope): readonly ShellValue[] {
  let values: readonly ShellValue[] = [NOTHING]
  if (parts.length > MAX_PARTS) return [UNKNOWN]
  for (const part of parts) {
    const partTexts = partValues(part, scope)
    values = takeValues(scope, values, (value) => partTexts.map((one) => joinValues(value, one)))
  }
  return values
}

/** The values of all items, up to the limit. */
function takeValues<One>(scope: WordScope, all: readonly One[], valuesOf: (one: One) => readonly ShellValue[]) {
  const values: ShellValue[] = []
  for (const one of all) if (values.length <= MAX_VALUES) values.push(...valuesOf(one))
  scope.isCut ||= values.length > MAX_VALUES
  return values.slice(0, MAX_VALUES)
}

function joinValues(before: ShellValue, after: ShellValue): ShellValue {
  if (before.isPartial) return before
  const isGlob = before.isGlob || after.isGlob
  return { ...after, isGlob, text: before.text + after.text, pattern: before.pattern + after.pattern }
}

function partValues(part: WordPart | DoubleQuotedChild, scope: WordScope): readonly ShellValue[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [literalValue(part.value)]
    case 'Glob':
      return [{ ...NOTHING, text: part.text, pattern: part.text, isGlob: true }]
    case 'DoubleQuoted':
    case 'LocaleString':
      return joinParts(part.parts, scope)
    case 'SimpleExpansion':
      return [valueOr(scope.variable(part.text.slice(1)))]
    case 'ParameterExpansion':
      return parameterValues(part, scope)
    case 'CommandExpansion':
      return [valueOr(scope.output(part.script))]
    case 'ProcessSubstitution':
      scope.output(part.script)
      return [UNKNOWN]
    case 'BraceExpansion':
      return braceValues(part.text, scope)
    default:
      return [UNKNOWN]
  }
}

function valueOr(text: string | undefined): ShellValue {
  return text === undefined ? UNKNOWN : literalValue(text)
}

/** Values of `${NAME}` or `${NAME:-word}`; other operations have unknown values. */
function parameterValues(part: ParameterExpansionPart, scope: WordScope): readonly ShellValue[] {
  const { parameter, prefix, index, operation } = part
  const value = scope.variable(parameter)
  if (!prefix && !index && !operation) return [valueOr(value)]
  if (prefix || index || operation?.type !== 'Default' || !/^:?[-=]$/.test(operation.operator)) return [UNKNOWN]
  return value ? [literalValue(value)] : expandWord(operation.operand, scope)
}

/** Values of `{a,b}`, in which alternatives are words, or of `{1..3}`. */
function braceValues(text: string, scope: WordScope): readonly ShellValue[] {
  const [, from, to] = /^\{(-?\d{1,9})\.\.(-?\d{1,9})\}$/.exec(text) ?? []
  if (from !== undefined && to !== undefined) return numbersBetween(Number(from), Number(to)).map(literalValue)
  const alternatives = text.length > MAX_BRACES_LENGTH ? undefined : expandBraces([...text])
  if (!alternatives) return [UNKNOWN]
  return takeValues(scope, alternatives, (one) => {
    const [statement] = scope.parse(`_ ${one.join('')}`).commands
    const word = statement?.command.type === 'Command' ? statement.command.suffix[0] : undefined
    return word?.type === 'Word' ? expandWord(word, scope) : [NOTHING]
  })
}

function numbersBetween(from: number, to: number): readonly string[] {
  const step = from <= to ? 1 : -1
  const length = Math.min(MAX_VALUES, Math.abs(to - from)) + 1
  return Array.from({ length }, (_, index) => String(from + step * index))
}

/** Maximum paths of a pattern, in the inputs of a call, and in its command lines. */
export const MAX_NAMED_PATHS = 256

/** Maximum matches beyond `MAX_NAMED_PATHS` that are counted. */
const MAX_OTHER_PATHS = 10_000

/** Matches directories that `**` does not enter. */
const SKIPPED_DIRECTORY = /^(\.|node_modules$)/

/**
 * The paths of a tree that match a shell's pattern, absolute, sorted. `**` matches directories of any depth. Empty for
 * a pattern that leads out of the tree. Adds paths beyond `MAX_NAMED_PATHS` to `place.others`, and counts down
 * `place.listings`: the number of directories that may still be listed; negative if a listing was refused.
 */
export function pathsMatching(
  pattern: string,
  place: { readonly root: string; readonly cwd: string; readonly others: Set<string>; listings: number },
): readonly string[] {
  const { root, cwd } = place
  if (place.listings < 0) return []
  const tree = openRoot(root, { unbounded: true })
  const names = pattern.split('/').filter((name) => name !== '' && name !== '.')
  const entriesOf = (directory: string) => {
    const listing = --place.listings < 0 ? undefined : tree.list(directory)
    return listing?.ok ? listing.entries : []
  }
  const paths: string[] = []
  const walk = (at: string, [name, ...rest]: readonly string[]): void => {
    if (place.others.size >= MAX_OTHER_PATHS) return
    if (name === undefined) {
      if (!statOf(at)) return
      if (paths.length < MAX_NAMED_PATHS) paths.push(at)
      else place.others.add(at)
      return
    }
    if (name === '**') {
      walk(at, rest.length > 0 ? rest : ['*'])
      for (const one of entriesOf(at))
        if (one.kind === 'directory' && !SKIPPED_DIRECTORY.test(one.name)) walk(join(at, one.name), [name, ...rest])
    } else if (!/[*?[]/.test(name.replace(/\\./g, ''))) walk(join(at, name.replace(/\\(.)/g, '$1')), rest)
    else {
      const { matches } = globs([name])
      const isShown = (entry: string) => name.startsWith('.') || !entry.startsWith('.')
      for (const one of entriesOf(at)) if (isShown(one.name) && matches(one.name)) walk(join(at, one.name), rest)
    }
  }
  walk(pattern.startsWith('/') ? '/' : cwd, names)
  return paths
}
