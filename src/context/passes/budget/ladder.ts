import type { Fragment, Left, Selection, Step } from '../../../core/flow.ts'
import { PassageIndex } from '../../../retrieval/passages.ts'
import type { TextUnit } from '../../../retrieval/units.ts'
import type { BlockOrder } from './block-order.ts'
import { type LadderFile, type Piece, piecesOf, shownText } from './pieces.ts'

/** An order of everything that can be shown, independent of the budget. */
export interface Ladder {
  /** Number of rungs. The last one shows everything. */
  readonly length: number
  /** The selection of the first `rungs` rungs. Pinned fragments are complete on every rung. */
  upTo(rungs: number): Selection
}

/** A ladder with the costs of its rungs, so that it can be combined with another. */
export interface WeighedLadder extends Ladder {
  /** Number of rungs that come first, together with the first rungs of another ladder. */
  readonly first: number
  /** Approximate tokens of each rung. */
  readonly costs: readonly number[]
}

/** The next part of a file to show: some of its pieces, or its name without pieces. */
interface Rung {
  readonly file: number
  readonly pieces: readonly number[]
}

/** Maximum tokens of an outline, and the number of files with one. */
const OUTLINE_TOKENS = 100
const OUTLINED_FILES = 32
/** Only the first `FIRST_PART` tokens of a file over `LONG_FILE` tokens come before the bodies of other files. */
const LONG_FILE = 1024
const FIRST_PART = 512
/** A code block of more tokens comes after all bodies. */
const LARGE_PIECE = 512

/** With more than `SMALL_FILES` files, the first files with fewer tokens are shown completely before the outlines of others. */
const SMALL_FILE = 200
const SMALL_FILES = 8
/** Tokens of the name of a file with its frame. */
const NAME_TOKENS = 12

/**
 * The ladder of a selection, in this order: names; outlines of the context directory; if there are many files, the first small ones; outlines of other
 * files; pieces about the task; bodies by importance, only the first part of long files; large code blocks; the rest of long files; comments.
 */
export function buildLadder(selection: Selection, step: Step, orderOf: (one: Fragment) => BlockOrder): WeighedLadder {
  const { task = '' } = step.focus
  const files = selection.kept.map((one) => toLadderFile(one, { order: orderOf(one), count: step.count }))
  const [ownOutlines, otherOutlines] = outlines(files)
  const names = files.flatMap(({ fragment }, file): Rung[] => (fragment.pinned ? [] : [{ file, pieces: [] }]))
  const first = [...names, ...ownOutlines]
  const allRungs = [...first, ...smallFiles(files), ...otherOutlines, ...orderByTask(files, task), ...bodies(files)]
  const rungs = withoutRepeats(allRungs, files)
  return {
    length: rungs.length,
    first: first.length,
    costs: rungs.map(({ file, pieces }) => costOf(files[file], pieces)),
    upTo: (length) => selectRungs(selection, files, rungs.slice(0, length)),
  }
}

/** Drops rungs that add nothing: pieces about the task occur again in their body. */
function withoutRepeats(rungs: readonly Rung[], files: readonly LadderFile[]): Rung[] {
  const marks = files.map(({ pieces }) => new Uint8Array(pieces.length))
  return rungs.filter(({ file, pieces }) => {
    const fileMarks = marks[file] ?? new Uint8Array(0)
    const isNew = pieces.length === 0 || pieces.some((piece) => fileMarks[piece] !== 1)
    for (const piece of pieces) markWithHeadings(fileMarks, files[file]?.pieces ?? [], piece)
    return isNew
  })
}

function costOf(file: LadderFile | undefined, pieces: readonly number[]): number {
  return pieces.reduce((sum, piece) => sum + (file?.pieces[piece]?.tokens ?? 0), pieces.length === 0 ? NAME_TOKENS : 0)
}

function toLadderFile(fragment: Fragment, options: Parameters<typeof piecesOf>[1]): LadderFile {
  const { order } = options
  if (fragment.pinned) return { fragment, order, pieces: [], importance: [] }
  const { pieces, importance } = piecesOf(fragment, options)
  return { fragment, order, pieces, importance: [...importance, ...bareHeadings(pieces)] }
}

/** Headings without pieces below them. Others are shown with their pieces. */
function bareHeadings(pieces: readonly Piece[]): number[] {
  const above = new Set(pieces.map(({ heading }) => heading))
  return pieces.flatMap(({ kind }, index) => (kind === 'heading' && !above.has(index) ? [index] : []))
}

/** Outlines of the context directory, and of the other files. */
function outlines(files: readonly LadderFile[]): readonly [Rung[], Rung[]] {
  const outlined = [...files.entries()].filter(([, { fragment }]) => !fragment.pinned).slice(0, OUTLINED_FILES)
  const rungs = outlined.map(([file, { pieces }]): Rung => {
    const headings = pieces.flatMap((piece, index) => (piece.kind === 'heading' ? [index] : []))
    return { file, pieces: splitAtTokens(headings, pieces, OUTLINE_TOKENS)[0] }
  })
  const isOwn = ({ file }: Rung) => files[file]?.fragment.scope === 'context-dir'
  const shown = rungs.filter(({ pieces }) => pieces.length > 0)
  return [shown.filter(isOwn), shown.filter((rung) => !isOwn(rung))]
}

function smallFiles(files: readonly LadderFile[]): Rung[] {
  if (files.length <= SMALL_FILES) return []
  return files.slice(0, SMALL_FILES).flatMap(({ pieces, importance }, file): Rung[] => {
    const total = pieces.reduce((sum, { tokens }) => sum + tokens, 0)
    const shown = importance.filter((piece) => !pieces[piece]?.isComment)
    return total <= SMALL_FILE ? shown.map((piece) => ({ file, pieces: [piece] })) : []
  })
}

function bodies(files: readonly LadderFile[]): Rung[] {
  const parts = files.map(splitBody)
  const rungs = (part: keyof ReturnType<typeof splitBody>) =>
    parts.flatMap((body, file) => body[part].map((piece): Rung => ({ file, pieces: [piece] })))
  return [...rungs('first'), ...rungs('large'), ...rungs('rest'), ...rungs('comments')]
}

/** The pieces of a file's body that come before, with and after the large code blocks of all files. */
function splitBody({ pieces, importance }: LadderFile) {
  const isComment = (index: number) => pieces[index]?.isComment === true
  const isLarge = (index: number) => pieces[index]?.kind === 'whole' && pieces[index].tokens > LARGE_PIECE
  const total = pieces.reduce((sum, { tokens }) => sum + tokens, 0)
  const shown = importance.filter((index) => !isComment(index))
  const small = shown.filter((index) => !isLarge(index))
  const [first, rest] = splitAtTokens(small, pieces, total > LONG_FILE ? FIRST_PART : Number.POSITIVE_INFINITY)
  return { first, large: shown.filter(isLarge), rest, comments: importance.filter(isComment) }
}

/** Splits pieces into the longest prefix of at most `tokens`, and the rest. */
function splitAtTokens(indices: readonly number[], pieces: readonly Piece[], tokens: number): [number[], number[]] {
  let sum = 0
  let end = 0
  while (end < indices.length) {
    sum += pieces[indices[end] ?? 0]?.tokens ?? 0
    if (sum > tokens) break
    end += 1
  }
  return [indices.slice(0, end), indices.slice(end)]
}

function selectRungs(selection: Selection, files: readonly LadderFile[], rungs: readonly Rung[]): Selection {
  const marks = new Map<number, Uint8Array>()
  for (const { file, pieces } of rungs) {
    const mark = marks.get(file) ?? new Uint8Array(files[file]?.pieces.length ?? 0)
    for (const piece of pieces) markWithHeadings(mark, files[file]?.pieces ?? [], piece)
    marks.set(file, mark)
  }
  const kept: Fragment[] = []
  const left: Left[] = [...selection.left]
  files.forEach((file, index) => {
    const mark = marks.get(index)
    const { pinned, origin, title } = file.fragment
    if (pinned) kept.push(file.fragment)
    else if (mark) kept.push(cutTo(file, mark))
    else left.push({ origin, title, why: 'over-budget', detail: 'Its name alone exceeds the budget.' })
  })
  return { ...selection, kept, left }
}

function markWithHeadings(mark: Uint8Array, pieces: readonly Piece[], piece: number): void {
  for (let at = piece; at >= 0 && mark[at] !== 1; at = pieces[at]?.heading ?? -1) mark[at] = 1
}

function cutTo({ fragment, pieces }: LadderFile, mark: Uint8Array): Fragment {
  if (mark.every((shown) => shown === 1)) return fragment
  const hasBody = pieces.some((piece, index) => piece.kind !== 'heading' && mark[index] === 1)
  const cut = { to: hasBody ? 'part' : 'outline', why: 'over-budget' } as const
  return { ...fragment, text: shownText(fragment.text, pieces, mark), cut }
}

/** Share of a piece's score that the other pieces of its section get, because they belong together. Chosen on the tuning half. */
const SECTION_SHARE = 0.3

const DONE_ITEM = /^\s*[-*+] \[[xX]\]/

/** The pieces about the task and other pieces of their sections, the best first. Completed items stay after open ones. */
function orderByTask(files: readonly LadderFile[], task: string): Rung[] {
  if (task.trim() === '') return []
  const candidates = files.flatMap((file, at) => piecesToRank(file).map((piece) => ({ file, at, piece })))
  const index = new PassageIndex(candidates.map(({ file, piece }) => toUnit(file, piece)))
  const sectionOf = (at: number) => {
    const { file, at: fileIndex = 0, piece = 0 } = candidates[at] ?? {}
    return `${fileIndex} ${file?.pieces[piece]?.heading}`
  }
  const ranked = index.rank(task)
  const bestScores = new Map<string, number>()
  for (const { at, score } of ranked) bestScores.set(sectionOf(at), Math.max(score, bestScores.get(sectionOf(at)) ?? 0))
  // The last added piece of each block, by file and first piece: each is added once, because a block may have many.
  const lastPiece = new Map<string, number>()
  return ranked
    .map(({ at, score }) => ({ at, score: score + SECTION_SHARE * ((bestScores.get(sectionOf(at)) ?? 0) - score) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .flatMap((ranked): Rung[] => {
      const { file, at = 0, piece = 0 } = candidates[ranked.at] ?? {}
      const first = file?.pieces[piece]?.blockStart ?? piece
      const from = (lastPiece.get(`${at} ${first}`) ?? first - 1) + 1
      if (from > piece) return []
      lastPiece.set(`${at} ${first}`, piece)
      return [{ file: at, pieces: Array.from({ length: piece - from + 1 }, (_, after) => from + after) }]
    })
}

function piecesToRank({ fragment, order, pieces }: LadderFile): number[] {
  return pieces.flatMap(({ kind, isComment, start, end }, index) => {
    const isDone = order === 'open-first' && DONE_ITEM.test(fragment.text.slice(start, end))
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
