/** Scores the units of a file (functions, heads of classes) for a task, by the text of the file. */

import type { ParsedFile, Unit } from '../definitions.ts'
import { foldName, scanIdentifiers, termsOfWord } from '../index/identifiers.ts'
import type { TaskQuery } from '../task-query.ts'
import type { FileScore } from './file-scores.ts'
import type { FrameMention } from './task-mentions.ts'

/** Weights of the signals of a unit, chosen on the tuning set of `bench/task/`. `file`: the score of its file. */
const UNIT_WEIGHTS = { words: 5.9, names: 1.45, symbols: 0.13, phrases: 1.3, frames: 1.7, file: 5.4 }

/** Signals of a unit, each at most 1. */
type UnitSignals = Record<keyof typeof UNIT_WEIGHTS, number>

/** Weight of a name if the task contains only the words of the name, and not the name itself. */
const PARTIAL_NAME_WEIGHT = 0.6

/** Factor of units with data or inner definitions: such units change less often than functions. */
const HOLDER_FACTOR = 0.93
const HOLDER_KINDS: ReadonlySet<Unit['kind']> = new Set([
  'class',
  'enum',
  'interface',
  'macro',
  'module',
  'namespace',
  'object',
  'type',
])
/** Factor of units that define nothing. */
const UNNAMED_FACTOR = 0.87
/** Minimum lines of a constant that counts as a table of data. */
const MIN_TABLE_LINES = 60
const TABLE_FACTOR = 0.63
/** BM25 ranks long units too low. This exponent on the number of lines, from `SHORTEST` to `LONGEST`, corrects the rank. */
const LENGTH_EXPONENT = 0.108
const [SHORTEST, MIDDLE, LONGEST] = [8, 20, 60]

/** Signals of each unit of a file. `fileShare`: the score of the file, divided by the best score of a file. */
export function unitSignals(
  { lines, units }: ParsedFile,
  scored: FileScore & { readonly fileShare: number },
  query: TaskQuery,
) {
  // If the file changed after it was indexed, the indexed scores belong to other units.
  const words = scored.units.length === units.length ? scored.units : units.map(() => 0)
  const frames = query.frames.filter(({ path }) => endsWithSamePath(scored.file.path, path))
  const symbols = symbolScores(units, lines, query)
  return units.map((unit, index): UnitSignals => {
    const text = query.phrases.length === 0 ? '' : lines.slice(unit.start, unit.end).join('\n').toLowerCase()
    return {
      words: words[index] ?? 0,
      names: nameMatch(unit, query),
      symbols: symbols[index] ?? 0,
      phrases: Math.min(1, query.phrases.filter((phrase) => text.includes(phrase)).length),
      frames: Number(frames.some((frame) => isInUnit(unit, frame))),
      file: scored.fileShare,
    }
  })
}

/** The weighted sum of the signals, times the factors of the kind and the length. */
export function scoreOfUnit(signals: UnitSignals, unit: Unit): number {
  const names = Object.keys(UNIT_WEIGHTS) as (keyof UnitSignals)[]
  return names.reduce((sum, name) => sum + UNIT_WEIGHTS[name] * signals[name], 0) * shapeFactor(unit)
}

function shapeFactor({ start, end, names, kind }: Unit): number {
  const length = Math.max(SHORTEST, Math.min(LONGEST, end - start))
  const nameFactor = names.length === 0 ? UNNAMED_FACTOR : 1
  const kindFactor =
    kind === 'constant' && end - start >= MIN_TABLE_LINES ? TABLE_FACTOR : HOLDER_KINDS.has(kind) ? HOLDER_FACTOR : 1
  return (length / MIDDLE) ** LENGTH_EXPONENT * nameFactor * kindFactor
}

/** Whether two paths end in the same two segments (one without a folder). A trace has the paths of another machine. */
function endsWithSamePath(path: string, mentioned: string): boolean {
  const [own, other] = [path.split('/').slice(-2), mentioned.split('/').slice(-2)]
  const shared = Math.min(own.length, other.length)
  return own.slice(-shared).join('/') === other.slice(-shared).join('/')
}

function isInUnit({ start, end, names }: Unit, { line, name }: FrameMention): boolean {
  if (line !== undefined && line > start && line <= end) return true
  return name !== undefined && names.includes(name)
}

/** 1 if the task has a name of the unit; less if it has only words of such a name; 0 otherwise. */
function nameMatch({ names }: Unit, { identifiers, terms }: TaskQuery): number {
  let best = 0
  for (const name of names) {
    if (identifiers.has(foldName(name))) return 1
    const { parts } = termsOfWord(name)
    const share = parts.length === 0 ? 0 : parts.filter((part) => terms.has(part)).length / parts.length
    if (share > 0.5) best = Math.max(best, PARTIAL_NAME_WEIGHT * share)
  }
  return best
}

/** For each unit, the weight of the names that it shares with the task, relative to the best unit. */
function symbolScores(units: readonly Unit[], lines: readonly string[], { identifiers }: TaskQuery): number[] {
  if (identifiers.size === 0) return units.map(() => 0)
  const sums = units.map(({ start, end }) => {
    const weights = new Map<string, number>()
    scanIdentifiers(lines.slice(start, end).join('\n'), (word) => {
      const name = foldName(word)
      const identifier = identifiers.get(name)
      if (identifier) weights.set(name, identifier.weight)
    })
    return [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  })
  const highest = Math.max(...sums, 0)
  return sums.map((sum) => (highest === 0 ? 0 : sum / highest))
}
