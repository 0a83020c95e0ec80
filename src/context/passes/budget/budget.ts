import { type Fragment, namePass, type Pass, type Selection } from '../../../core/flow.ts'
import { validBudget } from '../../../core/tokens.ts'
import type { BlockOrder } from './block-order.ts'
import type { Ladder } from './ladder.ts'

/** How a budget chooses. */
export interface BudgetOptions {
  /** The order of importance of the blocks within a fragment. Default: as written. */
  readonly blockOrder?: (fragment: Fragment) => BlockOrder
}

/**
 * Cuts the selection so that its rendering takes at most `tokens` tokens; only pinned fragments can make it over.
 * Does nothing when all fits. Otherwise shows the longest prefix that fits of the ladder, an order of pieces that never
 * looks at the budget: so a larger budget never shows less of anything, and a huge file cannot starve the others.
 *
 * @param tokens whole number ≥ 1, in the unit of the recipe's counter
 * @throws ContextError `invalid-input` for any other number.
 */
export function budget(tokens: number, options: BudgetOptions = {}): Pass {
  validBudget(tokens)
  return namePass('budget', async (selection, step) => {
    if (step.measure(selection) <= tokens) return selection
    // Markdown is parsed only here: most selections fit.
    const { buildLadder } = await import('./ladder.ts')
    const ladder = buildLadder(selection, step, options.blockOrder ?? (() => 'written'))
    return highestRung(ladder, (shown) => step.measure(shown) <= tokens)
  })
}

/**
 * What the highest rung shows that fits, where the last one does not. Doubles, then bisects. The rungs that are probed depend on the answers alone, so an answer of yes to all that was
 * yes before, as a larger budget gives, never leads to a lower rung.
 */
export function highestRung(ladder: Ladder, fits: (selection: Selection) => boolean): Selection {
  let low = 0
  let high = 1
  while (high < ladder.length && fits(ladder.upTo(high))) {
    low = high
    high *= 2
  }
  high = Math.min(high, ladder.length)
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (fits(ladder.upTo(middle))) low = middle
    else high = middle
  }
  return ladder.upTo(low)
}
