/** Parses a task into weighted words, identifiers, paths, stack frames and quotations. */

import { readAssetText } from '../files/home.ts'
import { foldName, scanIdentifiers, termsOfText, termsOfWord, writtenParts } from './index/identifiers.ts'
import { dropNoise, type FrameMention, framesIn, pathsIn, type TaskLine, taskLines } from './ranking/task-mentions.ts'

/** A parsed task. */
export interface TaskQuery {
  /** The weight of each term (the hash of a stem, see `identifiers.ts`). */
  readonly terms: ReadonlyMap<number, number>
  /** For each term, a word as the task writes it. */
  readonly words: ReadonlyMap<number, string>
  /** Identifiers as written, by folded name, with their weights. */
  readonly identifiers: ReadonlyMap<string, { readonly name: string; readonly weight: number }>
  /** The paths as written, with forward slashes. */
  readonly paths: readonly string[]
  readonly frames: readonly FrameMention[]
  /** Texts that a file may contain literally, in lower case. */
  readonly phrases: readonly string[]
  /** The lines that say what to do, without logs, for models; at most `MAX_REQUEST_LENGTH` characters. */
  readonly request: string
}

/** Maximum characters of a task that are parsed. */
const MAX_CHARACTERS = 80_000
const IDENTIFIER_WEIGHT = 1.6
const BACKTICK_WEIGHT = 0.8
const TITLE_WEIGHT = 1.2
/** A task of at most this many terms is short: the words of its title get the extra weight `SHORT_TASK_TITLE_WEIGHT`. */
const SHORT_TASK_TERMS = 25
const SHORT_TASK_TITLE_WEIGHT = 0.4
/** Maximum lines of a task that differ only by numbers. */
const MAX_SIMILAR_LINES = 3
/** Maximum spans of inline code in a line. */
const MAX_CODE_SPANS = 100
const MAX_PHRASES = 24
const MIN_PHRASE_LENGTH = 8
const MAX_PHRASE_LENGTH = 160
const MAX_REQUEST_LENGTH = 1000
/** Minimum weight of a line in the request that models get. */
const MIN_REQUEST_WEIGHT = 0.5
/** Weight of an English word that translates a Chinese word. */
const TRANSLATED_WEIGHT = 0.6
const HAN = /\p{Script=Han}/u
/** Weight of identifiers that a model suggests. The person's words weigh more. */
const SUGGESTED_WEIGHT = 0.6

/** Parses a task: an issue, a message, a log, a stack trace, a diff. `suggested`: identifiers that a model expects in the code for the task. */
export function parseTask(text: string, suggested: readonly string[] = []): TaskQuery {
  const clean = dropNoise(text.slice(0, MAX_CHARACTERS))
  const lines = taskLines(clean)
  const distinctLines = dropSimilarLines(lines)
  const suggestions = suggested.map((name) => ({ text: `\`${name}\``, weight: SUGGESTED_WEIGHT, isTitle: false }))
  return {
    ...weighWords([...distinctLines, ...suggestions]),
    paths: pathsIn(clean),
    frames: framesIn(clean),
    phrases: phrasesIn(lines),
    request: requestIn(distinctLines),
  }
}

function requestIn(lines: readonly TaskLine[]): string {
  const request = lines.filter(({ weight }) => weight >= MIN_REQUEST_WEIGHT).map(({ text }) => text.trim())
  return request.join('\n').slice(0, MAX_REQUEST_LENGTH)
}

/** Drops lines that differ from several earlier lines only by numbers, as in logs: they add nothing to the task. */
function dropSimilarLines(lines: readonly TaskLine[]): TaskLine[] {
  const lineCounts = new Map<string, number>()
  return lines.filter(({ text }) => {
    const foldedLine = text.replace(/\d+/g, '0')
    const times = (lineCounts.get(foldedLine) ?? 0) + 1
    lineCounts.set(foldedLine, times)
    return times <= MAX_SIMILAR_LINES
  })
}

/** Weights of the words of lines, and the identifiers among them. */
function weighWords(lines: readonly Omit<TaskLine, 'isError'>[]): Pick<TaskQuery, 'terms' | 'words' | 'identifiers'> {
  const words = new Map<number, string>()
  const sums = new Map<number, number>()
  const titleTerms = new Set<number>()
  const names = new Map<string, { name: string; weight: number }>()
  const addTerm = (term: number, weight: number, isTitle: boolean) => {
    sums.set(term, (sums.get(term) ?? 0) + weight)
    if (isTitle) titleTerms.add(term)
  }
  const addWords = (word: string) => {
    for (const [term, part] of writtenParts(word)) if (!words.has(term)) words.set(term, part)
  }
  for (const { text, weight, isTitle } of lines) {
    const spans = codeSpans(text)
    scanIdentifiers(text, (word, at) => {
      const isCode = spans.some(([start, end]) => at >= start && at < end)
      const isName = IDENTIFIER.test(word) || isCodeUse(text, at, at + word.length)
      const { parts, whole } = termsOfWord(word)
      const wordWeight = weight * ((isName ? IDENTIFIER_WEIGHT : 1) + (isCode ? BACKTICK_WEIGHT : 0))
      for (const term of whole === undefined ? parts : [...parts, whole]) addTerm(term, wordWeight, isTitle)
      for (const english of HAN.test(word) ? englishFor(word) : []) {
        for (const [term] of writtenParts(english)) addTerm(term, TRANSLATED_WEIGHT * weight, isTitle)
        addWords(english)
      }
      addWords(word)
      if (whole !== undefined) words.set(whole, word)
      if ((!isName && !isCode) || word.length <= 2) return
      const knownName = names.get(foldName(word)) ?? { name: word, weight: 0 }
      names.set(foldName(word), { ...knownName, weight: knownName.weight + (isTitle ? wordWeight * 1.5 : wordWeight) })
    })
  }
  const titleWeight = sums.size <= SHORT_TASK_TERMS ? SHORT_TASK_TITLE_WEIGHT : TITLE_WEIGHT
  return {
    terms: new Map([...sums].map(([term, sum]) => [term, Math.log1p(sum) + (titleTerms.has(term) ? titleWeight : 0)])),
    words,
    identifiers: new Map([...names].map(([key, { name, weight }]) => [key, { name, weight: Math.log1p(weight) }])),
  }
}

function codeSpans(text: string): (readonly [number, number])[] {
  const matches = [...text.matchAll(/`([^`]{1,400})`/g)].slice(0, MAX_CODE_SPANS)
  return matches.map(({ 0: match, index }) => [index, index + match.length])
}

/** A spelling of names in programs: `camelCase`, `snake_case`, `CONSTANT_CASE`, `Name2`. */
const IDENTIFIER = /[a-z\d][A-Z]|[A-Z]{2}[a-z]|[A-Za-z\d]_[A-Za-z\d]|^_+[A-Za-z]|[A-Za-z]\d/

/** Whether the word is called, is a member, has a member, or follows an `@` or `#` at the start of the text. */
function isCodeUse(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start)
  return /[\w)\]]\.$|::$|->$|^[@#]$/.test(before) || /^(?:\((?! )|\.[A-Za-z_]|::|->)/.test(text.slice(end))
}

const QUOTATION = /"([^"\n]{4,160})"|(?<!\w)'([^'\n]{4,160})'|`([^`\n]{4,160})`/g

/** Quotations of several words, and parts of error messages. */
function phrasesIn(lines: readonly TaskLine[]): string[] {
  const phrases = new Set<string>()
  const add = (text: string) => {
    const phrase = text.trim().toLowerCase()
    if (phrase.length >= MIN_PHRASE_LENGTH && phrase.length <= MAX_PHRASE_LENGTH) phrases.add(phrase)
  }
  for (const { text, isError, weight } of lines) {
    if (phrases.size >= MAX_PHRASES || weight < 0.5) continue
    for (const [, double, single, ticked] of text.matchAll(QUOTATION)) {
      const quotation = double ?? single ?? ticked ?? ''
      if (quotation.includes(' ')) add(quotation)
    }
    if (isError) for (const window of errorWindows(text)) add(window)
  }
  return [...phrases].slice(0, MAX_PHRASES)
}

/** Every three successive words of an error message, such as `too many values` of `ValueError: too many values to unpack`. */
function errorWindows(text: string): string[] {
  const message = text.slice(text.lastIndexOf(': ') + 1).trim()
  const words = message.split(/\s+/).slice(0, 12)
  if (words.length < 3) return []
  return words.slice(2).map((_, at) => words.slice(at, at + 3).join(' '))
}

/** Number of the weightiest terms of a task that `termCoverage` looks for. */
const COVERAGE_TERMS = 12

/** How well a text covers a task, 0 to 1: the weight of the task's top terms in the text, divided by their weight. */
export function termCoverage(text: string, weights: ReadonlyMap<number, number>): number {
  const textTerms = termsOfText(text)
  const heaviest = [...weights].sort(([, a], [, b]) => b - a).slice(0, COVERAGE_TERMS)
  const sum = (terms: readonly (readonly [number, number])[]) => terms.reduce((total, [, weight]) => total + weight, 0)
  const total = sum(heaviest)
  return total === 0 ? 0 : sum(heaviest.filter(([term]) => textTerms.has(term))) / total
}

let cachedChinese: { readonly english: ReadonlyMap<string, readonly string[]>; readonly pattern: RegExp } | undefined

/** `english`: English words in code, by Chinese word. `pattern`: matches a Chinese word, and prefers longer words. */
function readChinese() {
  const english = new Map(
    readAssetText('chinese-words.txt')
      .split('\n')
      .flatMap((row) => {
        const [written = '', ...words] = row.split(' ')
        return written.split('|').map((word) => [word, words] as const)
      }),
  )
  const longestFirst = [...english.keys()].filter(Boolean).sort((a, b) => b.length - a.length)
  return { english, pattern: new RegExp(longestFirst.join('|'), 'g') }
}

/** The English words for the Chinese words of a text, in order. The longest Chinese word wins. */
function englishFor(text: string): readonly string[] {
  cachedChinese ??= readChinese()
  const { english, pattern } = cachedChinese
  return (text.match(pattern) ?? []).flatMap((word) => english.get(word) ?? [])
}
