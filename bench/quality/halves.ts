import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BenchOptions, bound, type Findings, type Verdict } from '../harness.ts'
import type { JudgedSet } from './collection.ts'
import { type AnswerOf, evaluate } from './evaluate.ts'
import { openMaterial, routingFolders } from './material.ts'
import { joinMeasures, type Measure, meanOfLists, measureOf, measuresTable } from './measure.ts'
import { ndcg, reciprocalRank } from './metrics.ts'
import { questionMeasures } from './question-measures.ts'
import { DOCUMENTATIONS, type Half } from './questions.ts'
import type { RankerMaker } from './ranker.ts'
import { ambitRanker } from './rankers/ambit.ts'
import { firstStageRanker } from './rankers/first-stage.ts'
import { fts5Rankers } from './rankers/fts5.ts'
import { miniSearchRankers } from './rankers/minisearch.ts'
import { qmdRanker } from './rankers/qmd.ts'
import { lacksXapian, xapianRanker } from './rankers/xapian.ts'
import { routingMeasures } from './routing-measures.ts'
import { taskMeasures } from './task-measures.ts'

/** What has an even number at its end is for tuning. */
export function halfOf(id: string): Half {
  return Number(/\d+$/.exec(id)?.[0] ?? 0) % 2 === 0 ? 'tuning' : 'held-out'
}

type MaterialOptions = Pick<BenchOptions, 'qmd' | 'isHeldOut'> & { readonly material: string }

/**
 * How good the answers are on sets made of material, by half: tune on one, and look at the other for the last figure. What a
 * ranker found in a set is kept in `.cache` until the set or the ranking changes, so that a run that is stopped goes on.
 */
export async function materialFigures({ material, qmd, isHeldOut = false }: MaterialOptions): Promise<Findings> {
  const lacking = [
    lacksXapian(),
    qmd === undefined ? 'qmd was not measured: install @tobilu/qmd in a folder, and give it as --qmd DIR.' : undefined,
  ].filter((notice) => notice !== undefined)
  for (const notice of lacking) console.error(notice)
  const makers = [
    ambitRanker,
    firstStageRanker,
    ...fts5Rankers,
    ...miniSearchRankers,
    ...(lacksXapian() === undefined ? [xapianRanker] : []),
    ...(qmd === undefined ? [] : [qmdRanker(qmd)]),
  ]
  const measures = await allMeasures(material, makers)
  const halves: readonly Half[] = isHeldOut ? ['tuning', 'held-out'] : ['tuning']
  const note = [NOTE, ...lacking].join('\n')
  return {
    name: 'quality-material',
    verdicts: isHeldOut ? verdictsOf(measures) : [],
    tables: halves.map((half) => measuresTable(`Material, ${half} half`, note, { measures, half })),
  }
}

const NOTE = `Questions: nDCG@10; link texts, descriptions and pasted lines: MRR@10; words of a "cut" row end behind their fifth letter. In
brackets what 95 % of 1,000 draws with repetition give. "Ambit, as it was" ranks by the index and titles alone. Sentences:
share of the questions whose sentence is among the first; not found: share that is told so. Routing: a question gets facts of
documents that are divided among some questions. Task: share of the section that a question is about, in the context of its
documents, at a budget of so much of their text. The others are given sentences, facts and paragraphs as documents.`

async function allMeasures(material: string, makers: readonly RankerMaker[]): Promise<Measure[]> {
  const sets = await openMaterial(material)
  const found: Measure[] = []
  for (const set of sets) for (const maker of makers) found.push(...(await setMeasures(maker, set)))
  const judged = sets.filter(({ name, kind }) => kind === 'judged' && !name.startsWith('xquad')).map(({ name }) => name)
  const rowsOf = (prefix: string, names: readonly string[]) =>
    found.filter(({ row }) => names.some((name) => row === `${prefix}${name}`))
  const languages = sets.filter(({ name }) => name.startsWith('xquad')).map(({ name }) => name)
  const others = makers.filter((maker) => maker !== firstStageRanker && !maker.name.startsWith('qmd'))
  const documentations = DOCUMENTATIONS.filter((name) => existsSync(join(material, name)))
  return [
    ...joinMeasures('judged sets, mean', rowsOf('', judged)),
    ...joinMeasures('judged sets, mean, cut', rowsOf('cut: ', judged)),
    ...joinMeasures('xquad, mean', rowsOf('', languages)),
    ...joinMeasures('xquad, mean, cut', rowsOf('cut: ', languages)),
    ...found.toSorted((a, b) => rowOrder(a) - rowOrder(b)),
    ...(documentations.length === DOCUMENTATIONS.length ? await questionMeasures(material, others) : []),
    ...(await routingMeasures(routingFolders(material), others)),
    ...(await taskMeasures(routingFolders(material), others)),
  ]
}

const ROWS = ['', 'cut: ', 'pasted: ', 'link texts: ', 'descriptions: ', 'cut descriptions: ']

function rowOrder({ row }: Measure): number {
  return ROWS.findLastIndex((prefix) => row.startsWith(prefix))
}

/** The row of a kind of query. */
const KINDS: Readonly<Record<string, string>> = {
  question: '',
  'cut question': 'cut: ',
  pasted: 'pasted: ',
  anchor: 'link texts: ',
  desc: 'descriptions: ',
  'cut desc': 'cut descriptions: ',
}

const KNOWN = ['anchor', 'desc', 'cut desc', 'pasted']

interface KeptScore {
  readonly kind: string
  readonly half: Half
  readonly score: number
}

async function setMeasures(maker: RankerMaker, set: JudgedSet): Promise<Measure[]> {
  const kept = join(
    CACHE,
    `${digestOf(set, maker)}-${maker.name.replace(/\W+/g, '-')}-${set.name.replace(/\W+/g, '-')}.json`,
  )
  const scores: KeptScore[] = existsSync(kept)
    ? JSON.parse(readFileSync(kept, 'utf8'))
    : (await evaluate(maker, set)).answers.map(toScore)
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(kept, JSON.stringify(scores))
  return [...Map.groupBy(scores, ({ kind }) => kind)].map(([kind, of]) =>
    measureOf(`${KINDS[kind] ?? ''}${set.name}`, maker.name, of),
  )
}

function toScore({ id, kind = 'question', ranking, relevance }: AnswerOf): KeptScore {
  const metric = KNOWN.includes(kind) ? reciprocalRank : ndcg
  return { kind, half: halfOf(id), score: metric(ranking, relevance, 10) }
}

const HERE = fileURLToPath(new URL('../..', import.meta.url))
const CACHE = join(HERE, '.cache', 'bench-quality')

/** Of what a ranking depends on, but for the documents themselves. */
function digestOf({ queries }: JudgedSet, { name }: RankerMaker): string {
  const hash = createHash('sha256').update(JSON.stringify(queries))
  const product = name.startsWith('Ambit') ? ['src/retrieval', 'src/collections/search', 'src/ingest/indexing'] : []
  for (const folder of [...product, 'bench/quality/rankers']) {
    const paths = readdirSync(join(HERE, folder), { recursive: true, encoding: 'utf8' })
    for (const path of paths.filter((each) => /\.(?:ts|py)$/.test(each)).sort()) {
      hash.update(basename(path)).update(readFileSync(join(HERE, folder, path)))
    }
  }
  return hash.digest('hex').slice(0, 12)
}

/** What a row has to reach on the half that nothing was tuned on: a mean, or more than Ambit as it was. */
interface Gate {
  readonly row: string
  readonly least?: number
  readonly gain?: number
}

/** By how rows begin. Gains are half of what was known to be reachable. */
const GATES: readonly Gate[] = [
  { row: 'judged sets, mean', gain: 0 },
  { row: 'judged sets, mean, cut', gain: 0.175 },
  { row: 'xquad, mean', gain: 0 },
  { row: 'xquad th', least: 0.95 },
  { row: 'pasted: ', least: 0.95 },
  { row: 'link texts: ', gain: -0.02 },
  { row: 'descriptions: ', gain: 0.03 },
  { row: 'cut descriptions: ', gain: 0.175 },
  { row: 'sentences: first 3', least: 0.72 },
  { row: 'not found: no such words', least: 0.75 },
  { row: 'routing: recall', least: 0.8 },
  { row: 'routing: precision', least: 0.5 },
  { row: 'task: kept at 10 %', least: 0.64 },
  { row: 'task: kept at 20 %', least: 0.77 },
]

function verdictsOf(measures: readonly Measure[]): Verdict[] {
  const heldOut = (row: string, ranker: string) =>
    measures.find((one) => one.row === row && one.ranker === ranker)?.scores['held-out'] ?? []
  return [...new Set(measures.map(({ row }) => row))].flatMap((row) => {
    const gate =
      GATES.find((one) => one.row === row) ?? GATES.find((one) => one.row.endsWith(' ') && row.startsWith(one.row))
    const [ours, before] = [heldOut(row, ambitRanker.name), heldOut(row, firstStageRanker.name)]
    if (!gate || ours.every(({ length }) => length === 0)) return []
    const { least, gain = 0 } = gate
    const value = meanOfLists(ours)
    const limit = { unit: 'score', atLeast: true } as const
    return least === undefined
      ? [
          bound(`quality: ${row}, held-out, beyond Ambit as it was`, value - meanOfLists(before), {
            ...limit,
            limit: gain,
          }),
        ]
      : [bound(`quality: ${row}, held-out`, value, { ...limit, limit: least })]
  })
}
