import { browseAt } from '../api/place.ts'
import { fragmentOf } from './markdown/ids.ts'

/** Lines, passages and front matter of texts. */

/** The first and the last line, from 1. */
export interface Lines {
  readonly from: number
  readonly to: number
}

/** Parses `10` or `10-20`; undefined for any other text. */
export function linesOf(text = ''): Lines | undefined {
  const [, from, to] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? []
  return from === undefined ? undefined : { from: Number(from), to: Number(to ?? from) }
}

/** Converts `L10`, `L10-L20` or `L10-20`, which code hosts write after `#`, for `linesOf`. */
export function linesInHash(hash: string): string | undefined {
  const [, from, to] = /^L(\d{1,9})(?:C\d{1,9})?(?:-L?(\d{1,9})(?:C\d{1,9})?)?$/.exec(hash) ?? []
  return from === undefined ? undefined : `${from}-${to ?? from}`
}

export interface HitPassage {
  readonly collection: string
  readonly path: string
  readonly lines: { readonly start: number; readonly end: number }
  readonly headings: readonly string[]
}

/** The passages of a search, and the open one. The history keeps them, so that a file can link to the next passage. */
export interface HitState {
  readonly hits: readonly HitPassage[]
  /** Index of the open passage. */
  readonly at: number
}

/** Link to a passage: its lines, under their heading. */
export function hitLink({ hits, at }: HitState) {
  const { collection = '', path = '', lines, headings = [] } = hits[at] ?? {}
  return {
    ...browseAt(collection, path),
    search: { lines: `${lines?.start}-${lines?.end}`, view: 'preview' } as never,
    hash: fragmentOf(headings.at(-1) ?? ''),
    state: { found: { hits, at } } as never,
  } as const
}

/** Splits a text into its front matter, without the fences, and the body after it. */
export function withoutFrontMatter(text: string): { readonly front: string; readonly body: string } {
  const [whole = '', front = ''] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)(?:\r?\n|$)/.exec(text) ?? []
  return { front, body: text.slice(whole.length) }
}
