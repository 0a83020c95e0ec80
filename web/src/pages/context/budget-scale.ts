/** Budgets that the slider has: from a note to a large window, each step a little more than the one before. */
const LEAST = 100
const MOST = 200_000

/** Steps of the slider. */
export const STEPS = 100

/** The budget at a step, in round numbers. */
export function budgetAt(step: number): number {
  return rounded(LEAST * (MOST / LEAST) ** (step / STEPS))
}

/** The step nearest to a budget. */
export function stepOf(budget: number): number {
  const within = Math.min(MOST, Math.max(LEAST, budget))
  return Math.round((Math.log(within / LEAST) / Math.log(MOST / LEAST)) * STEPS)
}

/** To two digits: people do not think in 8,137 tokens. */
function rounded(budget: number): number {
  const unit = 10 ** (Math.floor(Math.log10(budget)) - 1)
  return Math.round(budget / unit) * unit
}
