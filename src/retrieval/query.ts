/** Parses a query. Any text is a query; none is an error. */

import { foldedPath } from '../text/paths.ts'
import { laterPattern } from '../text/wildcards.ts'
import { scanWords } from './index/words.ts'
import { composeText, foldWord, isStopWord, mainTerms, olderTerm, scanTerms, stemOf } from './terms.ts'

/** One word that is looked for. */
export interface QueryTerm {
  readonly term: string
  /** As it was typed. */
  readonly word: string
  /** The term of an index that was made before letters such as `ø` were folded, where that is another. */
  readonly older?: string
  /** How often it was typed, damped: 1 + ln. */
  readonly weight: number
  /** Stands for every term that begins like it. */
  readonly isPrefix: boolean
  /** Must stand in the title or path. */
  readonly inTitle: boolean
  /**
   * `name`: what words of the query are as one, such as `snake_case`, `C++`, and `email` of `e-mail`; counts when the index knows it.
   * `part`: of the word before it, such as `file` of `openFile`; counts when the index does not know that.
   */
  readonly kind: 'word' | 'name' | 'part'
  /** A part of a word with hyphens, which is nobody's slip and taken for no other word; of a `name`, that word without them. */
  readonly isHyphenated?: true
}

/** Words that must stand one after the other. */
export interface Phrase {
  readonly terms: readonly string[]
  readonly inTitle: boolean
}

/** One word that must not be there. */
export type WithoutTerm = Pick<QueryTerm, 'term' | 'isPrefix' | 'inTitle'>

export interface Query {
  readonly text: string
  /** Words of the query alone: without signs, paths and exclusions. */
  readonly plain: string
  readonly terms: readonly QueryTerm[]
  /** Must be there; in a long question quotes only set off what counts more. */
  readonly phrases: readonly Phrase[]
  readonly withoutTerms: readonly WithoutTerm[]
  readonly withoutPhrases: readonly Phrase[]
  /** Pieces of text that must be there, whatever words they are of; without regard to case. */
  readonly pieces: readonly string[]
  readonly withoutPieces: readonly string[]
  /** Texts that the path must hold: in lower case and without accents. */
  readonly paths: readonly string[]
  readonly withoutPaths: readonly string[]
}

/** Words that are looked for of the longest query: an agent may paste a page, of which those tell most that come again. */
const MOST_TERMS = 64

/** Phrases of the longest query, and parts of paths: each is looked for in all texts, or in all paths. */
const MOST_PHRASES = 16

/** Weight of a hyphenated word without its hyphens, below that of the typed form. */
const WITHOUT_HYPHENS = 0.5

/** Telling words outside quotes from which on a query is a question or a passage, whose quotes are no commands. */
const PASSAGE = 6

/** A word, or what stands between quotes, straight or curly, with its signs. In a piece of text a quote may stand behind a backslash. */
const PART =
  /(-(?!-))?(?:contains:"((?:\\["\\]|[^"])*)(?:"|$)|(?:(title|path|contains):(?!:))?(?:["“”„‟«»]([^"“”„‟«»]*)(?:["“”„‟«»]|$)|([^\s"“”„‟«»]+)))/giu

/**
 * Reads a query: plain words, `"phrases"`, `-without`, `-"without this"`, `word*`, `title:word`, `path:part`,
 * `contains:"any text"`. Signs such as emoji and `&&` are pieces of text where nothing else tells anything. A minus is a sign only where a word begins, and two are none: `--force` is looked for. Words that say little are dropped unless there
 * are no others. What is more than a query may hold is dropped, too.
 */
export function parseQuery(text: string): Query {
  const reader = new QueryReader()
  for (const found of composeText(text).matchAll(PART)) reader.read(found)
  return reader.query(text)
}

class QueryReader {
  readonly #terms = new Map<string, QueryTerm & { times: number }>()
  readonly #found = {
    phrases: [] as Phrase[],
    withoutTerms: [] as WithoutTerm[],
    withoutPhrases: [] as Phrase[],
    pieces: [] as string[],
    withoutPieces: [] as string[],
    paths: [] as string[],
    withoutPaths: [] as string[],
  }
  readonly #plain: string[] = []
  readonly #signs: string[] = []

  read([, sign, piece, field, quoted, plain]: RegExpExecArray): void {
    const isWithout = sign === '-'
    const value = quoted ?? plain ?? ''
    if (piece !== undefined || field?.toLowerCase() === 'contains') {
      const text = piece?.replaceAll(/\\(["\\])/g, '$1') ?? value
      if (text !== '') pushUpTo(MOST_PHRASES, isWithout ? this.#found.withoutPieces : this.#found.pieces, text)
      return
    }
    if (field?.toLowerCase() === 'path') {
      const part = foldedPath(value)
      if (part !== '') pushUpTo(MOST_PHRASES, isWithout ? this.#found.withoutPaths : this.#found.paths, part)
      return
    }
    const inTitle = field !== undefined
    if (!isWithout) this.#plain.push(quoted ?? value.replace(/\*$/, ''))
    // How a sign is drawn is not a part of it.
    const isOperator = isWithout && /^[>=|]+$/.test(value)
    if (!inTitle && (isOperator || (!isWithout && SIGN().test(value))))
      this.#signs.push(`${sign ?? ''}${value.replaceAll('`', '').trim()}`.replace(/\ufe0f$/, ''))
    if (quoted !== undefined) this.#phrase(quoted, { isWithout, inTitle })
    else if (isWithout) this.#without(value, inTitle)
    else this.#words(value, inTitle)
  }

  #phrase(text: string, { isWithout, inTitle }: { readonly isWithout: boolean; readonly inTitle: boolean }): void {
    const terms = mainTerms(text)
    const list = isWithout ? this.#found.withoutPhrases : this.#found.phrases
    if (terms.length > 0) pushUpTo(MOST_PHRASES, list, { terms, inTitle })
    if (!isWithout) this.#add(text, inTitle)
  }

  #without(text: string, inTitle: boolean): void {
    const prefix = prefixOf(text)
    const name = compoundTerm(text)
    const terms = mainTerms(text)
    if (prefix?.start === 0) this.#withoutTerm({ term: prefix.term, isPrefix: true, inTitle })
    else if (terms.length > 1) pushUpTo(MOST_PHRASES, this.#found.withoutPhrases, { terms, inTitle })
    else if (name !== undefined) this.#withoutTerm({ term: name, isPrefix: false, inTitle })
    else for (const term of terms) this.#withoutTerm({ term, isPrefix: isOneOfRun(term), inTitle })
  }

  #withoutTerm(term: WithoutTerm): void {
    if (term.term !== '') pushUpTo(MOST_TERMS, this.#found.withoutTerms, term)
  }

  #words(text: string, inTitle: boolean): void {
    const prefix = prefixOf(text)
    if (!prefix) {
      this.#add(text, inTitle)
      return
    }
    this.#add(text.slice(0, prefix.start), inTitle)
    this.#put({ term: prefix.term, word: text.slice(prefix.start), isPrefix: true, inTitle, kind: 'word' })
  }

  #add(text: string, inTitle: boolean): void {
    let whole = ''
    const hyphenated = [...text.matchAll(HYPHENATED())]
    let at = 0
    // Words come in their order.
    const isInside = (start: number) => {
      while (at < hyphenated.length && endOfMatch(hyphenated[at]) <= start) at++
      return start >= (hyphenated[at]?.index ?? Number.POSITIVE_INFINITY)
    }
    const tell = (kind: QueryTerm['kind']) => (term: string, start: number, end: number) => {
      if (kind === 'word') whole = term
      const isPrefix = kind === 'word' && isOneOfRun(term)
      const word = text.slice(start, end)
      const hyphen = kind === 'word' && isInside(start) ? ({ isHyphenated: true } as const) : {}
      const older = kind === 'word' ? olderTerm(word, term) : undefined
      const known = older === undefined ? {} : { older }
      this.#put({ term, word, isPrefix, inTitle, kind, ...known, ...hyphen }, kind === 'part' ? whole : '')
    }
    scanTerms(text, { main: tell('word'), extra: tell('name'), part: tell('part'), tail: () => {} })
    for (const [word] of hyphenated) {
      const [term, ...more] = mainTerms(word.replace(/[-\u2010\u2011]/g, ''))
      if (term !== undefined && more.length === 0)
        this.#put({ term, word, isPrefix: false, inTitle, kind: 'name', isHyphenated: true })
    }
  }

  /** `of`: the term that it is a part of. */
  #put(term: Omit<QueryTerm, 'weight'>, of = ''): void {
    if (term.term === '') return
    const key = `${term.isPrefix}${term.inTitle} ${of} ${term.term}`
    const known = this.#terms.get(key)
    if (known) known.times++
    else this.#terms.set(key, { ...term, weight: 1, times: 1 })
  }

  query(text: string): Query {
    const all = [...this.#terms.values()].map(({ times, ...term }) => {
      const share = term.kind === 'name' && term.isHyphenated ? WITHOUT_HYPHENS : 1
      return { ...term, weight: share * (1 + Math.log(times)) }
    })
    const needed = new Set(this.#found.phrases.flatMap(({ terms }) => (terms.every(isStopWord) ? terms : [])))
    const isNeeded = ({ term, isPrefix, inTitle }: QueryTerm) => isPrefix || inTitle || needed.has(term)
    const telling = mostFrequent(
      all.filter((one) => isNeeded(one) || !isStopWord(one.term)),
      isNeeded,
    )
    const isSigns =
      telling.length + this.#found.pieces.length + this.#found.paths.length === 0 && this.#signs.length > 0
    return {
      text,
      plain: this.#plain.join(' ').trim(),
      terms: telling.length > 0 ? telling : isSigns ? [] : all.slice(0, MOST_TERMS),
      ...this.#found,
      phrases: this.#isPassage(telling) ? [] : this.#found.phrases,
      pieces: isSigns ? this.#signs.slice(0, MOST_PHRASES) : this.#found.pieces,
    }
  }

  #isPassage(telling: readonly QueryTerm[]): boolean {
    const quoted = new Set(this.#found.phrases.flatMap(({ terms }) => terms))
    return telling.filter(({ term, kind }) => kind === 'word' && !quoted.has(term)).length >= PASSAGE
  }
}

/** More than any word weighs by how often it was typed. */
const NEEDED = 1000

/** All terms where they are few; else words alone: those that are needed, then those that were typed most often, in their order. */
function mostFrequent(terms: readonly QueryTerm[], isNeeded: (term: QueryTerm) => boolean): readonly QueryTerm[] {
  if (terms.length <= MOST_TERMS) return terms
  const words = terms.filter(({ kind }) => kind === 'word')
  const rank = (term: QueryTerm) => (isNeeded(term) ? NEEDED : term.weight)
  const chosen = new Set([...words].sort((a, b) => rank(b) - rank(a)).slice(0, MOST_TERMS))
  return words.filter((term) => chosen.has(term))
}

function endOfMatch(match: RegExpExecArray | undefined): number {
  return match ? match.index + match[0].length : 0
}

function pushUpTo<Item>(most: number, list: Item[], item: Item): void {
  if (list.length < most) list.push(item)
}

/** The last word of a text, where a `*` stands right behind it; a text without spaces needs none. */
function prefixOf(text: string): { readonly term: string; readonly start: number } | undefined {
  if (!text.endsWith('*')) return undefined
  let last = { start: 0, end: 0 }
  const word = (start: number, end: number) => {
    last = { start, end }
  }
  scanWords(text, { word, run: () => word(0, 0), compound: () => {} })
  const { start, end } = last
  return end > start && end === text.length - 1 ? { term: foldWord(text.slice(start, end)), start } : undefined
}

/** Words as one term, such as `C++`. */
function compoundTerm(text: string): string | undefined {
  let name: string | undefined
  const extra = (term: string) => {
    name = term
  }
  scanTerms(text, { main: () => {}, extra, part: () => {}, tail: () => {} })
  return name
}

/** A character of a text without spaces: terms are two of them, so it stands for all that begin with it. */
function isOneOfRun(term: string): boolean {
  return ONE_OF_RUN().test(term)
}

/** Words with hyphens between them, in any of three forms. */
const HYPHENATED = laterPattern(String.raw`(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-\u2010\u2011][\p{L}\p{N}]+)+`, 'gu')

/** Emoji, arrows, operators: what is not a word, and not punctuation of a sentence. */
const SIGN = laterPattern(String.raw`[\p{S}\p{Extended_Pictographic}§]|^(?![!?…,;–—']+$)[^\p{L}\p{N}\s]{2,}$`, 'u')

const ONE_OF_RUN = laterPattern(
  String.raw`^(?=\p{L})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*$`,
  'u',
)

/** How English words go on after what was typed of them, or end. */
export const ENDINGS =
  `s es ed eed ing ies y ly e er or ers ors ational tional ency ancy izer ably ally ently ously ization
  ation ator alism iveness fulness ousness ality ivity ability ibility icate ative alize icity ical ful ness al ance ence
  ic able ible ant ement ment ent ion ism ate ity ous ive ize`.split(/\s+/)

/**
 * Stems of words that begin with a prefix, where the stem is the shorter of the two: of `configurat`, by `configuration`,
 * `configur`. The prefix itself comes first, by its stem.
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
