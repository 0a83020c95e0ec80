import { randomOf } from '../random.ts'

/**
 * A language that nobody speaks, with the statistics of one: few words are frequent and most are rare (Zipf), the
 * frequent ones are English, and words come in forms (`tarel`, `tarels`, `tarelation`), as a stemmer expects.
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

/** Words of the language. A text of 40 MB holds most of them. */
const WORDS = 60_000

/** Zipf–Mandelbrot: the share of the word at rank r is in proportion to (r + shift) ** -exponent. */
const ZIPF = { exponent: 1.05, shift: 2.7 }

/** Documents about one thing share words that others seldom use. */
const TOPICS = { count: 240, words: 400, from: 250, to: 30_000, share: 0.22 }

type Random = () => number

export interface Language {
  /** A word as it stands in running text about a topic. */
  word(topic: number, random: Random): string
  /** A word that says something: none of the function words. */
  noun(topic: number, random: Random): string
}

export const TOPIC_COUNT = TOPICS.count

/** Makes the language; the same seed gives the same one. */
export function languageOf(seed: number): Language {
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
    // Forms of a stem stand apart: their ranks differ.
    if (random() < 0.5) words.add(stem + pick(SUFFIXES, random))
  }
  return [...words].slice(0, WORDS)
}

function stemOf(random: Random): string {
  const syllables = 1 + Math.floor(random() * 3)
  const made = Array.from(
    { length: syllables },
    () => pick(ONSETS, random) + pick(VOWELS, random) + pick(CODAS, random),
  )
  return made.join('')
}

/** Maps a number in [0, 1) to a rank, low ranks being more likely. */
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

export function pick<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)] as T
}

/** A whole number from `low` to `high - 1`. */
export function between(low: number, high: number, random: Random): number {
  return low + Math.floor(random() * (high - low))
}
