import { type Fragment, namePass, type Pass, type Selection } from '../../../core/flow.ts'
import { validBudget } from '../../../core/tokens.ts'
import { largestThatFits } from '../../../text/bisect.ts'
import type { BlockOrder } from './block-order.ts'
import type { Ladder } from './ladder.ts'

export interface BudgetOptions {
  /** The order of importance of the blocks within a fragment. Default: as written. */
  readonly blockOrder?: (fragment: Fragment) => BlockOrder
}

/**
 * Cuts the selection so that its rendering has at most `tokens` tokens; only pinned fragments can exceed the budget.
 * Does nothing if everything fits. Otherwise shows as many rungs of the ladder as fit. A ladder is an order of pieces
 * of all files that does not depend on the budget: a larger budget never shows less, and a huge file cannot displace
 * the other files.
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
 * The selection of the highest rung (step of the ladder) that fits. Which rung is tried next depends only on which
 * tried rungs fit. A rung that fits a budget also fits a larger budget, so a larger budget never ends at a lower rung.
 */
export function highestRung(ladder: Ladder, fits: (selection: Selection) => boolean): Selection {
  const highest = largestThatFits(ladder.length, (rungs) => fits(ladder.upTo(rungs)))
  return ladder.upTo(Math.max(0, highest))
}
