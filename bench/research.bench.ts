import { route } from '../src/research/routing/route.ts'
import { sentencesOf } from '../src/text/sentences.ts'
import { bound, type Findings, inTurn, type Verdict, within } from './harness.ts'
import { byOverlap, type LabelledGroup, labelledGroups, routingScores } from './research/labelled.ts'
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

/** How well what a node knows is divided among its questions, on the labelled set. */
function routingFigures(): Findings {
  const { mixed, single } = labelledGroups()
  const [ours, theirs] = [routingScores(mixed, route), routingScores(mixed, byOverlap)]
  const rows = (name: string, groups: readonly LabelledGroup[]) => [
    rowOf(`${name}: the router`, routingScores(groups, route)),
    rowOf(`${name}: token overlap, top 12`, routingScores(groups, byOverlap)),
  ]
  return {
    verdicts: [
      bound('routing: recall, three documents', ours.recall, { unit: 'score', limit: 0.6, atLeast: true }),
      bound('routing: orphans, three documents', ours.orphans, { unit: 'score', limit: 0.15 }),
      bound('routing: recall beyond token overlap', ours.recall - theirs.recall, {
        unit: 'score',
        limit: 0,
        atLeast: true,
      }),
    ],
    tables: [
      {
        title: 'Routing: what each question gets of what helps it',
        note: 'Labelled by hand: see test/quality/routing/README.md.',
        columns: ['', 'recall', 'precision', 'orphans'],
        rows: [...rows('three documents', mixed), ...rows('one document', single)],
      },
    ],
  }
}

function rowOf(name: string, { recall, precision, orphans }: ReturnType<typeof routingScores>): string[] {
  return [name, ...[recall, precision, orphans].map((value) => value.toFixed(3))]
}
