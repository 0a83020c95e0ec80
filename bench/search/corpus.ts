import { randomOf } from '../random.ts'

/** Generates documentation. The same seed and number give the same bytes on every machine. */

const SEED = 47

/** Characters of a document. Half of the documents are shorter than the median, a few are hundreds of times longer. */
const SIZE = { median: 1650, sigma: 1.28, least: 200, most: 500_000 }

/**
 * The share of phrases that a document repeats. With it, a text compresses to two fifths like real documentation (a third to
 * two fifths, file by file), and has about as many different words.
 */
const SAID_AGAIN = 0.4

/** Number of identifiers of a topic. */
const NAMES = 60

/** Number of documents in a folder, and of folders in an area. */
const FOLDER = 25
const AREA = 12

export interface GeneratedFile {
  readonly path: string
  readonly text: string
}

export interface Corpus {
  file(index: number): GeneratedFile
}

export function corpusOf(seed = SEED): Corpus {
  const language = languageOf(seed)
  const shape = (index: number) => shapeOf(index, seed, language)
  return {
    file(index) {
      const { path, title, topic, random } = shape(index)
      return { path, text: new Writer({ title, topic, index, language, random, shape }).document() }
    },
  }
}

interface Shape {
  readonly path: string
  readonly title: string
  readonly topic: number
  /** The generator, in the state after the title. */
  readonly random: () => number
}

/** The parts of a document that other documents need to link to it, before it is written. */
function shapeOf(index: number, seed: number, language: Language): Shape {
  const random = randomOf(seed * 1_000_003 + index)
  const folder = Math.floor(index / FOLDER)
  const topic = folder % TOPIC_COUNT
  const words = Array.from({ length: between(2, 6, random) }, () => language.noun(topic, random))
  const names = randomOf(seed * 7919 + folder)
  const area = randomOf(seed * 104_729 + Math.floor(folder / AREA))
  const path = [
    `${language.noun(0, area)}-${Math.floor(folder / AREA)}`,
    `${language.noun(topic, names)}-${folder}`,
    `${words.slice(0, 3).join('-')}-${index}.md`,
  ].join('/')
  return { path, title: capital(words.join(' ')), topic, random }
}

interface Sheet {
  readonly title: string
  readonly topic: number
  readonly index: number
  readonly language: Language
  readonly random: () => number
  readonly shape: (index: number) => Shape
}

class Writer {
  readonly #sheet: Sheet
  readonly #said: (readonly string[])[] = []

  constructor(sheet: Sheet) {
    this.#sheet = sheet
  }

  document(): string {
    const { title, random } = this.#sheet
    const wanted = Math.min(SIZE.most, Math.max(SIZE.least, SIZE.median * Math.exp(SIZE.sigma * normal(random))))
    let text = `${random() < 0.6 ? this.#frontMatter() : ''}# ${title}\n\n${this.#paragraph()}`
    for (let section = 0; text.length < wanted; section++) {
      if (section % 4 === 3) text += `## ${capital(this.#phrase(between(2, 7, random)))}\n\n`
      text += this.#block()
    }
    return text
  }

  #frontMatter(): string {
    const { title, random } = this.#sheet
    const date = `20${between(15, 26, random)}-0${between(1, 10, random)}-1${between(0, 10, random)}`
    return `---\ntitle: ${title}\ndescription: ${this.#sentence()}\ndate: ${date}\n---\n\n`
  }

  #block(): string {
    const { random } = this.#sheet
    const kind = random()
    if (kind < 0.62) return this.#paragraph()
    if (kind < 0.78) return this.#list()
    if (kind < 0.9) return this.#fence()
    return kind < 0.95 ? this.#table() : `> **${capital(this.#noun())}**: ${this.#sentence()}\n\n`
  }

  #paragraph(): string {
    const { random } = this.#sheet
    const sentences = Array.from({ length: between(2, 6, random) }, () => this.#sentence())
    return `${sentences.join(' ')}${random() < 0.3 ? ` See ${this.#link()}.` : ''}\n\n`
  }

  #list(): string {
    const items = Array.from({ length: between(3, 8, this.#sheet.random) }, () => `- ${this.#sentence()}\n`)
    return `${items.join('')}\n`
  }

  #fence(): string {
    const { random } = this.#sheet
    const lines = Array.from(
      { length: between(2, 7, random) },
      () => `const ${this.#name()} = ${this.#name()}.${this.#name()}(${between(0, 500, random)})\n`,
    )
    return `\`\`\`ts\n${lines.join('')}\`\`\`\n\n`
  }

  #table(): string {
    const rows = Array.from(
      { length: between(2, 9, this.#sheet.random) },
      () => `| \`${this.#name()}\` | ${this.#sentence()} |\n`,
    )
    return `| name | meaning |\n| --- | --- |\n${rows.join('')}\n`
  }

  /** A link to a document shortly before. */
  #link(): string {
    const { index, random, shape } = this.#sheet
    const { path, title } = shape(Math.max(0, index - between(0, 60, random)))
    return `[${random() < 0.5 ? title : this.#phrase(3)}](../../${path})`
  }

  #sentence(): string {
    const { random } = this.#sheet
    const words: string[] = []
    for (const length = between(5, 22, random); words.length < length; ) words.push(...this.#run())
    if (random() < 0.15) words.splice(between(0, words.length, random), 1, `\`${this.#name()}\``)
    if (random() < 0.3) words[0] = `${words[0]},`
    return `${capital(words.join(' '))}.`
  }

  /** A phrase: new, or repeated from this document. */
  #run(): readonly string[] {
    const { topic, language, random } = this.#sheet
    if (random() < SAID_AGAIN && this.#said.length > 0) return pick(this.#said, random)
    const words = Array.from({ length: between(2, 7, random) }, () => language.word(topic, random))
    this.#said.push(words)
    return words
  }

  #phrase(words: number): string {
    return Array.from({ length: words }, () => this.#noun()).join(' ')
  }

  #noun(): string {
    return this.#sheet.language.noun(this.#sheet.topic, this.#sheet.random)
  }

  /** One of the identifiers of the topic, in one of the usual spellings. */
  #name(): string {
    const { topic, language, random } = this.#sheet
    const own = randomOf(topic * NAMES + between(0, NAMES, random))
    const words = [language.noun(topic, own), language.noun(topic, own)]
    return pick([words.join('_'), words[0] + capital(words[1] ?? ''), `${words[0]}`], own)
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A normally distributed number with mean 0 and standard deviation 1 (Box–Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/**
 * An invented language with realistic statistics: few words are frequent and most are rare (Zipf), the frequent ones are
 * English, and words have several forms (`tarel`, `tarels`, `tarelation`), as a stemmer expects.
 */

/** English function words, by frequency. */
const FUNCTION_WORDS = `the of to and a in is that for it as with on be this by an are or not from at can if when which
you will have has was but all one more no your use used may each other than any these into only also must how out up
some there do does then so its see what where set between about after before because without over while such both
same first most new now under until through here`.split(/\s+/)

const ONSETS = 'b br c ch d dr f fl g gr h j k l m n p pl pr r s sh sl sp st t th tr v w z'.split(' ')
const VOWELS = 'a e i o u a e i o u ea oo'.split(' ')
const CODAS = ['', '', '', '', '', 'n', 'r', 'l', 's', 't', 'm', 'nd', 'ck']
const SUFFIXES = ['', '', 's', 'ed', 'ing', 'er', 'ation', 'able', 'ment', 'ly', 'ness', 'ers']

/** Number of words in the language. A text of 40 MB contains most of them. */
const WORDS = 60_000

/** Zipf–Mandelbrot: the share of the word at rank r is proportional to (r + shift) ** -exponent. */
const ZIPF = { exponent: 1.05, shift: 2.7 }

/** Documents on one topic share words that others rarely use. */
const TOPICS = { count: 240, words: 400, from: 250, to: 30_000, share: 0.22 }

type Random = () => number

interface Language {
  /** A word for running text about a topic. */
  word(topic: number, random: Random): string
  /** A content word, not a function word. */
  noun(topic: number, random: Random): string
}

const TOPIC_COUNT = TOPICS.count

/** Generates a language. The same seed gives the same language. */
function languageOf(seed: number): Language {
  const random = randomOf(seed)
  const words = vocabularyOf(random)
  const general = zipf(words.length)
  const special = zipf(TOPICS.words)
  const topics = Array.from({ length: TOPICS.count }, () =>
    Array.from({ length: TOPICS.words }, () => words[between(TOPICS.from, TOPICS.to, random)] ?? ''),
  )
  const fromTopic = (topic: number, draw: Random) => topics[topic % TOPICS.count]?.[special(draw())] ?? ''
  return {
    word: (topic, draw) => (draw() < TOPICS.share ? fromTopic(topic, draw) : (words[general(draw())] ?? '')),
    noun: (topic, draw) =>
      draw() < 0.7 ? fromTopic(topic, draw) : (words[between(FUNCTION_WORDS.length, 8000, draw)] ?? ''),
  }
}

function vocabularyOf(random: Random): string[] {
  const words = new Set(FUNCTION_WORDS)
  while (words.size < WORDS) {
    const stem = stemOf(random)
    words.add(stem)
    // Each form of a stem has a rank of its own.
    if (random() < 0.5) words.add(stem + pick(SUFFIXES, random))
  }
  return [...words].slice(0, WORDS)
}

function stemOf(random: Random): string {
  const syllables = 1 + Math.floor(random() * 3)
  const syllableTexts = Array.from(
    { length: syllables },
    () => pick(ONSETS, random) + pick(VOWELS, random) + pick(CODAS, random),
  )
  return syllableTexts.join('')
}

/** Maps a number in [0, 1) to a rank. Low ranks are more likely. */
function zipf(count: number): (at: number) => number {
  const sums = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank++) {
    sum += (rank + 1 + ZIPF.shift) ** -ZIPF.exponent
    sums[rank] = sum
  }
  return (at) => {
    const wanted = at * sum
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}

function pick<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)] as T
}

/** An integer from `low` to `high - 1`. */
function between(low: number, high: number, random: Random): number {
  return low + Math.floor(random() * (high - low))
}
