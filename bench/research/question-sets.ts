import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Extractor } from '../../src/ingest/extractor.ts'
import type { ReadFile } from '../../src/research/report/sources.ts'
import { spansOf } from '../../src/research/run/spans.ts'
import { aliasFor } from '../../src/stores/run-store.ts'
import { splitQuestion } from '../../src/text/questions.ts'
import { foldMarks } from './fold.ts'

/** What answers a part of a question: a piece of the text, or the cells of a row that must stand together; undefined: nothing does. */
export type Gold = string | readonly string[] | undefined

/** A question with what answers each of its parts. */
export interface Asked {
  readonly set: string
  readonly question: string
  readonly golds: readonly Gold[]
  readonly isHeldOut: boolean
  /** Whether somebody wrote it who had not seen the program, in words that are not those of the document. */
  readonly isParaphrased?: boolean
}

/** Questions that are asked of the same files. */
export interface AskedFiles {
  readonly files: readonly ReadFile[]
  readonly asked: readonly Asked[]
}

interface QuestionSet {
  /** The folder of its documents, and the name of its file of questions. */
  readonly name: string
  readonly kind: 'manual' | 'standard' | 'statute' | 'tables' | 'report' | 'minutes'
  /** The folder of the questions, beside this file. */
  readonly questions: string
  readonly pattern: string
  readonly isParaphrased?: boolean
}

const manual = (name: string): QuestionSet => ({
  name,
  kind: 'manual',
  questions: '../quality/questions',
  pattern: '**/*.md',
})

/** `questions/README.md` says where the documents come from. */
export const QUESTION_SETS: readonly QuestionSet[] = [
  ...['fastify', 'redis', 'prometheus', 'rust'].map(manual),
  { name: 'standard', kind: 'standard', questions: 'questions', pattern: '**/*.html' },
  { name: 'statute', kind: 'statute', questions: 'questions', pattern: '**/*.html' },
  { name: 'statute-de', kind: 'statute', questions: 'questions', pattern: '**/*.md' },
  { name: 'tables', kind: 'tables', questions: 'questions', pattern: '**/*.{csv,md}' },
  { name: 'report', kind: 'report', questions: 'questions', pattern: '**/*.pdf' },
  { name: 'vite', kind: 'manual', questions: 'questions', pattern: '**/*.md', isParaphrased: true },
  { name: 'oci', kind: 'standard', questions: 'questions', pattern: '**/*.md', isParaphrased: true },
  { name: 'statute-es', kind: 'statute', questions: 'questions', pattern: '**/*.md', isParaphrased: true },
  { name: 'datasets', kind: 'tables', questions: 'questions', pattern: '**/*.{csv,md}', isParaphrased: true },
  { name: 'audits', kind: 'report', questions: 'questions', pattern: '**/*.pdf', isParaphrased: true },
  { name: 'minutes', kind: 'minutes', questions: 'questions', pattern: '**/*.md', isParaphrased: true },
]

/** The languages of XQuAD, in the folder `xquad`. */
export const LANGUAGES = ['de', 'zh', 'th', 'ru'] as const

interface Row {
  readonly question: string
  readonly gold?: string | readonly string[]
  /** It is computed from a table, and stands nowhere. */
  readonly computed?: boolean
}

/** The questions of a set, every second one held out, and of each half every third one together with the next. */
export async function askDocuments(
  dir: string,
  { name, questions, pattern, isParaphrased = false }: QuestionSet,
): Promise<AskedFiles> {
  const root = join(dir, name)
  if (!existsSync(root)) throw new Error(`${root} is missing: bench/research/questions/README.md says what it holds`)
  const files = await readDocuments(root, pattern)
  const path = fileURLToPath(new URL(`${questions}/${name}.jsonl`, import.meta.url))
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
    ({ question, gold }, at): Asked => ({ set: name, question, golds: [gold], isHeldOut: at % 2 === 1, isParaphrased }),
  )
  return { files, asked: [...single, ...askTogether(single)] }
}

/** Of each half every third question with the next one behind it, where both of them are read as one part. */
function askTogether(single: readonly Asked[]): Asked[] {
  return single.flatMap((one, at): Asked[] => {
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
    const taken = new Set<string>()
    for (const path of globSync(pattern, { cwd: root }).sort()) {
      const alias = aliasFor(basename(path), taken)
      taken.add(alias)
      files.push(...(await readDocument(extractor, alias, readFileSync(join(root, path)))))
    }
    return files
  } finally {
    await extractor.close()
  }
}

async function readDocument(extractor: Extractor, alias: string, bytes: Uint8Array): Promise<ReadFile[]> {
  const found = await extractor.extract(alias, bytes)
  if (!found.ok) return []
  const { title, text, syntax, pages, format } = found
  const isCsv = format === 'csv'
  const isPrinted = format === 'pdf'
  return [{ alias, title, text, isCsv, isPrinted, spans: spansOf({ text, syntax, pages, isCsv }) }]
}

interface Paragraph {
  readonly context: string
  readonly qas: readonly { readonly question: string; readonly answers: readonly { readonly text: string }[] }[]
}

/** "This", in the languages of the set. */
const POINTING = /\bdies(?:e[rsmn]?)?\b|[这该该此]|(?<!\p{L})эт(?:от|а|о|и|ого|ой|ому|им|их|ими|у)(?!\p{L})|นี้|นั้น/iu

/**
 * Every tenth paragraph of XQuAD and the one behind it, with their questions. Every third paragraph is taken away from its
 * questions. A question that points at its paragraph ("this edict") asks nothing of all of them, and is left out.
 */
export function askParagraphs(dir: string, language: string): AskedFiles[] {
  const path = join(dir, 'xquad', `xquad.${language}.json`)
  if (!existsSync(path)) throw new Error(`${path} is missing: it is of google-deepmind/xquad`)
  const { data }: { data: readonly { readonly paragraphs: readonly Paragraph[] }[] } = JSON.parse(
    readFileSync(path, 'utf8'),
  )
  const all = data.flatMap((one) => one.paragraphs).filter((_, at) => at % 10 < 2)
  const documents = all.map(({ context }, at) => paragraphFile(`${at}.md`, context))
  const questions = (at: number, isLeftOut: boolean) =>
    (all[at]?.qas ?? [])
      .filter(({ question }) => !POINTING.test(question))
      .map(({ question, answers }): Asked => {
        const golds = [isLeftOut ? undefined : answers[0]?.text]
        return { set: `xquad.${language}`, question, golds, isHeldOut: at % 2 === 1 }
      })
  const whole = documents.flatMap((_, at) => (at % 3 === 0 ? [] : questions(at, false)))
  const others = documents.flatMap((_, at): AskedFiles[] =>
    at % 3 === 0 ? [{ files: documents.filter((_, other) => other !== at), asked: questions(at, true) }] : [],
  )
  return [{ files: documents, asked: whole }, ...others]
}

function paragraphFile(alias: string, text: string): ReadFile {
  return { alias, title: alias, text, isCsv: false, spans: spansOf({ text, syntax: 'markdown' }) }
}
