import fc from 'fast-check'

type Arbitraries<Values extends unknown[]> = { [At in keyof Values]: fc.Arbitrary<Values[At]> }
type Some = [unknown, ...unknown[]]

/** Asserts what holds of all values. `runs`: how many are tried; default: fast-check's. */
export function forAll<Values extends Some>(
  ...given: [runs: number, ...Arbitraries<Values>, holds: (...values: Values) => void]
): void
export function forAll<Values extends Some>(
  ...given: [...Arbitraries<Values>, holds: (...values: Values) => void]
): void
export function forAll(...given: readonly unknown[]): void {
  const [property, how] = split(given)
  fc.assert(fc.property(...property), how)
}

/** The same of what has to be waited for. */
export function forAllAsync<Values extends Some>(
  ...given: [runs: number, ...Arbitraries<Values>, holds: (...values: Values) => Promise<unknown>]
): Promise<void>
export function forAllAsync<Values extends Some>(
  ...given: [...Arbitraries<Values>, holds: (...values: Values) => Promise<unknown>]
): Promise<void>
export async function forAllAsync(...given: readonly unknown[]): Promise<void> {
  const [property, how] = split(given)
  await fc.assert(fc.asyncProperty(...property), how)
}

function split([first, ...others]: readonly unknown[]): [property: [never, never], how: object] {
  return typeof first === 'number'
    ? [others as [never, never], { numRuns: first }]
    : [[first, ...others] as [never, never], {}]
}

export { fc }
