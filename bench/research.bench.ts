import { globSync, readFileSync } from 'node:fs'
import { bytes4 } from '../src/core/tokens.ts'
import { digestSpans } from '../src/research/extractive/stages.ts'
import { route } from '../src/research/routing/route.ts'
import { spansOf } from '../src/research/run/spans.ts'
import { sentencesOf } from '../src/text/sentences.ts'
import { goOn, newSession, stubStages } from '../test/research/stub.ts'
import { bound, type Findings, inTurn, medianOf, type Verdict, within } from './harness.ts'
import { byOverlap, type LabelledGroup, labelledGroups, routingScores } from './research/labelled.ts'

/** Measures how well and how fast research works without a model. */
export async function researchFigures(): Promise<Findings> {
  const routing = routingFigures()
  const runs = await runFigures()
  return {
    verdicts: [...routing.verdicts, ...runs.verdicts, await sentencesFigure()],
    tables: [...(routing.tables ?? []), ...(runs.tables ?? [])],
  }
}

const MEGABYTE = 1_000_000

/** Measures the splitting into sentences. `Intl.Segmenter` would take a minute for the whole text, so it gets blocks. */
async function sentencesFigure(): Promise<Verdict> {
  const sentence = 'The ferry of Dr. Miller waits for the tide, which turns twice a day; so does everybody else. '
  const text = sentence.repeat(Math.ceil(MEGABYTE / sentence.length))
  const subject = { name: 'a megabyte into sentences', run: () => sentencesOf(text) }
  const [times = []] = await inTurn([subject], { runs: 5, warmup: 1 })
  return within('research: a megabyte into sentences', times, 1000)
}

/** Measures how well the items of a node (a question) are routed to its subquestions, on the labelled set. */
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

/** Milliseconds of each model call, children of a node, and levels. */
const MS = 50
const CHILDREN = 4
const DEPTH = 3

/** Number of calls in sequence: one digest, two for each of three levels, two for each of two divisions, one report. */
const IN_ROW = 1 + DEPTH * 2 + (DEPTH - 1) * 2 + 1

const RUNS = 3

/** Measures how long a run takes compared with the calls that wait for each other, and how many tokens its nodes are sent. */
async function runFigures(): Promise<Findings> {
  const [one, four, many] = [await timeRuns(1), await timeRuns(4), await timeRuns(16)]
  const row = (name: string, { wall, calls }: TimedRun) => [
    name,
    `${Math.round(wall)}`,
    `${calls}`,
    (wall / (IN_ROW * MS)).toFixed(2),
  ]
  const tokens = await tokensOf()
  return {
    verdicts: [
      bound('research: wall at concurrency 16, of the critical path', many.wall / (IN_ROW * MS), {
        unit: '×',
        limit: 1.3,
      }),
      coverage(),
      bound('research: context tokens, of passing everything down', tokens.sliced / tokens.all, {
        unit: 'score',
        limit: 1,
      }),
    ],
    tables: [
      {
        title: 'A run of stub models',
        note: `Each call takes ${MS} ms, each node has ${CHILDREN} children, on ${DEPTH} levels. The critical path has ${IN_ROW} calls.`,
        columns: ['', 'wall, ms', 'calls', 'of the critical path'],
        rows: [row('one at a time', one), row('four', four), row('sixteen', many)],
      },
    ],
  }
}

interface TimedRun {
  readonly wall: number
  readonly calls: number
}

async function timeRuns(concurrency: number): Promise<TimedRun> {
  const walls: number[] = []
  let calls = 0
  for (let run = 0; run < (concurrency === 1 ? 1 : RUNS); run++) {
    const { session, asked, began } = await startSession()
    await goOn(session, { stages: stubStages(asked, { ms: MS, children: CHILDREN }), concurrency })
    walls.push(performance.now() - began)
    calls = asked.length
  }
  return { wall: medianOf(walls), calls }
}

async function startSession() {
  const session = await newSession({ depth: DEPTH, nodes: 100, searchCollections: false }, ONE_FILE)
  return { session, asked: [] as string[], began: performance.now() }
}

/** One file, so that the critical path has one digest. */
const ONE_FILE = {
  'harbour.md':
    '# Harbour\n\n## Boats\n\nThe ferry carries people.\n\n## Cranes\n\nThe crane lifts stones.\n\n## Tides\n\nHigh water is at noon.\n',
}

/** Tokens of the items that the nodes are sent, and the tokens if each node were sent all items. */
async function tokensOf(): Promise<{ readonly sliced: number; readonly all: number }> {
  const files = Object.fromEntries(
    documents()
      .slice(0, 8)
      .map((text, at) => [`${at}.md`, text]),
  )
  const session = await newSession({ depth: DEPTH, nodes: 100, searchCollections: false }, files)
  const { state } = await goOn(session, { stages: stubStages([], { children: CHILDREN }) })
  const cost = (items: readonly { readonly text: string }[]) => items.reduce((sum, { text }) => sum + bytes4(text), 0)
  const slices = [...state.nodes.values()].map(({ slice }) => cost(slice?.selected_items ?? []))
  const all = cost(state.bundle?.aggregate_digest.items ?? []) * slices.length
  return { sliced: slices.reduce((sum, one) => sum + one, 0), all }
}

/** The share of sections that have an item in the digest of a text, if the digest has as many items as sections. */
function coverage(): Verdict {
  let [covered, all] = [0, 0]
  for (const text of documents()) {
    const spans = spansOf({ text, syntax: 'markdown' })
    const sectionOf = new Map(spans.map(({ id, headings }) => [id, headings.join('\0')]))
    const sections = new Set(sectionOf.values())
    const found = new Set(
      digestSpans(spans, sections.size).flatMap(({ sources }) => sources.map((id) => sectionOf.get(id))),
    )
    covered += found.size
    all += sections.size
  }
  return bound('research: sections that the digest covers', covered / all, { unit: 'score', limit: 0.9, atLeast: true })
}

function documents(): string[] {
  const paths = globSync(['docs/{guides,figures}/*.md', 'docs/decisions/*.md', 'test/quality/harbour/**/*.md'], {
    cwd: new URL('../', import.meta.url).pathname,
  })
  return paths.sort().map((path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
}
