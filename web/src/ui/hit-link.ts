import { addressOf } from './markdown/ids.ts'

/** A passage that a search found. */
export interface HitPassage {
  readonly collection: string
  readonly path: string
  readonly lines: { readonly start: number; readonly end: number }
  readonly headings: readonly string[]
}

/** The passages of a search, and which of them is open: kept in the history, so that a file leads to the next one. */
export interface HitState {
  readonly hits: readonly HitPassage[]
  readonly at: number
}

/** Where a passage is shown: its lines, under their heading. */
export function hitLink({ hits, at }: HitState) {
  const { collection = '', path = '', lines, headings = [] } = hits[at] ?? {}
  return {
    to: '/browse/$collection/$',
    params: { collection, _splat: path },
    search: { lines: `${lines?.start}-${lines?.end}`, view: 'preview' } as never,
    hash: addressOf(headings.at(-1) ?? ''),
    state: { found: { hits, at } } as never,
  } as const
}
