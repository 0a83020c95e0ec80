/**
 * Whether a version is in a range of the form that `engines` has: `^1.2.3 || >=4.5.0`. Below 1.0.0 a caret means
 * nothing special, and what follows the three numbers is not looked at.
 */
export function isInRange(version: string, range: string): boolean {
  return range.split('||').some((part) => isInPart(numbersOf(version), part.trim()))
}

function isInPart(version: readonly number[], part: string): boolean {
  const from = numbersOf(part)
  if (!/^(\^|>=)\d/.test(part) || compare(version, from) < 0) return false
  return part.startsWith('>=') || version[0] === from[0]
}

function numbersOf(text: string): number[] {
  return (/\d+(\.\d+)*/.exec(text)?.[0] ?? '').split('.').map(Number)
}

function compare(a: readonly number[], b: readonly number[]): number {
  const different = [0, 1, 2].find((index) => a[index] !== b[index])
  return different === undefined ? 0 : (a[different] ?? 0) - (b[different] ?? 0)
}
