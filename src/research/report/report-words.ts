/** Fixed texts of a report, in the languages of `assets/report-words.json`. */

import { readAssetText } from '../../files/home.ts'
import type { EvidenceKind } from '../answers.ts'
import type { DayWords } from '../web/page-dates.ts'

/** `full`: every question of the tree has its answer. */
export type Grade = 'full' | 'partial' | 'none'

type Heading = 'gaps' | 'questions' | 'sources' | 'method'

/**
 * `notFound`: the beginning of a sentence that ends with the question. `unanswered`: the gap of a question without a
 * finding. `perhaps`: the gap of a question that has at most a partial answer.
 */
type AnswerSentence = 'notFound' | 'lacks' | 'unanswered' | 'perhaps' | 'unproven' | 'unknown' | 'unsupported'

/** `somewhere`: the place of a source without a known place. `copy`: names the original of a copied page. */
type SourceSentence = 'evidence' | 'page' | 'line' | 'lines' | 'somewhere' | 'under' | 'copy'

/** `items` and `spans`: counts of a file. */
type FileSentence = 'files' | 'noFiles' | 'items' | 'spans' | 'unread'

/** Headings and sentences. `{}`: a placeholder. */
export interface ReportWords
  extends Readonly<Record<Heading | AnswerSentence | SourceSentence | FileSentence, string>> {
  readonly grades: Readonly<Record<Grade, string>>
  readonly statuses: Readonly<Record<string, string>>
  readonly kinds: Readonly<Record<EvidenceKind, string>>
  readonly days: DayWords
}

interface LanguageData extends ReportWords {
  /** Names of the language; the first is its code. */
  readonly names: readonly string[]
  /** Common words of questions in the language, separated by spaces. Empty if the script identifies the language. */
  readonly common: string
}

let languageData: Readonly<Record<string, LanguageData>> | undefined

function languages(): Readonly<Record<string, LanguageData>> {
  languageData ??= JSON.parse(readAssetText('report-words.json')) as Record<string, LanguageData>
  return languageData
}

/** Scripts that only one of the languages uses. Ukrainian and Belarusian have letters that Russian lacks. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['th', /\p{Script=Thai}/u],
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['zh', /\p{Script=Han}/u],
  ['ru', /^(?=[\s\S]*\p{Script=Cyrillic})(?![\s\S]*[іїєґў])/iu],
]

/** The words of a report on a question. `chosen`: name or code of a language, instead of the question's language. */
export function reportWords(question: string, chosen?: string): ReportWords {
  const all = languages()
  const code = reportLanguage(question, chosen)
  const words = all[code] as LanguageData
  const { full, partial, none } = (all.en as LanguageData).grades
  if (code === 'en') return words
  const { grades, notFound } = words
  // The absence of an answer and the grade begin in English, so that programs recognize them.
  return {
    ...words,
    notFound: `Not found. ${notFound}`,
    grades: { full: `${full} ${grades.full}`, partial: `${partial} ${grades.partial}`, none: `${none} ${grades.none}` },
  }
}

/** The code of the report's language; `en` for a language that `report-words.json` lacks. */
export function reportLanguage(question: string, chosen?: string): string {
  if (chosen !== undefined) return namedLanguage(chosen) ?? 'en'
  const [best] = commonWords(question)
  return languageOfScript(question) ?? (best && best.count > 0 ? best.code : 'en')
}

function namedLanguage(chosen: string): string | undefined {
  const [name = ''] = chosen.toLowerCase().match(/[\p{L}\p{M}]+/u) ?? []
  return Object.entries(languages()).find(([, { names }]) => names.includes(name))?.[0]
}

function languageOfScript(question: string): string | undefined {
  return SCRIPTS.find(([, script]) => script.test(question))?.[0]
}

/** For each language: how many of its common words a question contains. The largest number first. */
function commonWords(question: string) {
  const words = question.toLowerCase().match(/\p{L}+/gu) ?? []
  const counts = Object.entries(languages()).map(([code, { common }]) => {
    const known = new Set(common.split(' '))
    return { code, count: words.filter((word) => known.has(word)).length }
  })
  return counts.toSorted((a, b) => b.count - a.count)
}

/**
 * The language for a search of pages, as ISO 639-1: the chosen one, else the question's. Undefined if the language is
 * unclear: a search in a wrong language finds less than a search in all languages.
 */
export function searchLanguage(question: string, chosen?: string): string | undefined {
  if (chosen !== undefined) {
    const code = /^([a-z]{2})(?:-[a-z]+)?$/i.exec(chosen)?.[1]
    return code?.toLowerCase() ?? namedLanguage(chosen)
  }
  const [best, next] = commonWords(question)
  const isPlain = best && best.count >= 2 && best.count !== next?.count
  return languageOfScript(question) ?? (isPlain ? best.code : undefined)
}

/** A sentence with its placeholders filled. */
export function fillWords(sentence: string, value: string | number): string {
  return sentence.replace('{}', () => String(value))
}

/** Whether a paragraph begins with a sentence by which a report says, in any language, that it found nothing. */
export function saysNothing(paragraph: string): boolean {
  const sentences = Object.values(languages()).flatMap(({ notFound, lacks, grades }) => [notFound, lacks, grades.none])
  const begins = sentences.map((one) => one.replace(/\{\}[\s\S]*$/, '').trim()).filter((one) => one !== '')
  return ['Not found.', ...begins].some((one) => paragraph.startsWith(one))
}
