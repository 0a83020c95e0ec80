/**
 * The largest whole number from 0 to `most` that fits, by bisection; -1 where none does. What fits for a number must fit for
 * those below it, but `most` itself may fit by an exception.
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
