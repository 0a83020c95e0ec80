/**
 * The largest whole number above `low` and below `high` for which `holds` is true; `low` if there is none. If `holds`
 * is true for a number, it must be true for all smaller numbers.
 */
export function bisect(low: number, high: number, holds: (number: number) => boolean): number {
  let [last, end] = [low, high]
  while (end - last > 1) {
    const middle = (last + end) >> 1
    if (holds(middle)) last = middle
    else end = middle
  }
  return last
}

/**
 * The largest whole number from 0 to `maximum` that fits; -1 if none fits. If a number fits, all smaller numbers must
 * fit, except that `maximum` may fit alone. Tries `maximum`, then small numbers: a large number can take long to test.
 */
export function largestThatFits(maximum: number, fits: (number: number) => boolean): number {
  if (fits(maximum)) return maximum
  let [low, high] = [-1, 1]
  while (high < maximum && fits(high)) [low, high] = [high, 2 * high]
  return bisect(low, Math.min(high, maximum), fits)
}
