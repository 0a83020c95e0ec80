/** Two digits of round numbers, each about a tenth larger than the one before. */
const ROUND = [10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91]

/** Budgets that the slider has: from a note to a large window. */
const BUDGETS = [10, 100, 1_000, 10_000]
  .flatMap((unit) => ROUND.map((each) => each * unit))
  .filter((budget) => budget <= 200_000)

/** The last step of the slider; the first is 0. */
export const LAST = BUDGETS.length - 1

/** The budget at a step. */
export function budgetAt(step: number): number {
  return BUDGETS[step] ?? 0
}

/** The step of a budget, or else of the next smaller one. */
export function stepOf(budget: number): number {
  return BUDGETS.findLastIndex((each) => each <= budget)
}
