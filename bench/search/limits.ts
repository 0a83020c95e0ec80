import { bound, type Verdict } from '../harness.ts'
import type { Figures } from './order.ts'

/**
 * Milliseconds for 10,000 files of 40 MB in which nothing changed, on a machine of two shared cores. Memory is held to its
 * limits in the suite `program`: here, the process also holds what runs TypeScript as it is.
 */
const UNCHANGED_AT_TEN_THOUSAND = 100

/** What holds for any corpus, against FTS5 in the same run; queries are answered with snippets. */
const AGAINST_FTS5 = { build: 2.5, query: 0.8, changed: 2 } as const

/** Bytes on disk over bytes of text. */
const SIZE_OVER_TEXT = 0.9

export const GROWTH = { build: 1.15, words: 1, sentence: 1 } as const

/** Sizes that the absolute limits are for. */
function isTenThousand(documents: number): boolean {
  return documents > 8000 && documents < 12_000
}

export interface Measured {
  readonly name: string
  readonly figures: Figures
  readonly textBytes: number
}

export function verdictsOf({ name, figures, textBytes }: Measured, baseline: Figures): Verdict[] {
  const { built, asked } = figures
  const times = (value: number, of: number, limit: number) => [value / of, { unit: '×', limit }] as const
  const rows = [
    ['index, over FTS5', ...times(built.time, baseline.built.time, AGAINST_FTS5.build)],
    ['size, over the text', ...times(built.size, textBytes, SIZE_OVER_TEXT)],
    ['words p50, over FTS5', ...times(asked.words.p50, baseline.asked.words.p50, AGAINST_FTS5.query)],
    ['sentences p50, over FTS5', ...times(asked.sentence.p50, baseline.asked.sentence.p50, AGAINST_FTS5.query)],
    ...changedRows(figures, baseline),
  ] as const
  const absolute = isTenThousand(built.documents) ? absoluteRows(figures) : []
  return [...rows, ...absolute].map(([what, value, limit]) => bound(`search: ${name}, ${what}`, value, limit))
}

function changedRows({ updated }: Figures, baseline: Figures) {
  if (!updated || !baseline.updated) return []
  const limit = { unit: '×', limit: AGAINST_FTS5.changed } as const
  return [['1 % changed, over FTS5', updated.changed / baseline.updated.changed, limit] as const]
}

function absoluteRows({ updated }: Figures) {
  const limit = { unit: 'ms', limit: UNCHANGED_AT_TEN_THOUSAND } as const
  return updated ? [['nothing changed', updated.unchanged, limit] as const] : []
}

/** How the figures grow from the smallest to the largest corpus: 1 is in proportion to the number of files. */
export interface Growth {
  readonly build: number
  readonly words: number
  readonly sentence: number
}

export function growthOf(small: Figures, large: Figures): Growth {
  const files = Math.log(large.built.documents / small.built.documents)
  const exponent = (of: (figures: Figures) => number) => Math.log(of(large) / of(small)) / files
  return {
    build: exponent(({ built }) => built.time),
    words: exponent(({ asked }) => asked.words.p50),
    sentence: exponent(({ asked }) => asked.sentence.p50),
  }
}

export function growthVerdicts(name: string, growth: Growth): Verdict[] {
  const verdict = (what: string, key: keyof Growth) =>
    bound(`search: ${name}, growth of ${what}`, growth[key], { unit: 'exponent', limit: GROWTH[key] })
  return [verdict('index', 'build'), verdict('words p50', 'words'), verdict('sentences p50', 'sentence')]
}
