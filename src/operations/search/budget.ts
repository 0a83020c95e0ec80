/** Search results under a budget: each path context is said once, and hits that have no room are dropped whole. */

import { invalidInput } from '../../core/errors.ts'
import { utf8Length } from '../../core/tokens.ts'
import type { SearchAnswer } from '../../engine/engine.ts'
import { largestThatFits } from '../../text/largest.ts'
import { clipMarked } from '../../text/truncate.ts'

type Result = SearchAnswer['results'][number]

/**
 * The results with the text of each path context in the first result that it applies to, and nowhere else.
 *
 * @param most bytes of the text of one. Default: no limit.
 */
export function sayContextsOnce(results: readonly Result[], most = Number.POSITIVE_INFINITY): Result[] {
  const said = new Set<string>()
  return results.map(({ context: _, ...result }) => ({
    ...result,
    contexts: result.contexts.map(({ scope, prefix, text }) => {
      const key = JSON.stringify(scope === 'global' ? [scope] : [scope, prefix, result.collection])
      if (said.has(key) || text === undefined || most === 0) return { scope, prefix }
      said.add(key)
      return { scope, prefix, text: clipMarked(text, most) }
    }),
  }))
}

/**
 * How results are said, the first that has room for a result: the part of the room that the text of one path context may take,
 * and whether more than the best place of each document is shown.
 */
const WAYS = [
  { share: 1 / 4, isLean: false },
  { share: 1 / 16, isLean: false },
  { share: 0, isLean: false },
  { share: 0, isLean: true },
]

/**
 * The answer with as many of its results, the best first, as `print` writes within the budget, and how many are dropped.
 *
 * @param budget tokens, four bytes each
 * @throws ContextError `invalid-input` where not even an answer without results fits.
 */
export function fitResults(
  answer: SearchAnswer,
  budget: number,
  print: (answer: SearchAnswer) => string,
): SearchAnswer {
  const room = budget * 4
  const all = answer.results.length
  for (const { share, isLean } of WAYS) {
    const results = isLean ? answer.results.map(leanResult) : answer.results
    const upTo = (most: number): SearchAnswer => {
      const said = sayContextsOnce(results.slice(0, most), Math.floor(room * share))
      return { ...answer, results: said, dropped: all - most }
    }
    const fits = largestThatFits(all, (most) => utf8Length(print(upTo(most))) <= room)
    if (fits > 0 || fits === all || (isLean && fits === 0)) return upTo(fits)
  }
  const least = utf8Length(print({ ...answer, results: [], dropped: all }))
  const hint = `Give ${Math.ceil(least / 4)} tokens or more, or a shorter query.`
  throw invalidInput('The budget has no room for an answer.', hint)
}

function leanResult({ sections: _, text: __, ...result }: Result): Result {
  return result
}
