/** Which passages of texts speak of what a question asks. Words only, and the same answer again. */

import { closeFence } from '../../text/fences.ts'
import type { Quotable } from './heard.ts'

/** Words that tell nothing of what is looked for. */
const EMPTY = new Set(
  (
    'a about an and are as at be by can do does for from had has have how i if in into is it its me my no not of on or our ' +
    'should so tell that the their them then there these they this to us was we were what when where which who why will ' +
    'with would you your'
  ).split(' '),
)

/** Passages that are quoted, and characters of the longest. */
const MOST = 4
const MOST_CHARACTERS = 600

export interface Passage {
  readonly source: number
  readonly place: string
  readonly text: string
  readonly line: number
}

/** The words that tell something, without their endings, each once. */
export function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return [...new Set(words.filter((word) => !EMPTY.has(word)).flatMap((word) => pairsIn(word) ?? stemOf(word)))]
}

/** Scripts without spaces between words are known by pairs of characters. Undefined for others. */
function pairsIn(word: string): string[] | undefined {
  if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word)) return undefined
  const characters = [...word]
  return characters.length === 1 ? characters : characters.slice(1).map((one, at) => `${characters[at]}${one}`)
}

/** Enough of an ending is taken off that `retries`, `retried` and `retry` are one. */
function stemOf(word: string): string {
  const bare = word.length > 4 ? word.replace(/(?:ies|ied|y|ing|edly|ed|es|s|e)$/, '') : word
  return bare.length < 3 ? word : bare
}

/** The passages that hold most of the words, the best first; of one text no more than two. */
export function passagesFor(question: string, texts: readonly Quotable[]): Passage[] {
  const words = wordsOf(question)
  const all = texts.flatMap((text, order) => paragraphsOf(text).map((passage) => ({ passage, order })))
  const scored = all
    .map((one) => ({ ...one, score: scoreOf(one.passage.text, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.order - b.order || a.passage.line - b.passage.line)
  const best = scored[0]?.score ?? 0
  const taken = new Map<number, number>()
  const seen = new Set<string>()
  const kept: Passage[] = []
  for (const { passage, score } of scored) {
    const times = taken.get(passage.source) ?? 0
    // What holds less than half of what the best does is more likely chance.
    if (kept.length === MOST || score * 2 < best) break
    if (times === 2 || seen.has(passage.text)) continue
    seen.add(passage.text)
    taken.set(passage.source, times + 1)
    kept.push(passage)
  }
  return kept
}

/** Words that it shares with the question. Those of data count half: `"retries": {` names a thing, and says little of it. */
function scoreOf(text: string, words: readonly string[]): number {
  const own = new Set(wordsOf(text))
  const shared = words.filter((word) => own.has(word)).length
  return shared > 0 && isData(text) ? shared / 2 : shared
}

/** Whether most of its lines are of JSON. */
function isData(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.filter((line) => /^\s*(?:[{}[\]]|"[^"]*"\s*(?::|,?$))/.test(line)).length * 2 > lines.length
}

/** Paragraphs with their lines. A heading alone says too little, and goes with what follows it. */
function paragraphsOf({ text, source, place, firstLine }: Quotable): Passage[] {
  const passages: Passage[] = []
  let heading: { readonly text: string; readonly line: number } | undefined
  let line = firstLine
  for (const block of blocksOf(text)) {
    const start = line + (/^\n*/.exec(block)?.[0].length ?? 0)
    line += block.split('\n').length - 1
    const trimmed = block.trim()
    if (trimmed === '') continue
    if (/^#{1,6} [^\n]*$/.test(trimmed)) {
      heading = { text: trimmed, line: start }
      continue
    }
    const whole = heading ? `${heading.text}\n\n${trimmed}` : trimmed
    passages.push({ source, place, text: closeFence(shortened(whole)), line: heading?.line ?? start })
    heading = undefined
  }
  if (heading) passages.push({ source, place, ...heading })
  return passages
}

/** What stands between empty lines, and these. A block of code is one, however many are in it. */
function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let open = ''
  for (const part of text.split(/(\n\s*\n)/)) {
    open += part
    if (closeFence(open) !== open) continue
    blocks.push(open)
    open = ''
  }
  return [...blocks, open]
}

function shortened(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text
  const cut = text.slice(0, MOST_CHARACTERS).toWellFormed()
  return `${cut.slice(0, Math.max(cut.search(/\s\S*$/), MOST_CHARACTERS / 2))} …`
}
