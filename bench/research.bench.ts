import { sentencesOf } from '../src/text/sentences.ts'
import { type Findings, inTurn, type Verdict, within } from './harness.ts'
import { routingFigures } from './research/routing.ts'
import { runFigures } from './research/run.ts'

/** What research does to texts without a model: how well, and how fast. */
export async function researchFigures(): Promise<Findings> {
  const routing = routingFigures()
  const runs = await runFigures()
  return {
    verdicts: [...routing.verdicts, ...runs.verdicts, await sentencesFigure()],
    tables: [...(routing.tables ?? []), ...(runs.tables ?? [])],
  }
}

const MEGABYTE = 1_000_000

/** `Intl.Segmenter` alone would take a minute: it is given blocks. */
async function sentencesFigure(): Promise<Verdict> {
  const sentence = 'The ferry of Dr. Miller waits for the tide, which turns twice a day; so does everybody else. '
  const text = sentence.repeat(Math.ceil(MEGABYTE / sentence.length))
  const subject = { name: 'a megabyte into sentences', run: () => sentencesOf(text) }
  const [times = []] = await inTurn([subject], { runs: 5, warmup: 1 })
  return within('research: a megabyte into sentences', times, 1000)
}
