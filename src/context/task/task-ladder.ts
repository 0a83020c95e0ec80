import { type Signature, signaturesOf } from '../../code/definitions.ts'
import { type ExcerptPiece, mergeRanges, orderPieces, orderPrecisePieces } from '../../code/excerpts.ts'
import type { RankedFile } from '../../code/rank.ts'
import { type Fragment, type Left, namePass, type Pass, type Selection } from '../../core/flow.ts'
import { bytes4 } from '../../core/tokens.ts'
import { highestRung } from '../passes/budget/budget.ts'
import type { WeighedLadder } from '../passes/budget/ladder.ts'
import { type Excerpt, excerptText } from './code-fragments.ts'

/** Tokens of the name of a file with its reason, and of the heading or element around its text. */
const NAME_TOKENS = 25

/** Maximum signatures (heads of definitions) that one rung shows. */
const OUTLINE_STEP = 12

/** A step of the ladder: shows the name of a file, some of its lines, a passage, or signatures. Numbers are indices. */
type Rung =
  | { readonly name: number }
  | { readonly piece: ExcerptPiece }
  | { readonly passage: number }
  | { readonly outlined: number; readonly signatures: readonly Signature[] }

interface ShownFile {
  readonly pieces: ExcerptPiece[]
  readonly signatures: Signature[]
}

/** Options of a ladder besides the shown files. */
export interface TaskLadderOptions {
  /** Number of passages with words of the task. Default: 0. */
  readonly passages?: number | undefined
  /** Number of further passages: instructions for the shown code, without a word of the task. Default: 0. */
  readonly rules?: number | undefined
  /** Files to show only by the signatures of their definitions. Undefined: no signatures are shown. */
  readonly further?: readonly RankedFile[] | undefined
  /** Whether to show only the few definitions that fit best. Default: false. */
  readonly isPrecise?: boolean | undefined
}

/**
 * The order in which an answer for a task shows its contents: the best definition; passages of instructions; some lines
 * of many files, then more lines of the first files; passages of instructions that apply to these files; on request,
 * signatures of further definitions. The order does not depend on the budget. A precise ladder begins with the names of
 * its files.
 */
export class TaskLadder {
  readonly length: number
  /** Number of first rungs: the names at the beginning, and the best definition. */
  readonly first: number
  readonly #files: readonly RankedFile[]
  readonly #rungs: readonly Rung[]
  readonly #excerpts = new WeakMap<Fragment, Excerpt>()

  constructor(files: readonly RankedFile[], { passages = 0, rules = 0, further, isPrecise }: TaskLadderOptions = {}) {
    this.#files = [...files, ...(further ?? [])]
    const pieces = isPrecise ? orderPrecisePieces(files) : orderPieces(files)
    const names = isPrecise ? files : files.slice(0, 1)
    const [bestPiece] = pieces
    const firstOther = pieces.findIndex(({ unit }) => unit !== bestPiece?.unit)
    const leadingPieces = firstOther < 0 ? pieces.length : firstOther
    this.#rungs = [
      ...names.map((_, name) => ({ name })),
      ...pieces.slice(0, leadingPieces).map((piece) => ({ piece })),
      ...Array.from({ length: passages }, (_, passage) => ({ passage })),
      ...pieces.slice(leadingPieces).map((piece) => ({ piece })),
      ...Array.from({ length: rules }, (_, rule) => ({ passage: passages + rule })),
      ...(further ? outlineRungs(this.#files, pieces) : []),
    ]
    this.length = this.#rungs.length
    this.first = names.length + leadingPieces
  }

  /** This ladder with costs, to combine it with another ladder. Only for a ladder without passages. */
  withCosts(gathered: Selection): WeighedLadder {
    const costs = this.#rungs.map((rung) => this.#costOf(rung))
    return { length: this.length, first: this.first, costs, upTo: (rungs) => this.upTo(rungs, gathered) }
  }

  #costOf(rung: Rung): number {
    if ('outlined' in rung) return bytes4(rung.signatures.map(({ text }) => text).join('\n'))
    if (!('piece' in rung)) return NAME_TOKENS
    const { file, start, end } = rung.piece
    return bytes4(this.#files[file]?.parsed.lines.slice(start, end).join('\n') ?? '')
  }

  /** The excerpt of a fragment of this ladder; lines count from 0. */
  excerptOf(fragment: Fragment): Excerpt {
    return this.#excerpts.get(fragment) ?? { ranges: [], signatures: [] }
  }

  /** The selection of the first `rungs` rungs: code in the order of the files, then passages. */
  upTo(rungs: number, gathered: Selection): Selection {
    const shown = partsOfRungs(this.#rungs.slice(0, rungs))
    const code = gathered.kept.filter(({ kind }) => kind === 'code')
    const passages = gathered.kept.filter(({ kind }) => kind !== 'code')
    const kept = [
      ...code.flatMap((fragment, at) => {
        const file = shown.files.get(at)
        return file ? [this.#cutTo(fragment, file, at)] : []
      }),
      ...passages.filter((_, at) => shown.passages.has(at)),
    ]
    const others = [
      ...code.filter((_, at) => !shown.files.has(at)),
      ...passages.filter((_, at) => !shown.passages.has(at)),
    ]
    const left = others.map(({ origin, title }): Left => {
      return { origin, title, why: 'over-budget', detail: 'It does not fit the budget.' }
    })
    return { ...gathered, kept, left: [...gathered.left, ...left] }
  }

  #cutTo(fragment: Fragment, { pieces, signatures }: ShownFile, index: number): Fragment {
    const lines = this.#files[index]?.parsed.lines ?? []
    const ranges = mergeRanges(pieces)
    const heads = [...signatures, ...(this.#files[index] ? enclosingHeads(this.#files[index], pieces) : [])]
    const excerpt = { ranges, signatures: hiddenHeads(heads, ranges) }
    const [first] = excerpt.ranges
    const isWhole = first?.start === 0 && first.end === lines.length
    const pieceCount = this.#rungs.filter((rung) => 'piece' in rung && rung.piece.file === index).length
    const why = pieces.length < pieceCount ? 'over-budget' : 'irrelevant'
    const cut = { to: pieces.length > 0 ? 'part' : 'outline', why } as const
    const shown = isWhole ? fragment : { ...fragment, text: excerptText(lines, excerpt), cut }
    this.#excerpts.set(shown, excerpt)
    return shown
  }
}

/** The heads of the definitions around the pieces. */
function enclosingHeads({ parsed }: RankedFile, pieces: readonly ExcerptPiece[]): readonly Signature[] {
  const parents = new Set(pieces.flatMap(({ unit }) => unit.parent ?? []))
  if (parents.size === 0) return []
  const heads = signaturesOf(parsed).filter(({ name }) => parents.has(name))
  const enclosing = pieces.map(({ unit }) => heads.findLast((one) => one.name === unit.parent && one.line < unit.start))
  return enclosing.filter((head) => head !== undefined)
}

/** Each head once, in order, without heads in shown lines. */
function hiddenHeads(heads: readonly Signature[], ranges: ReturnType<typeof mergeRanges>): readonly Signature[] {
  const byLine = new Map(heads.map((head) => [head.line, head]))
  for (const { start, end } of ranges) for (let line = start; line < end; line++) byLine.delete(line)
  return [...byLine.values()].sort((a, b) => a.line - b.line)
}

/** Rungs with heads outside of the pieces: some heads of each file, then more. The most relevant heads come first. */
function outlineRungs(files: readonly RankedFile[], pieces: readonly ExcerptPiece[]): Rung[] {
  const rungs = files.flatMap(({ parsed, ranked }, file) => {
    const ranges = mergeRanges(pieces.filter((piece) => piece.file === file))
    const scoreOf = (line: number) => ranked.find(({ start, end }) => line >= start && line < end)?.score ?? 0
    const hidden = signaturesOf(parsed)
      .filter(({ line }) => !ranges.some(({ start, end }) => line >= start && line < end))
      .map((signature) => ({ signature, score: scoreOf(signature.line) }))
      .sort((a, b) => b.score - a.score || a.signature.line - b.signature.line)
      .map(({ signature }) => signature)
    return Array.from({ length: Math.ceil(hidden.length / OUTLINE_STEP) }, (_, round) => {
      return { outlined: file, round, signatures: hidden.slice(round * OUTLINE_STEP, (round + 1) * OUTLINE_STEP) }
    })
  })
  return rungs.sort((a, b) => a.round - b.round || a.outlined - b.outlined)
}

/** What some rungs show: `files`, by index, and the indices of `passages`. */
function partsOfRungs(rungs: readonly Rung[]) {
  const files = new Map<number, ShownFile>()
  const passages = new Set<number>()
  const fileAt = (file: number) => {
    const shown = files.get(file) ?? { pieces: [], signatures: [] }
    files.set(file, shown)
    return shown
  }
  for (const rung of rungs) {
    if ('name' in rung) fileAt(rung.name)
    else if ('piece' in rung) fileAt(rung.piece.file).pieces.push(rung.piece)
    else if ('outlined' in rung) fileAt(rung.outlined).signatures.push(...rung.signatures)
    else passages.add(rung.passage)
  }
  return { files, passages }
}

/** Shows as much of a ladder as fits. A larger budget never shows less. */
export function taskBudget(tokens: number, ladder: TaskLadder): Pass {
  return namePass('budget', (selection, step) => {
    const upTo = (rungs: number) => ladder.upTo(rungs, selection)
    return highestRung({ length: ladder.length, upTo }, (shown) => step.measure(shown) <= tokens)
  })
}
