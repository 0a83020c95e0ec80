/** What a person or an agent types, as what is looked for. Any text is a query; none is an error. */

import { folded, isStopWord, mainTerms, scanTerms, stemOf } from './terms.ts'

/** One word that is looked for. */
export interface QueryTerm {
  readonly term: string
  /** As it was typed. */
  readonly word: string
  /** How often it was typed, damped: 1 + ln. */
  readonly weight: number
  /** Stands for every term that begins like it. */
  readonly isPrefix: boolean
  /** Must stand in the title or path. */
  readonly inTitle: boolean
  /**
   * `name`: what words of the query are as one, such as `snake_case` and `C++`; counts when the index knows it.
   * `part`: of the word before it, such as `file` of `openFile`; counts when the index does not know that.
   */
  readonly kind: 'word' | 'name' | 'part'
}

/** Words that must stand one after the other. */
export interface Phrase {
  readonly terms: readonly string[]
  readonly inTitle: boolean
}

export interface Query {
  readonly text: string
  readonly terms: readonly QueryTerm[]
  /** Must be there; in a long question quotes only set off what counts more. */
  readonly phrases: readonly Phrase[]
  readonly withoutTerms: readonly Pick<QueryTerm, 'term' | 'isPrefix'>[]
  readonly withoutPhrases: readonly Phrase[]
  /** What the path must hold, folded. */
  readonly paths: readonly string[]
  readonly withoutPaths: readonly string[]
}

/** Words of the longest query; an agent may paste a page. */
const MOST_TERMS = 64

/** Telling words outside quotes from which on a query is a question or a passage, whose quotes are no commands. */
const PASSAGE = 6

/** A word, or what stands between quotes, with its signs. */
const PART = /(-?)(?:(title|path):)?(?:"([^"]*)(?:"|$)|([^\s"]+))/giu

/**
 * Reads a query: plain words, `"phrases"`, `-without`, `-"without this"`, `word*`, `title:word`, `path:part`. A minus is a
 * sign only where a word begins. Words that say little are dropped unless there are no others.
 */
export function parseQuery(text: string): Query {
  const reader = new Reader()
  for (const found of text.matchAll(PART)) reader.read(found)
  return reader.query(text)
}

class Reader {
  readonly #terms = new Map<string, QueryTerm & { times: number }>()
  readonly #phrases: Phrase[] = []
  readonly #withoutTerms: Pick<QueryTerm, 'term' | 'isPrefix'>[] = []
  readonly #withoutPhrases: Phrase[] = []
  readonly #paths: string[] = []
  readonly #withoutPaths: string[] = []

  read([, sign, field, quoted, plain]: RegExpExecArray): void {
    const isWithout = sign === '-'
    const value = quoted ?? plain ?? ''
    if (field?.toLowerCase() === 'path') {
      const list = isWithout ? this.#withoutPaths : this.#paths
      if (value !== '') list.push(folded(value))
      return
    }
    const inTitle = field !== undefined
    if (quoted !== undefined) this.#phrase(quoted, { isWithout, inTitle })
    else this.#words(value, { isWithout, inTitle })
  }

  #phrase(text: string, { isWithout, inTitle }: Manner): void {
    const terms = mainTerms(text)
    if (isWithout) {
      if (terms.length > 0) this.#withoutPhrases.push({ terms, inTitle })
      return
    }
    if (terms.length > 0) this.#phrases.push({ terms, inTitle })
    this.#add(text, { inTitle })
  }

  #words(text: string, { isWithout, inTitle }: Manner): void {
    const isPrefix = text.length > 1 && text.endsWith('*')
    if (isWithout) {
      const terms = mainTerms(text)
      if (terms.length > 1) this.#withoutPhrases.push({ terms, inTitle })
      else this.#withoutTerms.push(...terms.map((term) => ({ term: isPrefix ? bare(text) : term, isPrefix })))
    } else if (isPrefix) this.#put({ term: bare(text), word: text, isPrefix, inTitle, kind: 'word' })
    else this.#add(text, { inTitle })
  }

  #add(text: string, { inTitle }: Pick<Manner, 'inTitle'>): void {
    const tell = (kind: QueryTerm['kind']) => (term: string, start: number, end: number) =>
      this.#put({ term, word: text.slice(start, end), isPrefix: false, inTitle, kind })
    scanTerms(text, { main: tell('word'), extra: tell('name'), part: tell('part') })
  }

  #put(term: Omit<QueryTerm, 'weight'>): void {
    if (term.term === '') return
    const key = `${term.isPrefix}${term.inTitle} ${term.term}`
    const known = this.#terms.get(key)
    if (known) known.times++
    else if (this.#terms.size < MOST_TERMS) this.#terms.set(key, { ...term, weight: 1, times: 1 })
  }

  query(text: string): Query {
    const all = [...this.#terms.values()].map(({ times, ...term }) => ({ ...term, weight: 1 + Math.log(times) }))
    const telling = all.filter(({ term, isPrefix, inTitle }) => isPrefix || inTitle || !isStopWord(term))
    return {
      text,
      terms: telling.length > 0 ? telling : all,
      phrases: this.#isPassage(telling) ? [] : this.#phrases,
      withoutTerms: this.#withoutTerms,
      withoutPhrases: this.#withoutPhrases,
      paths: this.#paths,
      withoutPaths: this.#withoutPaths,
    }
  }

  #isPassage(telling: readonly QueryTerm[]): boolean {
    const quoted = new Set(this.#phrases.flatMap(({ terms }) => terms))
    return telling.filter(({ term, kind }) => kind === 'word' && !quoted.has(term)).length >= PASSAGE
  }
}

interface Manner {
  readonly isWithout: boolean
  readonly inTitle: boolean
}

/** What a prefix begins with: of `multi-agen*` the last word. */
function bare(text: string): string {
  return mainTerms(`${folded(text.slice(0, -1))}`).length > 0 ? lastWord(folded(text.slice(0, -1))) : ''
}

function lastWord(text: string): string {
  return /[\p{L}\p{M}\p{N}]+$/u.exec(text)?.[0] ?? ''
}

/** A prefix as shorter and shorter terms: a term is a stem, which may be shorter than what was typed of its word. */
export function stemsOfPrefix(prefix: string): string[] {
  const shorter = Array.from({ length: Math.max(0, prefix.length - 4) }, (_, cut) =>
    prefix.slice(0, prefix.length - cut - 1),
  )
  return [stemOf(prefix), ...shorter]
}
