/** Scores of the units of one file for a task, once its text is at hand. */

import type { ParsedFile, Unit } from '../definitions.ts'
import { scanIdentifiers, termsOfWord, wholeOf } from '../index/identifiers.ts'
import type { TaskQuery } from '../task-query.ts'
import type { FileScore } from './file-scores.ts'
import type { FrameMention } from './task-mentions.ts'

/** Weights of what a unit is found by; `file` is for the score of its file. Chosen on the tuning set of `bench/task/`. */
const UNIT_WEIGHTS = { words: 5.9, names: 1.45, symbols: 0.13, phrases: 1.3, frames: 1.7, file: 5.4 }

/** Signals of a unit, each at most 1. */
type UnitSignals = Record<keyof typeof UNIT_WEIGHTS, number>

/** Of a name that is not in the task but whose words are. */
const PARTLY_NAMED = 0.6

/** Units that hold data or other definitions change less often than code that acts. */
const HOLDER = 0.93
const HOLDERS: ReadonlySet<Unit['kind']> = new Set([
  'class',
  'enum',
  'interface',
  'macro',
  'module',
  'namespace',
  'object',
  'type',
])
/** Lines that define nothing. */
const LOOSE = 0.87
/** A constant of so many lines is a table of data: its words are those of records. */
const TABLE_LINES = 60
const TABLE = 0.63
/** BM25 puts long units too far behind: how much of that is taken back, by the lines of one, up to `LONGEST`. */
const LENGTH_POWER = 0.108
const [SHORTEST, MIDDLE, LONGEST] = [8, 20, 60]

/** Signals of each unit of a file. `part`: the score of the file over that of the best. */
export function unitSignals(
  { lines, units }: ParsedFile,
  scored: FileScore & { readonly part: number },
  query: TaskQuery,
) {
  // Where the file changed since it was indexed, the words belong to other units.
  const words = scored.units.length === units.length ? scored.units : units.map(() => 0)
  const frames = query.frames.filter(({ path }) => endsAlike(scored.file.path, path))
  const symbols = symbolScores(units, lines, query)
  return units.map((unit, index): UnitSignals => {
    const text = query.phrases.length === 0 ? '' : lines.slice(unit.start, unit.end).join('\n').toLowerCase()
    return {
      words: words[index] ?? 0,
      names: nameMatch(unit, query),
      symbols: symbols[index] ?? 0,
      phrases: Math.min(1, query.phrases.filter((phrase) => text.includes(phrase)).length),
      frames: Number(frames.some((frame) => isInUnit(unit, frame))),
      file: scored.part,
    }
  })
}

/** The weighted sum of the signals, times what units of its kind and length are worth. */
export function scoreOfUnit(signals: UnitSignals, unit: Unit): number {
  const names = Object.keys(UNIT_WEIGHTS) as (keyof UnitSignals)[]
  return names.reduce((sum, name) => sum + UNIT_WEIGHTS[name] * signals[name], 0) * shapeFactor(unit)
}

function shapeFactor({ start, end, names, kind }: Unit): number {
  const length = Math.max(SHORTEST, Math.min(LONGEST, end - start))
  const ofNames = names.length === 0 ? LOOSE : 1
  const ofKind = kind === 'constant' && end - start >= TABLE_LINES ? TABLE : HOLDERS.has(kind) ? HOLDER : 1
  return (length / MIDDLE) ** LENGTH_POWER * ofNames * ofKind
}

/** Whether two paths end with the same two segments, or one is the end of the other: a trace names places of another machine. */
function endsAlike(path: string, mentioned: string): boolean {
  const [own, other] = [path.split('/').slice(-2), mentioned.split('/').slice(-2)]
  const shared = Math.min(own.length, other.length)
  return own.slice(-shared).join('/') === other.slice(-shared).join('/')
}

function isInUnit({ start, end, names }: Unit, { line, name }: FrameMention): boolean {
  if (line !== undefined && line > start && line <= end) return true
  return name !== undefined && names.includes(name)
}

/** 1 for a unit whose name is in the task; less where words of it are. */
function nameMatch({ names }: Unit, { identifiers, terms }: TaskQuery): number {
  let best = 0
  for (const name of names) {
    if (identifiers.has(wholeOf(name))) return 1
    const { parts } = termsOfWord(name)
    const share = parts.length === 0 ? 0 : parts.filter((part) => terms.has(part)).length / parts.length
    if (share > 0.5) best = Math.max(best, PARTLY_NAMED * share)
  }
  return best
}

/** How much of what the task names stands in each unit; 1 for the unit that has most. */
function symbolScores(units: readonly Unit[], lines: readonly string[], { identifiers }: TaskQuery): number[] {
  if (identifiers.size === 0) return units.map(() => 0)
  const sums = units.map(({ start, end }) => {
    const found = new Set<string>()
    scanIdentifiers(lines.slice(start, end).join('\n'), (word) => {
      const key = wholeOf(word)
      if (identifiers.has(key)) found.add(key)
    })
    return [...found].reduce((sum, key) => sum + (identifiers.get(key)?.weight ?? 0), 0)
  })
  const most = Math.max(...sums, 0)
  return sums.map((sum) => (most === 0 ? 0 : sum / most))
}
