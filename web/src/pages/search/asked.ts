import type { Answer, Input } from '../../api/call.ts'

export type Result = Answer<'search'>['results'][number]

/** What is asked, as the address says it. */
export interface Asked {
  readonly q: string
  /** Names of collections. */
  readonly c: readonly string[]
  /** A glob of paths. */
  readonly path: string
  /** A day: what was changed then or later. */
  readonly after: string
  readonly mode: '' | 'lexical' | 'vector' | 'hybrid'
  /** How many results. */
  readonly n: string | undefined
}

/** Results at first, and more each time; and the most that there can be. */
export const RESULTS = 20
export const MOST_RESULTS = 1_000

/** Words of an address may be anything. */
export function askedIn(search: unknown): Asked {
  const { q, c, path, after, mode, n } = Object(search) as Record<string, unknown>
  return {
    q: word(q),
    c: (Array.isArray(c) ? c : [c]).map(word).filter((name) => name !== ''),
    path: word(path),
    after: /^\d{4}-\d\d-\d\d$/.test(word(after)) ? word(after) : '',
    mode: mode === 'lexical' || mode === 'vector' || mode === 'hybrid' ? mode : '',
    n: /^\d{1,4}$/.test(word(n)) ? word(n) : undefined,
  }
}

function word(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function inputOf({ q, c, path, after, mode, n }: Asked): Input<'search'> {
  return {
    query: q.trim(),
    limit: Math.min(MOST_RESULTS, Math.max(1, Number(n ?? RESULTS))),
    ...(c.length > 0 && { collections: c }),
    ...(path.trim() !== '' && { path: [path.trim()] }),
    ...(after !== '' && { after }),
    ...(mode !== '' && { mode }),
  }
}
