/** Parses a query. Every text is a valid query. */

import { foldedPath } from '../text/paths.ts'
import { lazyPattern } from '../text/wildcards.ts'
import { scanWords } from './index/words.ts'
import { composeText, foldWord, isStopWord, mainTerms, scanTerms, stemOf } from './terms.ts'

export interface QueryTerm {
  readonly term: string
  /** The typed text. */
  readonly word: string
  /** 1 + ln(n) for a term that was typed n times; half of that for a hyphenated word without its hyphens. */
  readonly weight: number
  /** Whether `term` is a prefix, and stands for all terms that begin with it. */
  readonly isPrefix: boolean
  /** Whether the title or the path must contain the term. */
  readonly inTitle: boolean
  /**
   * `name`: several words as one term, such as `snake_case`, `C++`, and `email` for `e-mail`; searched if the index has
   * it. `part`: a part of the previous word, such as `file` of `openFile`; searched if the index lacks that word.
   */
  readonly kind: 'word' | 'name' | 'part'
  /** For a `word`: a part of a hyphenated word, which is not corrected. For a `name`: a hyphenated word without its hyphens. */
  readonly isHyphenated?: true
}

/** Words that must follow each other. */
export interface Phrase {
  readonly terms: readonly string[]
  /** Whether only the title and path count. */
  readonly inTitle: boolean
}

/** An excluded word. */
export type WithoutTerm = Pick<QueryTerm, 'term' | 'isPrefix' | 'inTitle'>

export interface Query {
  readonly text: string
  /** The typed words and signs, without quotation marks, names of fields, exclusions, `path:…` and `contains:…`. */
  readonly plain: string
  readonly terms: readonly QueryTerm[]
  /** Required phrases; none for a long question, where quotation marks only emphasize. */
  readonly phrases: readonly Phrase[]
  /** The texts in quotation marks, even in a long question. */
  readonly quotes: readonly string[]
  readonly withoutTerms: readonly WithoutTerm[]
  readonly withoutPhrases: readonly Phrase[]
  /** Required substrings, without regard to case. */
  readonly pieces: readonly string[]
  readonly withoutPieces: readonly string[]
  /** Required substrings of the path, in lower case and without accents. */
  readonly paths: readonly string[]
  readonly withoutPaths: readonly string[]
}

/** Maximum UTF-16 units of a query that are read. A word of up to 256 characters that is split at this limit is dropped. */
const MAX_LENGTH = 32 * 1024
const CUT_WORD = /(?<=\s)\S{1,256}$|[\ud800-\udbff]$/

/** Maximum words of a query. A longer query, such as a pasted page, is searched by its most frequent words. */
const MAX_TERMS = 64

/** Maximum phrases of a query, and of each other list of conditions, because each is searched in all texts or paths. */
const MAX_PHRASES = 16

/** Weight of a hyphenated word without its hyphens, below the weight of the typed form. */
const WITHOUT_HYPHENS_WEIGHT = 0.5

/** A query with this many informative words outside quotes is a question or a passage, whose quotes are not searched as phrases. */
const MIN_PASSAGE_WORDS = 6

/** Matches a word, or a text in straight or curly quotes, with its minus and its field. In `contains:`, a backslash escapes a quote. */
const PART =
  /(-(?!-))?(?:contains:"((?:\\["\\]|[^"])*)(?:"|$)|(?:(title|path|contains):(?!:))?(?:["“”„‟«»]([^"“”„‟«»]*)(?:["“”„‟«»]|$)|([^\s"“”„‟«»]+)))/giu

/**
 * Reads a query: plain words, `"phrases"`, `-without`, `-"without this"`, `word*`, `title:word`, `path:part`,
 * `contains:"any text"`. In a query of signs alone, such as emoji and `&&`, the signs are substrings. One minus at the
 * start of a word excludes the word; two do not: `--force` is searched. Stop words are dropped unless all words are
 * stop words. Text and terms beyond the limits are dropped, too.
 */
export function parseQuery(text: string): Query {
  const reader = new QueryReader()
  const start = text.slice(0, MAX_LENGTH)
  const readText = /^\S/.test(text.slice(MAX_LENGTH)) ? start.replace(CUT_WORD, '') : start
  for (const match of composeText(readText).matchAll(PART)) reader.read(match)
  return reader.query(readText)
}

class QueryReader {
  readonly #terms = new Map<string, QueryTerm & { times: number }>()
  readonly #conditions = {
    phrases: [] as Phrase[],
    quotes: [] as string[],
    withoutTerms: [] as WithoutTerm[],
    withoutPhrases: [] as Phrase[],
    pieces: [] as string[],
    withoutPieces: [] as string[],
    paths: [] as string[],
    withoutPaths: [] as string[],
  }
  readonly #plain: string[] = []
  readonly #signs: string[] = []

  read([, minus, piece, field, quoted, plain]: RegExpExecArray): void {
    const isWithout = minus === '-'
    const value = quoted ?? plain ?? ''
    if (piece !== undefined || field?.toLowerCase() === 'contains') {
      const text = piece?.replaceAll(/\\(["\\])/g, '$1') ?? value
      if (text !== '')
        pushWithin(MAX_PHRASES, isWithout ? this.#conditions.withoutPieces : this.#conditions.pieces, text)
      return
    }
    if (field?.toLowerCase() === 'path') {
      const part = foldedPath(value)
      if (part !== '') pushWithin(MAX_PHRASES, isWithout ? this.#conditions.withoutPaths : this.#conditions.paths, part)
      return
    }
    const inTitle = field !== undefined
    if (!isWithout) this.#plain.push(quoted ?? value.replace(/\*$/, ''))
    // A minus before these characters is a part of an operator, such as `->`.
    const isOperator = isWithout && /^[>=|]+$/.test(value)
    // Ignores the variation selector, which many keyboards add to emoji.
    if (!inTitle && (isOperator || (!isWithout && SIGNS().test(value))))
      this.#signs.push(`${minus ?? ''}${value.replaceAll('`', '').trim()}`.replace(/\ufe0f$/, ''))
    if (quoted !== undefined) this.#addPhrase(quoted, { isWithout, inTitle })
    else if (isWithout) this.#addExclusion(value, inTitle)
    else this.#addWords(value, inTitle)
  }

  #addPhrase(text: string, { isWithout, inTitle }: { readonly isWithout: boolean; readonly inTitle: boolean }): void {
    const terms = mainTerms(text)
    const list = isWithout ? this.#conditions.withoutPhrases : this.#conditions.phrases
    if (terms.length > 0) pushWithin(MAX_PHRASES, list, { terms, inTitle })
    if (terms.length > 0 && !isWithout) pushWithin(MAX_PHRASES, this.#conditions.quotes, text.trim())
    if (!isWithout) this.#addText(text, inTitle)
  }

  #addExclusion(text: string, inTitle: boolean): void {
    const prefix = findPrefix(text)
    const name = findCompound(text)
    const terms = mainTerms(text)
    if (prefix?.start === 0) this.#addExcludedTerm({ term: prefix.term, isPrefix: true, inTitle })
    else if (terms.length > 1) pushWithin(MAX_PHRASES, this.#conditions.withoutPhrases, { terms, inTitle })
    else if (name !== undefined) this.#addExcludedTerm({ term: name, isPrefix: false, inTitle })
    else for (const term of terms) this.#addExcludedTerm({ term, isPrefix: isUnspacedCharacter(term), inTitle })
  }

  #addExcludedTerm(term: WithoutTerm): void {
    if (term.term !== '') pushWithin(MAX_TERMS, this.#conditions.withoutTerms, term)
  }

  #addWords(text: string, inTitle: boolean): void {
    const prefix = findPrefix(text)
    if (!prefix) {
      this.#addText(text, inTitle)
      return
    }
    this.#addText(text.slice(0, prefix.start), inTitle)
    this.#addTerm({ term: prefix.term, word: text.slice(prefix.start), isPrefix: true, inTitle, kind: 'word' })
  }

  #addText(text: string, inTitle: boolean): void {
    let wholeTerm = ''
    const hyphenated = [...text.matchAll(HYPHENATED())].map(({ 0: word, index }) => {
      return { word, start: index, end: index + word.length }
    })
    let next = 0
    // Words come in the order of the text, so `next` only grows.
    const isInHyphenated = (start: number) => {
      while ((hyphenated[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++
      return start >= (hyphenated[next]?.start ?? Number.POSITIVE_INFINITY)
    }
    const addAs = (kind: QueryTerm['kind']) => (term: string, start: number, end: number) => {
      if (kind === 'word') wholeTerm = term
      const isPrefix = kind === 'word' && isUnspacedCharacter(term)
      const word = text.slice(start, end)
      const hyphen = kind === 'word' && isInHyphenated(start) ? ({ isHyphenated: true } as const) : {}
      this.#addTerm({ term, word, isPrefix, inTitle, kind, ...hyphen }, kind === 'part' ? wholeTerm : '')
    }
    scanTerms(text, { main: addAs('word'), extra: addAs('name'), part: addAs('part'), tail: () => {} })
    for (const { word } of hyphenated) {
      const [term, ...others] = mainTerms(word.replace(/[-\u2010\u2011]/g, ''))
      if (term !== undefined && others.length === 0)
        this.#addTerm({ term, word, isPrefix: false, inTitle, kind: 'name', isHyphenated: true })
    }
  }

  /** `whole`: for a part of a word, the term of the whole word. */
  #addTerm(term: Omit<QueryTerm, 'weight'>, whole = ''): void {
    if (term.term === '') return
    const key = `${term.isPrefix}${term.inTitle} ${whole} ${term.term}`
    const known = this.#terms.get(key)
    if (known) known.times++
    else this.#terms.set(key, { ...term, weight: 1, times: 1 })
  }

  query(text: string): Query {
    const terms = [...this.#terms.values()].map(({ times, ...term }) => {
      const factor = term.kind === 'name' && term.isHyphenated ? WITHOUT_HYPHENS_WEIGHT : 1
      return { ...term, weight: factor * (1 + Math.log(times)) }
    })
    const { phrases, pieces, paths } = this.#conditions
    const stopWordsInPhrases = new Set(phrases.flatMap(({ terms }) => (terms.every(isStopWord) ? terms : [])))
    const isRequired = ({ term, isPrefix, inTitle }: QueryTerm) => isPrefix || inTitle || stopWordsInPhrases.has(term)
    const informative = takeMostFrequent(
      terms.filter((term) => isRequired(term) || !isStopWord(term.term)),
      isRequired,
    )
    const hasOnlySigns = informative.length + pieces.length + paths.length === 0 && this.#signs.length > 0
    return {
      text,
      plain: this.#plain.join(' ').trim(),
      terms: informative.length > 0 ? informative : hasOnlySigns ? [] : terms.slice(0, MAX_TERMS),
      ...this.#conditions,
      phrases: this.#isPassage(informative) ? [] : phrases,
      pieces: hasOnlySigns ? this.#signs.slice(0, MAX_PHRASES) : pieces,
    }
  }

  #isPassage(informative: readonly QueryTerm[]): boolean {
    const quoted = new Set(this.#conditions.phrases.flatMap(({ terms }) => terms))
    return informative.filter(({ term, kind }) => kind === 'word' && !quoted.has(term)).length >= MIN_PASSAGE_WORDS
  }
}

/** Rank of a required term, above the weight that repetitions can give to another term. */
const ABOVE_ANY_WEIGHT = 1000

/** All terms, if at most `MAX_TERMS`; else the required and the most frequent words, in the order of the query. */
function takeMostFrequent(terms: readonly QueryTerm[], isRequired: (term: QueryTerm) => boolean): readonly QueryTerm[] {
  if (terms.length <= MAX_TERMS) return terms
  const words = terms.filter(({ kind }) => kind === 'word')
  const rank = (term: QueryTerm) => (isRequired(term) ? ABOVE_ANY_WEIGHT : term.weight)
  const chosen = new Set([...words].sort((a, b) => rank(b) - rank(a)).slice(0, MAX_TERMS))
  return words.filter((term) => chosen.has(term))
}

function pushWithin<Item>(limit: number, list: Item[], item: Item): void {
  if (list.length < limit) list.push(item)
}

/** The last word of a text that ends in `*`; undefined for another text, and in scripts without spaces. */
function findPrefix(text: string): { readonly term: string; readonly start: number } | undefined {
  if (!text.endsWith('*')) return undefined
  let last = { start: 0, end: 0 }
  const word = (start: number, end: number) => {
    last = { start, end }
  }
  scanWords(text, { word, unspacedRun: () => word(0, 0) })
  const { start, end } = last
  return end > start && end === text.length - 1 ? { term: foldWord(text.slice(start, end)), start } : undefined
}

/** The term of a name that is written as several words, such as `C++`; undefined without one. */
function findCompound(text: string): string | undefined {
  let name: string | undefined
  const extra = (term: string) => {
    name = term
  }
  scanTerms(text, { main: () => {}, extra, part: () => {}, tail: () => {} })
  return name
}

/** Whether a term is one character of a script without spaces: a prefix, because indexed terms have two characters. */
function isUnspacedCharacter(term: string): boolean {
  return UNSPACED_CHARACTER().test(term)
}

/** Matches hyphenated words, with any of three hyphens. */
const HYPHENATED = lazyPattern(String.raw`(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-\u2010\u2011][\p{L}\p{N}]+)+`, 'gu')

/** Matches emoji, arrows and operators: neither words nor punctuation. */
const SIGNS = lazyPattern(String.raw`[\p{S}\p{Extended_Pictographic}§]|^(?![!?…,;–—']+$)[^\p{L}\p{N}\s]{2,}$`, 'u')

const UNSPACED_CHARACTER = lazyPattern(
  String.raw`^(?=\p{L})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*$`,
  'u',
)

/** Endings of English words. */
export const ENDINGS =
  `s es ed eed ing ies y ly e er or ers ors ational tional ency ancy izer ably ally ently ously ization
  ation ator alism iveness fulness ousness ality ivity ability ibility icate ative alize icity ical ful ness al ance ence
  ic able ible ant ement ment ent ion ism ate ity ous ive ize`.split(/\s+/)

/**
 * The stem of a prefix, then the shorter stems of words that begin with it: `configur` for `configurat`, because of `configuration`.
 */
export function stemsOfPrefix(prefix: string): string[] {
  const stems = [stemOf(prefix)]
  if (!/^[a-z]{3,}$/.test(prefix)) return stems
  for (const ending of [...ENDINGS, ...ENDINGS.map((each) => `${each}s`)]) {
    for (let typed = 0; typed < ending.length; typed++) {
      if (prefix.endsWith(ending.slice(0, typed))) stems.push(stemOf(prefix + ending.slice(typed)))
    }
  }
  return [...new Set(stems)].filter((stem) => stem === stems[0] || !stem.startsWith(prefix))
}
