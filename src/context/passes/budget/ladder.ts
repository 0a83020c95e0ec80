import type { Fragment, Left, Selection, Step } from '../../../core/flow.ts'
import { PassageIndex } from '../../../retrieval/passages.ts'
import type { TextUnit } from '../../../retrieval/units.ts'
import type { BlockOrder } from './block-order.ts'
import { type LadderFile, type Piece, piecesOf, shownText } from './pieces.ts'

/** The versions of a selection, from bare names to whole texts: each rung shows more. Does not depend on the budget. */
export interface Ladder {
  /** Number of rungs. The last rung shows everything. */
  readonly length: number
  /** The selection that the first `rungs` rungs show. Pinned fragments are always complete. */
  upTo(rungs: number): Selection
}

/** A ladder with the costs of its rungs, so that it can be combined with another ladder. */
export interface WeighedLadder extends Ladder {
  /** Number of first rungs: in a combination, they come before the later rungs of both ladders. */
  readonly first: number
  /** Approximate tokens of each rung. */
  readonly costs: readonly number[]
}

/** A step of the ladder: some pieces of a file; without pieces, the name of the file. */
interface Rung {
  readonly file: LadderFile
  readonly pieces: readonly Piece[]
}

/** Maximum tokens of an outline, and maximum number of files with an outline. */
const OUTLINE_TOKENS = 100
const OUTLINED_FILES = 32
/** Only the first `FIRST_PART` tokens of a file over `LONG_FILE` tokens come before the bodies of other files. */
const LONG_FILE = 1024
const FIRST_PART = 512
/** A code block of more tokens comes after all bodies. */
const LARGE_PIECE = 512

/** With more than `SMALL_FILES` files, the first files with fewer tokens are shown completely before the outlines of other files. */
const SMALL_FILE = 200
const SMALL_FILES = 8
/** Tokens of the name of a file, and of the heading or element around its text. */
const NAME_TOKENS = 12

/**
 * The ladder of a selection, in this order: names; outlines of the context directory; if there are many files, the first small files, completely; outlines of other
 * files; pieces about the task; bodies by importance, only the first part of long files; large code blocks; the rest of long files; comments.
 */
export function buildLadder(selection: Selection, step: Step, orderOf: (one: Fragment) => BlockOrder): WeighedLadder {
  const { task = '' } = step.focus
  const files = selection.kept.map((one) => toLadderFile(one, { order: orderOf(one), count: step.count }))
  const [contextDirOutlines, otherOutlines] = outlinesOf(files)
  const names = files.filter(({ fragment }) => !fragment.pinned).map((file): Rung => ({ file, pieces: [] }))
  const first = [...names, ...contextDirOutlines]
  const others = [...smallFileRungs(files), ...otherOutlines, ...orderByTask(files, task), ...bodyRungs(files)]
  const rungs = withoutRepeats([...first, ...others])
  return {
    length: rungs.length,
    first: first.length,
    costs: rungs.map(({ pieces }) => (pieces.length === 0 ? NAME_TOKENS : tokensOf(pieces))),
    upTo: (length) => selectRungs(selection, files, rungs.slice(0, length)),
  }
}

function tokensOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** Drops rungs that show nothing new: a piece about the task is also a piece of the body of its file. */
function withoutRepeats(rungs: readonly Rung[]): Rung[] {
  const marked = new Set<Piece>()
  return rungs.filter(({ pieces }) => {
    const isNew = pieces.length === 0 || pieces.some((piece) => !marked.has(piece))
    for (const piece of pieces) markWithHeadings(marked, piece)
    return isNew
  })
}

function toLadderFile(fragment: Fragment, options: Parameters<typeof piecesOf>[1]): LadderFile {
  const { order } = options
  if (fragment.pinned) return { fragment, order, pieces: [], importance: [] }
  const { pieces, importance } = piecesOf(fragment, options)
  return { fragment, order, pieces, importance: [...importance, ...bareHeadings(pieces)] }
}

/** Headings without pieces below them. Other headings are shown with their pieces. */
function bareHeadings(pieces: readonly Piece[]): Piece[] {
  const above = new Set(pieces.map(({ heading }) => heading))
  return pieces.filter((piece) => piece.kind === 'heading' && !above.has(piece))
}

/** The rungs that show the headings of files: first of the context directory, second of other files. */
function outlinesOf(files: readonly LadderFile[]): readonly [Rung[], Rung[]] {
  const outlined = files.filter(({ fragment }) => !fragment.pinned).slice(0, OUTLINED_FILES)
  const rungs = outlined.map((file): Rung => {
    const headings = file.pieces.filter(({ kind }) => kind === 'heading')
    return { file, pieces: splitAtTokens(headings, OUTLINE_TOKENS)[0] }
  })
  const isInContextDir = ({ file }: Rung) => file.fragment.scope === 'context-dir'
  const shown = rungs.filter(({ pieces }) => pieces.length > 0)
  return [shown.filter(isInContextDir), shown.filter((rung) => !isInContextDir(rung))]
}

function smallFileRungs(files: readonly LadderFile[]): Rung[] {
  if (files.length <= SMALL_FILES) return []
  return files.slice(0, SMALL_FILES).flatMap((file): Rung[] => {
    if (tokensOf(file.pieces) > SMALL_FILE) return []
    return file.importance.filter(({ isComment }) => !isComment).map((piece) => ({ file, pieces: [piece] }))
  })
}

function bodyRungs(files: readonly LadderFile[]): Rung[] {
  const bodyParts = files.map((file) => ({ file, ...splitBody(file) }))
  const rungs = (part: keyof ReturnType<typeof splitBody>) =>
    bodyParts.flatMap(({ file, [part]: pieces }) => pieces.map((piece): Rung => ({ file, pieces: [piece] })))
  return [...rungs('first'), ...rungs('large'), ...rungs('rest'), ...rungs('comments')]
}

/** The pieces of a file's body: `first` come before the large code blocks of all files, `rest` after them. */
function splitBody({ pieces, importance }: LadderFile) {
  const isLarge = ({ kind, tokens }: Piece) => kind === 'whole' && tokens > LARGE_PIECE
  const shown = importance.filter(({ isComment }) => !isComment)
  const small = shown.filter((piece) => !isLarge(piece))
  const [first, rest] = splitAtTokens(small, tokensOf(pieces) > LONG_FILE ? FIRST_PART : Number.POSITIVE_INFINITY)
  return { first, large: shown.filter(isLarge), rest, comments: importance.filter(({ isComment }) => isComment) }
}

/** Splits pieces into the longest prefix of at most `maxTokens`, and the rest. */
function splitAtTokens(pieces: readonly Piece[], maxTokens: number): [readonly Piece[], readonly Piece[]] {
  let sum = 0
  for (const [end, { tokens }] of pieces.entries()) {
    sum += tokens
    if (sum > maxTokens) return [pieces.slice(0, end), pieces.slice(end)]
  }
  return [pieces, []]
}

function selectRungs(selection: Selection, files: readonly LadderFile[], rungs: readonly Rung[]): Selection {
  const shown = new Set(rungs.map(({ file }) => file))
  const marked = new Set<Piece>()
  for (const { pieces } of rungs) for (const piece of pieces) markWithHeadings(marked, piece)
  const kept: Fragment[] = []
  const left: Left[] = [...selection.left]
  for (const file of files) {
    const { pinned, origin, title } = file.fragment
    if (pinned) kept.push(file.fragment)
    else if (shown.has(file)) kept.push(cutTo(file, marked))
    else left.push({ origin, title, why: 'over-budget', detail: 'Its name alone exceeds the budget.' })
  }
  return { ...selection, kept, left }
}

function markWithHeadings(marked: Set<Piece>, piece: Piece): void {
  for (let at: Piece | undefined = piece; at && !marked.has(at); at = at.heading) marked.add(at)
}

function cutTo({ fragment, pieces }: LadderFile, marked: ReadonlySet<Piece>): Fragment {
  if (pieces.every((piece) => marked.has(piece))) return fragment
  const hasBody = pieces.some((piece) => piece.kind !== 'heading' && marked.has(piece))
  const cut = { to: hasBody ? 'part' : 'outline', why: 'over-budget' } as const
  return { ...fragment, text: shownText(fragment.text, pieces, marked), cut }
}

/** Raises the score of a piece by a share of its distance to the section's best score. Chosen on the tuning half. */
const SECTION_SHARE = 0.3

const DONE_ITEM = /^\s*[-*+] \[[xX]\]/

/** The pieces about the task and the pieces beside them in their sections, the best first; without completed tasks. */
function orderByTask(files: readonly LadderFile[], task: string): Rung[] {
  if (task.trim() === '') return []
  const candidates = files.flatMap((file) => piecesToRank(file).map((piece) => ({ file, piece })))
  const ranked = new PassageIndex(candidates.map(toUnit)).rank(task).flatMap(({ at, score }) => {
    const candidate = candidates[at]
    return candidate ? [{ ...candidate, at, score, section: candidate.piece.heading ?? candidate.file }] : []
  })
  const bestScores = new Map<Piece | LadderFile, number>()
  for (const { section, score } of ranked) bestScores.set(section, Math.max(score, bestScores.get(section) ?? 0))
  // How many pieces of each block were added. No piece is added twice.
  const addedCounts = new Map<readonly Piece[], number>()
  return ranked
    .map((one) => ({ ...one, score: one.score + SECTION_SHARE * ((bestScores.get(one.section) ?? 0) - one.score) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .flatMap(({ file, piece: { block, position } }): Rung[] => {
      const from = addedCounts.get(block) ?? 0
      if (from > position) return []
      addedCounts.set(block, position + 1)
      return [{ file, pieces: block.slice(from, position + 1) }]
    })
}

function piecesToRank({ fragment, order, pieces }: LadderFile): Piece[] {
  return pieces.filter(({ kind, isComment, start, end }) => {
    const isDone = order === 'open-first' && DONE_ITEM.test(fragment.text.slice(start, end))
    return kind !== 'heading' && !isComment && !isDone
  })
}

function toUnit({ file, piece }: { readonly file: LadderFile; readonly piece: Piece }): TextUnit {
  const { text, title } = file.fragment
  const { start, end } = piece
  const trail: string[] = []
  for (let at = piece.heading; at; at = at.heading) trail.unshift(text.slice(at.start, at.end).trim())
  return { kind: 'paragraph', start, end, text: text.slice(start, end), trail, line: 0, lead: '', title }
}
