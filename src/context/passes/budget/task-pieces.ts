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
  return ranked
    .map(({ at, score }) => ({ at, score: score + SECTION_SHARE * ((best.get(sectionOf(at)) ?? 0) - score) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .flatMap(({ at }): TaskPiece[] => {
      const found = candidates[at]
      return found ? [{ file: found.at, pieces: fromBlockStart(found.file, found.piece) }] : []
    })
}

/** A piece of a long block reads on from those before it. */
function fromBlockStart({ pieces }: LadderFile, piece: number): number[] {
  const first = pieces[piece]?.blockStart ?? piece
  return Array.from({ length: piece - first + 1 }, (_, at) => first + at)
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
  return { kind, start, end, text: text.slice(start, end), trail, line: 0, lead: '', block: '', title }
}
