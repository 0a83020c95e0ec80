/** The first two digits of round numbers, each about a tenth larger than the previous one. */
const ROUND = [10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91]

/** The budgets of the slider: from a note to a large context window. */
const BUDGETS = [10, 100, 1_000, 10_000]
  .flatMap((unit) => ROUND.map((each) => each * unit))
  .filter((budget) => budget <= 200_000)

/** The last step of the slider; the first is 0. */
export const LAST_STEP = BUDGETS.length - 1

export function budgetAt(step: number): number {
  return BUDGETS[step] ?? 0
}

/** The step of a budget, or of the next smaller budget of the slider. */
export function stepOf(budget: number): number {
  return BUDGETS.findLastIndex((each) => each <= budget)
}
