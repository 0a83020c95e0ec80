/** What research without a model shows for the questions of `test/research/claims`. Run it: `node bench/research/shown.ts [FOLDER]`. */

import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { FilePassages } from '../../src/research/extractive/passages.ts'
import type { ReadFile } from '../../src/research/report/sources.ts'
import { spansOf } from '../../src/research/run/spans.ts'
import { foldMarks } from './fold.ts'

interface AskedQuestion {
  readonly id: string
  readonly docs: readonly string[]
  readonly question: string
  readonly answerable: boolean
  readonly gold_sentences: readonly string[]
  /** Word stems that the question shares with the gold. */
  readonly overlap: number
}

interface BroadQuestion extends Pick<AskedQuestion, 'id' | 'docs' | 'question'> {
  readonly points: readonly { readonly lines: readonly { readonly text: string }[] }[]
}

const [, , folder = new URL('../../test/research/claims/', import.meta.url).pathname] = process.argv
const FOLDER = pathToFileURL(`${folder}/`)
const readSet = <One>(name: string): One[] => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'))

function filesOf(names: readonly string[]): ReadFile[] {
  return names.map((name) => {
    const text = readFileSync(new URL(`docs/${name}`, FOLDER), 'utf8')
    const isCsv = name.endsWith('.csv')
    const syntax = name.endsWith('.md') ? 'markdown' : 'plain'
    return { alias: name, title: name, text, isCsv, spans: spansOf({ text, syntax, isCsv }) }
  })
}

/** Texts that are shown for each part of a question: `most` of each. */
function shownFor({ docs, question }: Pick<AskedQuestion, 'docs' | 'question'>, most?: number): string {
  const files = filesOf(docs)
  const rows = new Map(
    files.flatMap(({ alias, spans }) => [...spans].map((span) => [`${alias}::${span.id}`, span.text])),
  )
  const parts = new FilePassages(files).assess(question, [])
  if (parts.some(({ answered }) => answered === 'yes')) throw new Error(`${question} is called answered.`)
  const found = parts.flatMap(({ findings }) => findings.slice(0, most))
  return foldMarks(found.map(({ ref, text }) => rows.get(ref) ?? text).join('\n'))
}

const shareOf = (hits: readonly boolean[]) => `${hits.filter((is) => is).length} of ${hits.length}`
const isShown = (shown: string, sentence: string) => shown.includes(foldMarks(sentence))
const answerable = readSet<AskedQuestion>('questions.json').filter((one) => one.answerable)
const hits = (some: readonly AskedQuestion[]) =>
  shareOf(some.map((one) => one.gold_sentences.some((gold) => isShown(shownFor(one, 3), gold))))
const own = answerable.map((one) => ({ ...one, question: one.gold_sentences[0] ?? '' }))

console.log('gold among the first three passages of a part')
console.log('  no word shared:', hits(answerable.filter(({ overlap }) => overlap === 0)))
console.log('  some words shared:', hits(answerable.filter(({ overlap }) => overlap > 0)))
console.log('  the sentence itself:', hits(own))
for (const one of readSet<BroadQuestion>('broad.json')) {
  const shown = shownFor(one)
  const points = one.points.map(({ lines }) => lines.some(({ text }) => isShown(shown, text)))
  console.log(`points of broad question ${one.id} that are shown:`, shareOf(points))
}
