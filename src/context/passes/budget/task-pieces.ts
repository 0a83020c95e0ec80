/** Which pieces of all files speak of the task: the same ranking as that of passages everywhere. */

import { PassageIndex } from '../../../retrieval/passages.ts'
import type { TextUnit } from '../../../retrieval/units.ts'
import type { LadderFile } from './pieces.ts'

/** What the best piece of a section counts for each of its pieces: what stands beside an answer belongs to it. Tuning half. */
const SECTION_SHARE = 0.3

const DONE = /^\s*[-*+] \[[xX]\]/

interface TaskPiece {
  readonly file: number
  readonly pieces: readonly number[]
}

/** The pieces that speak of the task, and those of the same sections, the best first. What is done stays behind what is open. */
export function orderByTask(files: readonly LadderFile[], task: string): TaskPiece[] {
  if (task.trim() === '') return []
  const candidates = files.flatMap((file, at) => piecesToRank(file).map((piece) => ({ file, at, piece })))
  const index = new PassageIndex(candidates.map(({ file, piece }) => toUnit(file, piece)))
  const sectionOf = (at: number) => {
    const { file, at: number = 0, piece = 0 } = candidates[at] ?? {}
    return `${number} ${file?.pieces[piece]?.heading}`
  }
  const ranked = index.rank(task)
  const best = new Map<string, number>()
  for (const { at, score } of ranked) best.set(sectionOf(at), Math.max(score, best.get(sectionOf(at)) ?? 0))
  const reading = new BlockReading()
  return ranked
    .map(({ at, score }) => ({ at, score: score + SECTION_SHARE * ((best.get(sectionOf(at)) ?? 0) - score) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .flatMap(({ at }): TaskPiece[] => {
      const found = candidates[at]
      const pieces = found ? reading.upTo(found) : []
      return found && pieces.length > 0 ? [{ file: found.at, pieces }] : []
    })
}

/** A piece of a long block reads on from those before it. Each is given once: a block may have very many. */
class BlockReading {
  /** The piece that is given last of each block, by file and first piece. */
  readonly #last = new Map<string, number>()

  upTo({ file, at, piece }: { readonly file: LadderFile; readonly at: number; readonly piece: number }): number[] {
    const first = file.pieces[piece]?.blockStart ?? piece
    const block = `${at} ${first}`
    const from = (this.#last.get(block) ?? first - 1) + 1
    if (from > piece) return []
    this.#last.set(block, piece)
    return Array.from({ length: piece - from + 1 }, (_, after) => from + after)
  }
}

function piecesToRank({ fragment, order, pieces }: LadderFile): number[] {
  return pieces.flatMap(({ kind, isComment, start, end }, index) => {
    const isDone = order === 'open-first' && DONE.test(fragment.text.slice(start, end))
    return kind === 'heading' || isComment || isDone ? [] : [index]
  })
}

function toUnit({ fragment: { text, title }, pieces }: LadderFile, piece: number): TextUnit {
  const { start = 0, end = 0 } = pieces[piece] ?? {}
  const trail: string[] = []
  for (let at = pieces[piece]?.heading ?? -1; at >= 0; at = pieces[at]?.heading ?? -1) {
    trail.unshift(text.slice(pieces[at]?.start, pieces[at]?.end).trim())
  }
  const kind = pieces[piece]?.kind === 'whole' ? 'code' : 'paragraph'
  return { kind, start, end, text: text.slice(start, end), trail, line: 0, lead: '', title }
}
