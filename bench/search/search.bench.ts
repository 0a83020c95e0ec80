import { basename, resolve } from 'node:path'
import { AS_DEBIAN, OwnPostgres } from '../../test/support/own-postgres.ts'
import { lacksPostgres } from '../../test/support/postgres-server.ts'
import { type BenchOptions, bound, type Findings, type Table, type Verdict } from '../harness.ts'
import { milliseconds } from '../report.ts'
import { copyCorpus, generatedCorpus, type PreparedCorpus } from './cache.ts'
import type { Latency } from './measure.ts'
import { type Figures, measureSubject, medianFigures } from './order.ts'
import { queriesOf } from './queries.ts'
import { SUBJECTS, type SubjectMaker, WORDS_ALONE } from './subjects.ts'

const FILES = 10_000

/** The subject that the others are compared with. */
const BASELINE = 'FTS5'

/** Maximum number of files for an index in memory. */
const MOST_IN_MEMORY = 12_000

/** A corpus with more files takes so long that an update is measured only once. */
const LARGE = 50_000

/** A corpus, and the figures measured on it. */
interface Size {
  readonly corpus: PreparedCorpus
  readonly figures: ReadonlyMap<string, Figures>
}

/** Measures the speed and the size of indexes, with each subject in its own processes, compared with SQLite's own index. */
export async function searchFigures({ corpus, files = FILES, qmd, isQuick = false }: BenchOptions): Promise<Findings> {
  const corpora = corpus === undefined ? sizesUpTo(files).map((size) => generatedCorpus(size)) : [copyCorpus(corpus)]
  await using server = isQuick || lacksPostgres() !== undefined ? undefined : await OwnPostgres.start(AS_DEBIAN)
  const makers = SUBJECTS.filter(({ name, ours = false, needs }) => {
    if (isQuick && !ours && name !== BASELINE) return false
    return needs === undefined || (needs === 'qmd' ? qmd : server) !== undefined
  })
  const sizes: Size[] = []
  for (const prepared of corpora)
    sizes.push(await measureSize(prepared, makers, { qmd, database: () => server?.database() }))
  return {
    name: nameOf(corpus, files),
    verdicts: allVerdicts(sizes, makers),
    tables: [...sizes.map((size) => sizeTable(size)), ...growthTable(sizes)],
  }
}

function nameOf(corpus: string | undefined, files: number): string {
  if (corpus !== undefined) return `search-${basename(resolve(corpus))}`
  return files === FILES ? 'search' : `search-${files}`
}

/** The sizes of the corpora, smaller ones first, to measure growth. */
function sizesUpTo(files: number): number[] {
  return [files / 100, files / 10, files].map(Math.round).filter((size) => size >= 1000 || size === files)
}

interface Needs {
  readonly qmd: string | undefined
  database(): Promise<string> | undefined
}

async function measureSize(
  corpus: PreparedCorpus,
  makers: readonly SubjectMaker[],
  { qmd, database }: Needs,
): Promise<Size> {
  const { dir, files } = corpus
  const queries = queriesOf(dir)
  const runs = new Map<string, Figures[]>()
  for (let round = 0; round < 3; round++) {
    for (const maker of makers.filter(({ kept }) => kept || files <= MOST_IN_MEMORY)) {
      if (round > 0 && (!maker.kept || files > FILES)) continue
      const url = maker.needs === 'database' ? await database() : undefined
      const needs = { ...(qmd !== undefined && { qmd }), ...(url !== undefined && { database: url }) }
      const task = { dir, queries, isLarge: files > LARGE, ...needs }
      runs.set(maker.name, [...(runs.get(maker.name) ?? []), measureSubject(maker, task, files)])
      console.error(`${files} files: ${maker.name}, run ${round + 1}`)
    }
  }
  const figures = new Map([...runs].map(([name, of]) => [name, medianFigures(of)]))
  return { corpus, figures }
}

/** Limits of our subjects, relative to another subject in the same run. Our queries return snippets and compare meanings. */
const OVER: Readonly<Record<string, { readonly name: string; readonly build: number; readonly query: number }>> = {
  Ambit: { name: BASELINE, build: 2.5, query: 0.8 },
  'Ambit on PostgreSQL': { name: 'Ambit', build: 2, query: 4 },
}
const CHANGED_OVER = 2.5

/** Limit for the time of a query with the table of word vectors, relative to one by words alone. */
const MEANING_OVER = 1.3

/** Limit for the bytes on disk, relative to the bytes of text. */
const SIZE_OVER_TEXT = 0.9

/** Limit in milliseconds for an update of 10,000 unchanged files, on a machine with two shared cores. */
const UNCHANGED_MS = 100

const GROWTH = { build: 1.15, words: 1, sentence: 1 } as const

function allVerdicts(sizes: readonly Size[], makers: readonly SubjectMaker[]): Verdict[] {
  const [small] = sizes
  const large = sizes.at(-1)
  if (small === undefined || large === undefined) return []
  return makers.flatMap(({ name }) => {
    const over = OVER[name]
    const [before, figures, baseline] = [
      small.figures.get(name),
      large.figures.get(name),
      large.figures.get(over?.name ?? ''),
    ]
    if (!over || !before || !figures || !baseline) return []
    const growth = small === large ? [] : growthVerdicts(name, growthOf(before, figures))
    const byWords = name === 'Ambit' ? large.figures.get(WORDS_ALONE) : undefined
    const meaning = byWords ? meaningVerdicts(figures, byWords) : []
    return [...verdictsOf(name, { figures, textBytes: large.corpus.bytes }, baseline), ...meaning, ...growth]
  })
}

function meaningVerdicts({ asked }: Figures, byWords: Figures): Verdict[] {
  const verdict = (what: string, of: 'words' | 'sentence') =>
    bound(`search: Ambit, ${what} p50, over words alone`, asked[of].p50 / byWords.asked[of].p50, {
      unit: '×',
      limit: MEANING_OVER,
    })
  return [verdict('words', 'words'), verdict('sentences', 'sentence')]
}

export interface Measured {
  readonly figures: Figures
  readonly textBytes: number
}

export function verdictsOf(name: string, { figures, textBytes }: Measured, baseline: Figures): Verdict[] {
  const { name: other, build, query } = OVER[name] ?? { name: BASELINE, build: 1, query: 1 }
  const { built, updated, asked } = figures
  const times = (what: string, value: number, limit: number) =>
    bound(`search: ${name}, ${what}`, value, { unit: '×', limit })
  return [
    times(`index, over ${other}`, built.time / baseline.built.time, build),
    times('size, over the text', built.size / textBytes, name === 'Ambit' ? SIZE_OVER_TEXT : Number.POSITIVE_INFINITY),
    times(`words p50, over ${other}`, asked.words.p50 / baseline.asked.words.p50, query),
    times(`sentences p50, over ${other}`, asked.sentence.p50 / baseline.asked.sentence.p50, query),
    ...(updated && baseline.updated
      ? [times(`1 % changed, over ${other}`, updated.changed / baseline.updated.changed, CHANGED_OVER)]
      : []),
    ...(updated && name === 'Ambit' && built.documents > 8000 && built.documents < 12_000
      ? [bound(`search: ${name}, nothing changed`, updated.unchanged, { unit: 'ms', limit: UNCHANGED_MS })]
      : []),
  ]
}

/**
 * The growth of the figures from the smallest to the largest corpus, as an exponent: 1 is proportional to the number of files.
 */
export function growthOf(small: Figures, large: Figures): Readonly<Record<keyof typeof GROWTH, number>> {
  const files = Math.log(large.built.documents / small.built.documents)
  const exponent = (of: (figures: Figures) => number) => Math.log(of(large) / of(small)) / files
  return {
    build: exponent(({ built }) => built.time),
    words: exponent(({ asked }) => asked.words.p50),
    sentence: exponent(({ asked }) => asked.sentence.p50),
  }
}

function growthVerdicts(name: string, growth: ReturnType<typeof growthOf>): Verdict[] {
  const verdict = (what: string, key: keyof typeof GROWTH) =>
    bound(`search: ${name}, growth of ${what}`, growth[key], { unit: 'exponent', limit: GROWTH[key] })
  return [verdict('index', 'build'), verdict('words p50', 'words'), verdict('sentences p50', 'sentence')]
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
  'first search',
  'found',
  'peak, index',
  'peak, search',
] as const

function sizeTable({ corpus, figures }: Size): Table {
  return {
    title: `${corpus.files} files, ${Math.round(corpus.bytes / MB)} MB`,
    note: NOTE,
    columns: COLUMNS,
    rows: [...figures].map(([name, of]) => rowOf(name, of, corpus)),
  }
}

const NOTE = `Found: the share of sentences whose document is among the first ten. Peak: memory of the process that indexes,
and of the process that searches (the same process for an index in memory), without the server of PostgreSQL.`

function rowOf(name: string, { built, updated, asked }: Figures, corpus: PreparedCorpus): string[] {
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
    milliseconds(asked.words.first),
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
