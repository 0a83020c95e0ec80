import { type ExcerptLines, type ExcerptPiece, mergeRanges, orderPieces } from '../../code/excerpts.ts'
import type { RankedFile } from '../../code/rank.ts'
import type { Fragment, Left, Pass, Selection } from '../../core/flow.ts'
import { bytes4 } from '../../core/tokens.ts'
import { highestRung } from '../passes/budget/budget.ts'
import type { WeighedLadder } from '../passes/budget/ladder.ts'
import { excerptText } from './code-fragments.ts'

/** The name of a file with its reason and its frame. */
const NAME_TOKENS = 25

/** One more thing to show: the name of a file, some lines of it, or a passage. Numbers are indices. */
type Rung = { readonly name: number } | { readonly piece: ExcerptPiece } | { readonly passage: number }

/** What one step up the ladder shows: files by index with their pieces, and passages. */
interface Shown {
  readonly files: ReadonlyMap<number, readonly ExcerptPiece[]>
  readonly passages: ReadonlySet<number>
}

/**
 * The order of all that can be shown for a task: the names of the files; the best definition; passages of instructions;
 * then lines of all files in order of importance. It never looks at a budget.
 */
export class TaskLadder {
  readonly length: number
  /** Names, and the best definition. */
  readonly first: number
  readonly #files: readonly RankedFile[]
  readonly #rungs: readonly Rung[]
  readonly #lines = new WeakMap<Fragment, readonly ExcerptLines[]>()

  constructor(files: readonly RankedFile[], passages: number) {
    this.#files = files
    const pieces = orderPieces(files)
    const [best] = pieces
    const first = pieces.findIndex(({ unit }) => unit !== best?.unit)
    const ahead = first < 0 ? pieces.length : first
    this.#rungs = [
      ...files.map((_, name) => ({ name })),
      ...pieces.slice(0, ahead).map((piece) => ({ piece })),
      ...Array.from({ length: passages }, (_, passage) => ({ passage })),
      ...pieces.slice(ahead).map((piece) => ({ piece })),
    ]
    this.length = this.#rungs.length
    this.first = files.length + ahead
  }

  /** As of other ladders: for one that is climbed beside another. It has no passages. */
  over(gathered: Selection): WeighedLadder {
    const costs = this.#rungs.map((rung) => ('piece' in rung ? this.#costOf(rung.piece) : NAME_TOKENS))
    return { length: this.length, first: this.first, costs, upTo: (rungs) => this.upTo(rungs, gathered) }
  }

  #costOf({ file, start, end }: ExcerptPiece): number {
    return bytes4(this.#files[file]?.parsed.lines.slice(start, end).join('\n') ?? '')
  }

  /** The lines that a fragment of this ladder shows, from 0. */
  linesOf(fragment: Fragment): readonly ExcerptLines[] {
    return this.#lines.get(fragment) ?? []
  }

  /** What is gathered as the first `rungs` rungs show it: code in the order of the files, passages behind. */
  upTo(rungs: number, gathered: Selection): Selection {
    const shown = shownBy(this.#rungs.slice(0, rungs))
    const code = gathered.kept.filter(({ kind }) => kind === 'code')
    const passages = gathered.kept.filter(({ kind }) => kind !== 'code')
    const kept: Fragment[] = []
    const left: Left[] = [...gathered.left]
    for (const [index, fragment] of code.entries()) {
      const pieces = shown.files.get(index)
      if (pieces) kept.push(this.#cutTo(fragment, pieces, index))
      else left.push(leftOver(fragment))
    }
    for (const [index, fragment] of passages.entries()) {
      if (shown.passages.has(index)) kept.push(fragment)
      else left.push(leftOver(fragment))
    }
    return { ...gathered, kept, left }
  }

  #cutTo(fragment: Fragment, pieces: readonly ExcerptPiece[], index: number): Fragment {
    const lines = this.#files[index]?.parsed.lines ?? []
    const ranges = mergeRanges(pieces)
    const isWhole = ranges[0]?.start === 0 && ranges[0].end === lines.length
    const all = this.#rungs.filter((rung) => 'piece' in rung && rung.piece.file === index).length
    const why = pieces.length < all ? 'over-budget' : 'irrelevant'
    const cut = { to: pieces.length > 0 ? 'part' : 'outline', why } as const
    const shown = isWhole ? fragment : { ...fragment, text: excerptText(lines, ranges), cut }
    this.#lines.set(shown, ranges)
    return shown
  }
}

function shownBy(rungs: readonly Rung[]): Shown {
  const files = new Map<number, ExcerptPiece[]>()
  const passages = new Set<number>()
  for (const rung of rungs) {
    if ('name' in rung) files.set(rung.name, [])
    else if ('piece' in rung) files.get(rung.piece.file)?.push(rung.piece)
    else passages.add(rung.passage)
  }
  return { files, passages }
}

function leftOver({ origin, title }: Fragment): Left {
  return { origin, title, why: 'over-budget', detail: 'It does not fit the budget.' }
}

/** Shows as much of a ladder as fits. A larger budget never shows less of anything. */
export function taskBudget(tokens: number, ladder: TaskLadder): Pass {
  return function budget(selection, step) {
    const upTo = (rungs: number) => ladder.upTo(rungs, selection)
    const fits = (shown: Selection) => step.measure(shown) <= tokens
    const all = upTo(ladder.length)
    return fits(all) ? all : highestRung({ length: ladder.length, upTo }, fits)
  }
}
