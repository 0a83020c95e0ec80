import fc from 'fast-check'
import { framedAsMarkdown, framedAsXml } from '../../test/context/renderers/framed.ts'
import type { Part } from './proving.ts'

/** Selections of one round. */
const EACH = 10_000

export const frames: Part = {
  name: 'frames',
  // What is done at every change is in the tests.
  tiers: ['quick', 'full'],
  claim: 'whatever files and names hold, what is rendered is read back as it was: nothing leaves its frame',
  async prove(proving) {
    const count = Math.ceil(proving.of({ quick: 100_000, full: 1_000_000 }) / EACH)
    for (const [name, property] of [
      ['selections as XML', framedAsXml],
      ['selections as Markdown', framedAsMarkdown],
    ] as const) {
      await proving.rounds(name, count, async (random) => {
        const details = fc.check<unknown[]>(property, { numRuns: EACH, seed: Math.floor(random() * 2 ** 31) })
        proving.add(name, details.numRuns)
        if (details.failed) proving.lose(fc.defaultReportMessage(details) ?? `${name} failed`)
      })
    }
  },
}
