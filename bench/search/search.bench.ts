import { basename, resolve } from 'node:path'
import { type BenchOptions, type Findings, inTurn, medianOf, type Table, type Verdict } from '../harness.ts'
import { milliseconds } from '../report.ts'
import { copiedCorpus, madeCorpus, type Prepared } from './cache.ts'
import { growthOf, growthVerdicts, verdictsOf } from './limits.ts'
import { hashed, type Latency, walked } from './measure.ts'
import { type Figures, measureSubject, medianFigures, type Task } from './order.ts'
import { queriesOf } from './queries.ts'
import type { SubjectMaker } from './subject.ts'
import { SUBJECTS } from './subjects.ts'

const FILES = 10_000

/** What the others are measured against. */
const BASELINE = 'FTS5'

/** More files than this are too many for an index in memory. */
const MOST_IN_MEMORY = 12_000

/** Runs of a subject, in turn with the others; of each figure the median counts. */
function runsOf({ kept }: SubjectMaker, files: number): number {
  return kept && files <= FILES ? 3 : 1
}

/** A corpus and what was measured on it. */
interface Size {
  readonly corpus: Prepared
  readonly floors: { readonly walk: number; readonly hash: number }
  readonly figures: ReadonlyMap<string, Figures>
}

/** How fast and how large indexes are, each subject in processes of its own, beside SQLite's own index. */
export async function searchFigures({ corpus, files = FILES, qmd, isQuick = false }: BenchOptions): Promise<Findings> {
  const corpora = corpus === undefined ? [...sizesUpTo(files)].map((size) => madeCorpus(size)) : [copiedCorpus(corpus)]
  const makers = SUBJECTS.filter(({ name, ours = false, needs }) => {
    if (isQuick && !ours && name !== BASELINE) return false
    return needs === undefined || (needs === 'qmd' && qmd !== undefined)
  })
  const sizes: Size[] = []
  for (const prepared of corpora) sizes.push(await measureSize(prepared, makers, qmd))
  return {
    name: nameOf(corpus, files),
    verdicts: sizes.length > 0 ? allVerdicts(sizes, makers) : [],
    tables: [...sizes.map((size) => sizeTable(size, qmd !== undefined)), ...growthTable(sizes)],
  }
}

function nameOf(corpus: string | undefined, files: number): string {
  if (corpus !== undefined) return `search-${basename(resolve(corpus))}`
  return files === FILES ? 'search' : `search-${files}`
}

/** A tenth of the files first, so that growth can be told. */
function sizesUpTo(files: number): number[] {
  return [Math.round(files / 10), files]
}

async function measureSize(corpus: Prepared, makers: readonly SubjectMaker[], qmd?: string): Promise<Size> {
  const { dir, files } = corpus
  const task: Task = { dir, queries: queriesOf(dir), ...(qmd === undefined ? {} : { qmd }) }
  const subjects = [
    { name: 'walk', run: () => walked(dir) },
    { name: 'hash', run: () => hashed(dir) },
  ]
  const [walk = [], hash = []] = await inTurn(subjects, { runs: 3, warmup: 1 })
  const runs = new Map<string, Figures[]>()
  for (let round = 0; round < 3; round++) {
    for (const maker of makers) {
      if (round >= runsOf(maker, files) || (!maker.kept && files > MOST_IN_MEMORY)) continue
      runs.set(maker.name, [...(runs.get(maker.name) ?? []), measureSubject(maker, task, files)])
      console.error(`${files} files: ${maker.name}, run ${round + 1}`)
    }
  }
  const figures = new Map([...runs].map(([name, of]) => [name, medianFigures(of)]))
  return { corpus, floors: { walk: medianOf(walk), hash: medianOf(hash) }, figures }
}

function allVerdicts(sizes: readonly Size[], makers: readonly SubjectMaker[]): Verdict[] {
  const [small] = sizes
  const large = sizes.at(-1)
  const baseline = large?.figures.get(BASELINE)
  if (small === undefined || large === undefined || baseline === undefined) return []
  return makers.flatMap(({ name, ours = false }) => {
    const [before, figures] = [small.figures.get(name), large.figures.get(name)]
    if (!ours || before === undefined || figures === undefined) return []
    const growth = small === large ? [] : growthVerdicts(name, growthOf(before, figures))
    return [...verdictsOf({ name, figures, textBytes: large.corpus.bytes }, baseline), ...growth]
  })
}

const MB = 1e6

const COLUMNS = [
  'subject',
  'index',
  'files/s',
  'MB/s',
  'size',
  'of text',
  'nothing changed',
  'over a walk',
  '1 % changed',
  'words p50',
  'words p95',
  'sentences p50',
  'sentences p95',
  'found',
  'peak, index',
  'peak, search',
] as const

function sizeTable({ corpus, floors, figures }: Size, withQmd: boolean): Table {
  const rows = [...figures].map(([name, of]) => rowOf(name, of, corpus))
  const baseline = figures.get(BASELINE)
  const estimate = withQmd || baseline === undefined ? [] : [estimatedRow(baseline)]
  const floor = (name: string, time: number) => [
    name,
    milliseconds(time),
    `${Math.round(corpus.files / (time / 1000))}`,
    (corpus.bytes / MB / (time / 1000)).toFixed(1),
    ...COLUMNS.slice(4).map(() => ''),
  ]
  return {
    title: `${corpus.files} files, ${Math.round(corpus.bytes / MB)} MB`,
    note: `${NOTE}${estimate.length > 0 ? `\n${ESTIMATE}` : ''}`,
    columns: COLUMNS,
    rows: [...rows, ...estimate, floor('walk with stat', floors.walk), floor('read, SHA-256', floors.hash)],
  }
}

const NOTE = `Found: the share of sentences whose document is among the first ten. Peak: memory of the process that indexes,
and of the process that searches (the same process for an index in memory).`

function rowOf(name: string, { built, updated, asked }: Figures, corpus: Prepared): string[] {
  const seconds = built.time / 1000
  return [
    name,
    milliseconds(built.time),
    `${Math.round(built.documents / seconds)}`,
    (corpus.bytes / MB / seconds).toFixed(1),
    ...(built.size === 0 ? ['memory', ''] : [megabytes(built.size), (built.size / corpus.bytes).toFixed(2)]),
    ...(updated
      ? [milliseconds(updated.unchanged), `${updated.overWalk.toFixed(2)} ×`, milliseconds(updated.changed)]
      : ['', '', '']),
    ...latencies(asked.words),
    ...latencies(asked.sentence),
    asked.sentence.found.toFixed(2),
    megabytes(built.peak),
    megabytes(asked.peak),
  ]
}

function latencies({ p50, p95 }: Latency): string[] {
  return [milliseconds(p50), milliseconds(p95)]
}

function megabytes(bytes: number): string {
  return `${(bytes / MB).toFixed(bytes < 10 * MB ? 1 : 0)} MB`
}

/** What qmd 2.8.3 takes, over the same figure of FTS5: the lower of two runs with `--qmd`, at about 10,000 files. */
const QMD_OVER_FTS5 = { build: 5.5, size: 1.8, unchanged: 14.5, words: 1.8, sentence: 3.6 }

const ESTIMATE = `This run did not measure qmd (\`--qmd DIR\`): its figures are those of FTS5, times the ratio in a run that
measured both.`

function estimatedRow({ built, updated, asked }: Figures): string[] {
  const cells: Readonly<Record<string, string>> = {
    subject: 'qmd 2.8.3, estimated',
    index: milliseconds(built.time * QMD_OVER_FTS5.build),
    size: megabytes(built.size * QMD_OVER_FTS5.size),
    'nothing changed': updated === undefined ? '' : milliseconds(updated.unchanged * QMD_OVER_FTS5.unchanged),
    'words p50': milliseconds(asked.words.p50 * QMD_OVER_FTS5.words),
    'sentences p50': milliseconds(asked.sentence.p50 * QMD_OVER_FTS5.sentence),
  }
  return COLUMNS.map((column) => cells[column] ?? '')
}

function growthTable(sizes: readonly Size[]): Table[] {
  const [small] = sizes
  const large = sizes.at(-1)
  if (small === undefined || large === undefined || small === large) return []
  const rows = [...large.figures].flatMap(([name, figures]) => {
    const before = small.figures.get(name)
    if (before === undefined) return []
    const { build, words, sentence } = growthOf(before, figures)
    return [[name, ...[build, words, sentence].map((value) => value.toFixed(2))]]
  })
  return [
    {
      title: `Growth from ${small.corpus.files} to ${large.corpus.files} files`,
      note: 'An exponent of 1 means in proportion to the number of files.',
      columns: ['subject', 'index', 'words p50', 'sentences p50'],
      rows,
    },
  ]
}
