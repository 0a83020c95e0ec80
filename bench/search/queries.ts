import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { outsideFences, pageOf, pagePaths } from '../pages.ts'
import { STOP_WORDS, wordsOf } from '../quality/words.ts'
import { randomOf, sampleOf } from '../random.ts'

export interface BenchQuery {
  readonly kind: 'words' | 'sentence'
  readonly text: string
  /** The document that a sentence was taken from. */
  readonly from?: string
}

/** Number of documents in which words are counted: enough to distinguish rare words from frequent ones. */
const SAMPLE = 2000

/** Bands of words by the share of documents that contain them. Each band gives the same number of words and of pairs. */
const BANDS: readonly { readonly from: number; readonly to: number }[] = [
  { from: 0, to: 0.0025 },
  { from: 0.0025, to: 0.02 },
  { from: 0.02, to: 0.2 },
  { from: 0.2, to: 1.01 },
]

interface Counts {
  readonly words: number
  readonly pairs: number
  readonly sentences: number
}

/** The counts for the published figures. */
export const COUNTS: Counts = { words: 20, pairs: 20, sentences: 100 }

interface SampledPage {
  readonly path: string
  readonly title: string
  readonly body: string
  readonly words: ReadonlySet<string>
}

/** Queries about a folder of Markdown. The same folder and seed give the same queries. */
export function queriesOf(dir: string, counts: Counts = COUNTS, seed = 11): BenchQuery[] {
  const sample = sampleOf(pagePaths(dir), SAMPLE, seed).map((path) => readSample(dir, path))
  return [...wordQueries(sample, counts, seed), ...sentenceQueries(sample, counts.sentences, seed)]
}

function readSample(dir: string, path: string): SampledPage {
  const { title, body } = pageOf(path, readFileSync(join(dir, path), 'utf8'))
  return { path, title, body, words: new Set(wordsOf(`${title} ${body}`).filter(isQueryWord)) }
}

/** Whether somebody would type the word: it is longer than two letters, has no digit, and is not a stop word. */
function isQueryWord(word: string): boolean {
  return word.length > 2 && !STOP_WORDS.has(word) && !/\d/.test(word)
}

function wordQueries(sample: readonly SampledPage[], { words, pairs }: Counts, seed: number): BenchQuery[] {
  const documents = new Map<string, number>()
  for (const page of sample) for (const word of page.words) documents.set(word, (documents.get(word) ?? 0) + 1)
  const sorted = [...documents.keys()].sort()
  return BANDS.flatMap(({ from, to }, band) => {
    const isIn = (word: string) => {
      const share = (documents.get(word) ?? 0) / sample.length
      return share >= from && share < to
    }
    const single = sampleOf(sorted.filter(isIn), words, seed + band)
    return [...single, ...pairsOf(sample, isIn, { count: pairs, seed: seed + band })].map(
      (text): BenchQuery => ({ kind: 'words', text }),
    )
  })
}

/** Pairs of words of a band that occur in one document. */
function pairsOf(
  sample: readonly SampledPage[],
  isIn: (word: string) => boolean,
  { count, seed }: { readonly count: number; readonly seed: number },
): string[] {
  const random = randomOf(seed)
  const pairs: string[] = []
  for (const { words } of sample) {
    const inBand = [...words].filter(isIn)
    if (inBand.length < 2) continue
    const first = Math.floor(random() * inBand.length)
    const second = (first + 1 + Math.floor(random() * (inBand.length - 1))) % inBand.length
    pairs.push(`${inBand[first]} ${inBand[second]}`)
    if (pairs.length === count) break
  }
  return pairs
}

/** One in this many documents gives a heading. */
const HEADINGS = 5

function sentenceQueries(sample: readonly SampledPage[], count: number, seed: number): BenchQuery[] {
  const random = randomOf(seed)
  const queries: BenchQuery[] = []
  for (const [index, { path, body }] of sample.entries()) {
    if (queries.length === count) break
    const headings = index % HEADINGS === 0 ? headingsOf(body) : []
    const candidates = headings.length > 0 ? headings : sentencesOf(body)
    const text = candidates[Math.floor(random() * candidates.length)]
    if (text !== undefined) queries.push({ kind: 'sentence', text, from: path })
  }
  return queries
}

function headingsOf(body: string): string[] {
  return [...outsideFences(body).matchAll(/^#{1,6} +(.+)$/gm)].map(([, text = '']) => text).filter(isBetween(3, 12))
}

/** Whole sentences of paragraphs: no lists, tables or links. */
function sentencesOf(body: string): string[] {
  const lines = outsideFences(body)
    .split('\n')
    .filter((line) => /^[\p{Lu}]/u.test(line))
  return lines
    .flatMap((line) => line.split(/(?<=[.!?])\s+/))
    .filter((sentence) => /^[^[\]|<>]+[.!?]$/.test(sentence))
    .filter(isBetween(6, 16))
}

function isBetween(least: number, most: number): (text: string) => boolean {
  return (text) => {
    const words = text.trim().split(/\s+/).length
    return words >= least && words <= most
  }
}
