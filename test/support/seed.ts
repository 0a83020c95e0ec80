import { randomOf } from '../../bench/random.ts'

/** Another in each run, unless it is given: what failed once is done again with the seed that was printed. */
const SEED = Number(process.env.AMBIT_TEST_SEED ?? Math.floor(Math.random() * 1e9))

/** Numbers from 0 up to 1 for one test, which the seed alone decides. */
export function seeded(test: string): () => number {
  process.stdout.write(`${test}: AMBIT_TEST_SEED=${SEED}\n`)
  return randomOf([...test].reduce((hash, character) => Math.imul(hash, 31) + character.charCodeAt(0), SEED))
}
