/** Budgets that the slider has: from a note to a large window, each a little more than the one before, in round numbers. */
const LEAST = 100
const MOST = 200_000

/** Steps before those that are the same are put together. */
const STEPS = 100

const BUDGETS: readonly number[] = [
  ...new Set(Array.from({ length: STEPS + 1 }, (_, step) => rounded(LEAST * (MOST / LEAST) ** (step / STEPS)))),
]

/** The last step of the slider; the first is 0. */
export const LAST = BUDGETS.length - 1

/** The budget at a step. */
export function budgetAt(step: number): number {
  return BUDGETS[Math.min(LAST, Math.max(0, Math.round(step)))] ?? MOST
}

/** The step nearest to a budget. */
export function stepOf(budget: number): number {
  const distances = BUDGETS.map((each) => Math.abs(Math.log(each / Math.max(1, budget))))
  return distances.indexOf(Math.min(...distances))
}

/** To two digits: people do not think in 8,137 tokens. */
function rounded(budget: number): number {
  const unit = 10 ** (Math.floor(Math.log10(budget)) - 1)
  return Math.round(budget / unit) * unit
}
