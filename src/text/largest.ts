/**
 * The largest whole number from 0 to `most` that fits, by bisection; -1 if none fits. If a number fits, all smaller ones must fit, except that `most`
 * may fit alone.
 */
export function largestThatFits(most: number, fits: (number: number) => boolean): number {
  if (fits(most)) return most
  let low = -1
  for (let high = most; high - low > 1; ) {
    const middle = (low + high) >> 1
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}
