import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { extractText } from '../../src/ingest/extract/text.ts'
import { FilePassages } from '../../src/research/extractive/passages.ts'
import { spansOf } from '../../src/research/run/spans.ts'
import { splitTextUnits } from '../../src/retrieval/units.ts'
import { type Measure, measureOf } from './measure.ts'
import {
  askEach,
  DOCUMENTATIONS,
  foldLines,
  type Half,
  halfAt,
  isRefused,
  placeOfGold,
  type QuestionRow,
  questionRows,
} from './questions.ts'
import type { RankerMaker } from './ranker.ts'
import { splitSentences } from './sentences.ts'

/** How many of the first are looked at. */
const FIRST = [1, 3, 6] as const

const OURS = 'Ambit'

interface Placed {
  readonly half: Half
  readonly row: QuestionRow
  /** Where the sentence stands among those that are shown, from 0; infinite for nowhere. */
  readonly place: number
}

/**
 * The questions of `questions.ts`: what `ambit ask` shows, whether it says rightly that there is no answer, and where other
 * rankers put the sentence that answers, of all sentences of a documentation. These never say that there is none.
 */
export async function questionMeasures(dir: string, makers: readonly RankerMaker[]): Promise<Measure[]> {
  const asked = await askEach(dir)
  const placed = asked.map((one): Placed => ({ ...one, place: placeOfGold(one) }))
  const found = new Map<string, Placed[]>()
  const six: Placed[] = []
  for (const name of DOCUMENTATIONS) {
    const documents = readDocuments(join(dir, name))
    const passages = new FilePassages(documents)
    const rows = questionRows(name).map((row, at) => ({ row, half: halfAt(at) }))
    for (const { row, half } of rows.filter((one) => one.row.gold)) {
      const [part] = passages.assess(row.question, [])
      six.push({ row, half, place: placeAmong(part?.findings.map(({ text }) => text) ?? [], row) })
    }
    const sentences = documents.flatMap(({ text, title = '' }) => splitSentences(splitTextUnits(text, { title })))
    for (const maker of makers.filter((one) => one.name !== OURS)) {
      const ranked = await rankSentences(maker, sentences, rows)
      found.set(maker.name, [...(found.get(maker.name) ?? []), ...ranked])
    }
  }
  const others = [...found].flatMap(([name, some]) => FIRST.map((most) => firstMeasure(name, some, most)))
  const refused = (row: string, of: (one: Placed) => boolean) =>
    measureOf(
      row,
      OURS,
      asked.flatMap((one, at) => {
        const { row: question, half, place } = placed[at] as Placed
        return of({ row: question, half, place }) ? [{ half, score: isRefused(one) ? 1 : 0 }] : []
      }),
    )
  return [
    ...FIRST.map((most) => firstMeasure(OURS, most === 6 ? six : placed, most)),
    ...others,
    refused('not found: no such words', ({ row }) => !row.gold && !row.near),
    refused('not found: wrongly', ({ row }) => row.gold !== undefined),
  ]
}

function firstMeasure(ranker: string, placed: readonly Placed[], most: (typeof FIRST)[number]): Measure {
  const answerable = placed.filter(({ row }) => row.gold)
  const scored = answerable.map(({ half, place }) => ({ half, score: place < most ? 1 : 0 }))
  return measureOf(most === 1 ? 'sentences: first' : `sentences: first ${most}`, ranker, scored)
}

function placeAmong(texts: readonly string[], { gold = '' }: QuestionRow): number {
  const at = texts.findIndex((text) => foldLines(text).includes(foldLines(gold)))
  return at < 0 ? Number.POSITIVE_INFINITY : at
}

async function rankSentences(
  maker: RankerMaker,
  sentences: ReturnType<typeof splitSentences>,
  rows: readonly { readonly row: QuestionRow; readonly half: Half }[],
): Promise<Placed[]> {
  const ranker = maker.open()
  await ranker.index(toDocuments(sentences))
  const placed: Placed[] = []
  for (const { row, half } of rows.filter((one) => one.row.gold)) {
    const ids = await ranker.search(row.question, FIRST.at(-1) ?? 0)
    placed.push({
      row,
      half,
      place: placeAmong(
        ids.map((id) => sentences[Number(id)]?.text ?? ''),
        row,
      ),
    })
  }
  await ranker.close()
  return placed
}

async function* toDocuments(sentences: ReturnType<typeof splitSentences>) {
  for (const [at, { text, trail }] of sentences.entries())
    yield { id: `${at}`, path: '', title: trail.at(-1) ?? '', text }
}

function readDocuments(root: string) {
  return globSync('**/*.md', { cwd: root })
    .sort()
    .flatMap((alias) => {
      const found = extractText(alias, readFileSync(join(root, alias)))
      if (!found.ok) return []
      const { title, text, syntax } = found
      return [{ alias, title, text, isCsv: false, spans: spansOf({ text, syntax }) }]
    })
}
