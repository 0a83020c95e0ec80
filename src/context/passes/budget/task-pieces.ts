/** Which pieces of all files speak of the task: the same ranking as that of passages everywhere. */

import { PassageIndex } from '../../../retrieval/passages.ts'
import type { TextUnit } from '../../../retrieval/units.ts'
import type { LadderFile } from './pieces.ts'

/** A piece speaks of the task where it holds this share of what matters in it, and scores this part of the best. */
const LEAST_COVERAGE = 0.3
const RELATIVE_SCORE = 0.5
/** Tokens of all pieces that come before the bodies for the sake of the task. */
const MOST_TOKENS = 1024
const DONE = /^\s*[-*+] \[[xX]\]/

interface TaskPiece {
  readonly file: number
  readonly pieces: readonly number[]
}

/** The pieces that speak of the task, the best first. What is done stays behind what is open. */
export function orderByTask(files: readonly LadderFile[], task: string): TaskPiece[] {
  if (task.trim() === '') return []
  const candidates = files.flatMap((file, at) => piecesToRank(file).map((piece) => ({ file, at, piece })))
  const index = new PassageIndex(candidates.map(({ file, piece }) => toUnit(file, piece)))
  const ranked = index.rank(task)
  const best = ranked.reduce((most, { score }) => Math.max(most, score), 0)
  const chosen = ranked
    .filter(({ score, coverage }) => score > 0 && score >= best * RELATIVE_SCORE && coverage >= LEAST_COVERAGE)
    .sort((a, b) => b.score - a.score || a.at - b.at)
  let tokens = 0
  return chosen.flatMap(({ at }): TaskPiece[] => {
    const found = candidates[at]
    if (!found) return []
    const pieces = fromBlockStart(found.file, found.piece)
    tokens += pieces.reduce((sum, piece) => sum + (found.file.pieces[piece]?.tokens ?? 0), 0)
    return tokens <= MOST_TOKENS ? [{ file: found.at, pieces }] : []
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
