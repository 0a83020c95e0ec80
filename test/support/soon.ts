/**
 * Milliseconds in which everything is over that ends without a wait: what such a bound guards against (a square of the
 * length, a try for each way to match, a pipe that nobody writes to) takes minutes. How fast something is, a benchmark says.
 */
export const SOON = 20_000
