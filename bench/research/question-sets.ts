import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Extractor } from '../../src/ingest/extractor.ts'
import type { ReadFile } from '../../src/research/report/sources.ts'
import { spansOf } from '../../src/research/run/spans.ts'
import { freeName } from '../../src/text/paths.ts'
import { splitQuestion } from '../../src/text/questions.ts'

/** The answer to a part of a question: a piece of the text, or cells of one row; undefined if nothing answers it. */
export type Gold = string | readonly string[] | undefined

/** A question, and the answer to each of its parts. */
export interface SetQuestion {
  readonly set: string
  readonly question: string
  readonly golds: readonly Gold[]
  readonly isHeldOut: boolean
  /** Whether the author had not seen the program, and used other words than the document. */
  readonly isParaphrased?: boolean
}

/** Files, and questions about them. */
export interface QuestionFiles {
  readonly files: readonly ReadFile[]
  readonly asked: readonly SetQuestion[]
}

interface QuestionSet {
  /** The folder of its documents, and the name of its file of questions. */
  readonly name: string
  readonly pattern?: string
  readonly isParaphrased?: boolean
}

/** `questions/README.md` says where the documents come from. */
export const QUESTION_SETS: readonly QuestionSet[] = [
  ...['fastify', 'redis', 'prometheus', 'rust', 'statute-de'].map((name) => ({ name })),
  { name: 'standard', pattern: '**/*.html' },
  { name: 'statute', pattern: '**/*.html' },
  { name: 'tables', pattern: '**/*.{csv,md}' },
  { name: 'report', pattern: '**/*.pdf' },
  ...['vite', 'oci', 'statute-es', 'minutes'].map((name) => ({ name, isParaphrased: true })),
  { name: 'datasets', pattern: '**/*.{csv,md}', isParaphrased: true },
  { name: 'audits', pattern: '**/*.pdf', isParaphrased: true },
]

interface Row {
  readonly question: string
  readonly gold?: string | readonly string[]
  /** Whether the answer is computed from a table, and occurs nowhere. */
  readonly computed?: boolean
}

/** The questions of a set. Every second one is held out. In each half, every third is also combined with the next. */
export async function askDocuments(
  dir: string,
  { name, pattern = '**/*.md', isParaphrased = false }: QuestionSet,
): Promise<QuestionFiles> {
  const root = join(dir, name)
  if (!existsSync(root)) throw new Error(`${root} is missing: bench/research/questions/README.md says what it holds`)
  const files = await readDocuments(root, pattern)
  const path = fileURLToPath(new URL(`questions/${name}.jsonl`, import.meta.url))
  const rows = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line): Row => JSON.parse(line))
  const all = foldMarks(files.map(({ text }) => text).join('\n'))
  const lost = rows.find(
    ({ gold = [], computed }) => !computed && ![gold].flat().every((one) => all.includes(foldMarks(one))),
  )
  if (lost) throw new Error(`${root} is not the whole set: it lacks “${lost.gold}”`)
  const single = rows.map(
    ({ question, gold }, at): SetQuestion => ({
      set: name,
      question,
      golds: [gold],
      isHeldOut: at % 2 === 1,
      isParaphrased,
    }),
  )
  return { files, asked: [...single, ...askTogether(single)] }
}

/** In each half, combines every third question with the next, if each of them has one part. */
function askTogether(single: readonly SetQuestion[]): SetQuestion[] {
  return single.flatMap((one, at): SetQuestion[] => {
    const next = single[at + 2]
    if (at % 3 !== 0 || !next || [one, next].some(({ question }) => splitQuestion(question).length > 1)) return []
    const question = `${one.question} ${next.question}`
    return splitQuestion(question).length === 2 ? [{ ...one, question, golds: [...one.golds, ...next.golds] }] : []
  })
}

async function readDocuments(root: string, pattern: string): Promise<ReadFile[]> {
  const extractor = new Extractor({ workers: 1 })
  try {
    const files: ReadFile[] = []
    const usedNames = new Set<string>()
    for (const path of globSync(pattern, { cwd: root }).sort()) {
      const alias = freeName(basename(path), (name) => usedNames.has(name))
      usedNames.add(alias)
      files.push(...(await readDocument(extractor, alias, readFileSync(join(root, path)))))
    }
    return files
  } finally {
    await extractor.close()
  }
}

async function readDocument(extractor: Extractor, alias: string, bytes: Uint8Array): Promise<ReadFile[]> {
  const extracted = await extractor.extract(alias, bytes)
  if (!extracted.ok) return []
  const { title, text, syntax, pages, format } = extracted
  const isCsv = format === 'csv'
  const isPrinted = format === 'pdf'
  return [{ alias, title, text, isPrinted, spans: spansOf({ text, syntax, pages, isCsv }) }]
}

/** A text without marks of Markdown and line breaks. */
export function foldMarks(text: string): string {
  return text
    .replace(/(^|\n)[>*\s]+/g, ' ')
    .replace(/[*_`\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
