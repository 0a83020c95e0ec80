import type { Fragment, Left, Selection, Step } from '../../../core/flow.ts'
import type { BlockOrder } from './block-order.ts'
import { type Piece, piecesOf, shownText } from './pieces.ts'

/** An order of all that can be shown, which never looks at the budget. */
export interface Ladder {
  /** How many rungs; the last one shows all. */
  readonly length: number
  /** The selection as the first `rungs` rungs show it; pinned fragments are whole on any. */
  upTo(rungs: number): Selection
}

/** One more thing to show of a file: some of its pieces, or, with none, its name. */
interface Rung {
  readonly file: number
  readonly pieces: readonly number[]
}

interface File {
  readonly fragment: Fragment
  readonly pieces: readonly Piece[]
  /** Indices of the pieces that are no headings, the most important first; then of the headings with nothing below. */
  readonly importance: readonly number[]
}

/** An outline takes no more than this of a file, and only the first files have one. */
const OUTLINE_TOKENS = 100
const OUTLINED_FILES = 32
/** Of a file over `LONG_FILE` tokens, only the first `FIRST_PART` come before the other files' bodies. */
const LONG_FILE = 1024
const FIRST_PART = 512
/** A code block over this comes after all bodies. */
const LARGE_PIECE = 512

/**
 * Names; outlines; bodies in order of importance, of a long file only its first part; large code blocks; the rest of
 * the long files.
 */
export function ladderOf(selection: Selection, step: Step, orderOf: (fragment: Fragment) => BlockOrder): Ladder {
  const { task = '' } = step.focus
  const files = selection.kept.map((fragment) =>
    toLadderFile(fragment, { order: orderOf(fragment), task, count: step.count }),
  )
  const rungs = [...names(files), ...outlines(files), ...bodies(files)]
  return { length: rungs.length, upTo: (length) => selectRungs(selection, files, rungs.slice(0, length)) }
}

function toLadderFile(fragment: Fragment, options: Parameters<typeof piecesOf>[1]): File {
  if (fragment.pinned) return { fragment, pieces: [], importance: [] }
  const { pieces, importance } = piecesOf(fragment, options)
  return { fragment, pieces, importance: [...importance, ...bareHeadings(pieces)] }
}

/** The others are shown with what stands below them. */
function bareHeadings(pieces: readonly Piece[]): number[] {
  const above = new Set(pieces.map(({ heading }) => heading))
  return pieces.flatMap(({ kind }, index) => (kind === 'heading' && !above.has(index) ? [index] : []))
}

function names(files: readonly File[]): Rung[] {
  return files.flatMap(({ fragment }, file) => (fragment.pinned ? [] : [{ file, pieces: [] }]))
}

function outlines(files: readonly File[]): Rung[] {
  const outlined = files.map((_, file) => file).filter((file) => !files[file]?.fragment.pinned)
  return outlined.slice(0, OUTLINED_FILES).flatMap((file) => {
    const pieces = files[file]?.pieces ?? []
    const headings = pieces.flatMap((piece, index) => (piece.kind === 'heading' ? [index] : []))
    const [outline] = splitAtTokens(headings, pieces, OUTLINE_TOKENS)
    return outline.length > 0 ? [{ file, pieces: outline }] : []
  })
}

function bodies(files: readonly File[]): Rung[] {
  const parts = files.map(splitBody)
  const rungs = (part: keyof BodySplit) =>
    parts.flatMap((body, file) => body[part].map((piece): Rung => ({ file, pieces: [piece] })))
  return [...rungs('first'), ...rungs('large'), ...rungs('rest')]
}

/** The pieces of a file's body that come before, with and after the large code blocks of all files. */
interface BodySplit {
  readonly first: readonly number[]
  readonly large: readonly number[]
  readonly rest: readonly number[]
}

function splitBody({ pieces, importance }: File): BodySplit {
  const isLarge = (index: number) => pieces[index]?.kind === 'whole' && pieces[index].tokens > LARGE_PIECE
  const total = pieces.reduce((sum, { tokens }) => sum + tokens, 0)
  const small = importance.filter((index) => !isLarge(index))
  const [first, rest] = splitAtTokens(small, pieces, total > LONG_FILE ? FIRST_PART : Number.POSITIVE_INFINITY)
  return { first, large: importance.filter(isLarge), rest }
}

/** The longest run of the first pieces that together take at most `tokens`, and what comes after it. */
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

function selectRungs(selection: Selection, files: readonly File[], rungs: readonly Rung[]): Selection {
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
    if (file.fragment.pinned) kept.push(file.fragment)
    else if (mark) kept.push(cutTo(file, mark))
    else left.push(leftOver(file.fragment))
  })
  return { ...selection, kept, left }
}

/** A piece is shown with the headings it stands under. */
function markWithHeadings(mark: Uint8Array, pieces: readonly Piece[], piece: number): void {
  for (let at = piece; at >= 0 && mark[at] !== 1; at = pieces[at]?.heading ?? -1) mark[at] = 1
}

function cutTo({ fragment, pieces }: File, mark: Uint8Array): Fragment {
  if (mark.every((shown) => shown === 1)) return fragment
  const hasBody = pieces.some((piece, index) => piece.kind !== 'heading' && mark[index] === 1)
  const cut = { to: hasBody ? 'part' : 'outline', why: 'over-budget' } as const
  return { ...fragment, text: shownText(fragment.text, pieces, mark), cut }
}

function leftOver({ origin, title }: Fragment): Left {
  return { origin, title, why: 'over-budget', detail: 'Not even its name fits the budget.' }
}
