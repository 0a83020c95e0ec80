/** By position: `1.2` before `1.10`, a node before its children. */
export function byPosition(a: string, b: string): number {
  const [x, y] = [a.split('.').map(Number), b.split('.').map(Number)]
  for (let at = 0; at < Math.min(x.length, y.length); at++) {
    const difference = (x[at] ?? 0) - (y[at] ?? 0)
    if (difference !== 0) return difference
  }
  return x.length - y.length
}
