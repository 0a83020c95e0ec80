/** Sets made from any folder of documentation: exact names that stand in one or two pages, and words with slips in them. */

import { basename } from 'node:path'
import { bound, type Findings, type Table, type Verdict } from '../harness.ts'
import { type Page, pagesOf } from '../pages.ts'
import { randomOf, sampleOf } from '../random.ts'
import { type JudgedSet, judgementsOf, type Query } from './collection.ts'
import { type AnswerOf, evaluate } from './evaluate.ts'
import { documentsOf } from './known-item.ts'
import { reciprocalRank } from './metrics.ts'
import { ambitRanker } from './rankers/ambit.ts'

const SEED = 20_261_128

/** Queries of a kind, and pages that hold a name at most. */
const NAMES = { count: 50, pages: 2 } as const
const TYPOS = 200

/** Kinds of names by how they are written. */
const KINDS: Readonly<Record<string, RegExp>> = {
  dotted: /(?<![\w.$/@-])[a-z_]\w+\.[a-z_]\w{2,}(?![\w./(-])/gi,
  hyphenated: /(?<![\w./@-])[a-z]{2,}(?:-[a-z]{2,})+(?![\w./-])/g,
  flag: /(?<![\w-])--[a-z][a-z-]{2,}(?![\w-])/g,
  'error code': /(?<![\w-])(?:[A-Z]{1,5}\d{3,5}|E[A-Z]{5,}|ERR_[A-Z_]{4,})(?![\w-])/g,
  version: /(?<![\w.])v?\d{1,2}\.\d{1,3}\.\d{1,5}(?![\w.])/g,
  'file name':
    /(?<![\w./-])[\w-]{3,}\.(?:md|json|ya?ml|conf|c|h|hpp|cpp|cs|js|mjs|ts|py|rdb|lua|exe|dll|lib)(?![\w./-])/g,
  scoped: /(?<![\w:-])(?:[A-Za-z_]\w*(?:::[A-Za-z_]\w*)+|::[a-z][a-z-]+|[a-z]+(?:-[a-z]+)*:[a-z][a-z-]+)(?![\w:/-])/g,
  member: /(?<![\w.$/@-])[A-Za-z_]\w*(?:\.[A-Za-z_]\w+){2,3}(?![\w./-])/g,
}

const QUESTIONS = [
  (name: string) => `How do I use ${name} in my project?`,
  (name: string) => `what does ${name} mean and when is it needed`,
  (name: string) => `Where is ${name} explained?`,
  (name: string) => `problem with ${name} after an update`,
]

/** Names of each kind, alone and in a question; right is a page that holds the name as it is written. */
function exactNameSet(dir: string, seed = SEED): JudgedSet {
  const pages = [...pagesOf(dir)]
  const found = Object.entries(KINDS).flatMap(([kind, pattern]) =>
    sampleOf(namesIn(pages, pattern), NAMES.count, seed).map((name) => ({ kind, ...name })),
  )
  const queries = found.flatMap(({ kind, name }, at): Query[] => [
    { id: `alone-${at}`, text: name, kind: `${kind}, alone` },
    { id: `asked-${at}`, text: QUESTIONS[at % QUESTIONS.length]?.(name) ?? name, kind: `${kind}, in a question` },
  ])
  const rows = found.flatMap(({ holders }, at) =>
    holders.flatMap((path) => [[`alone-${at}`, path, 1] as const, [`asked-${at}`, path, 1] as const]),
  )
  return { name: 'names', kind: 'pasted', documents: () => documentsOf(dir), queries, judgements: judgementsOf(rows) }
}

/** How often a page that holds a name is first, and one that holds the word that was meant is among the first ten. */
export async function spellingFigures(folders: readonly string[]): Promise<Findings> {
  const [verdicts, tables]: [Verdict[], Table[]] = [[], []]
  for (const folder of folders) {
    const names = await evaluate(ambitRanker, exactNameSet(folder))
    const typos = await evaluate(ambitRanker, typoSet(folder))
    const of = basename(folder)
    const found = shareWithin(typos.answers, 10)
    verdicts.push(
      bound(`spelling: exact names first, ${of}`, shareWithin(names.answers, 1), {
        unit: 'score',
        limit: 0.97,
        atLeast: true,
      }),
      bound(`spelling: slips found, ${of}`, found, { unit: 'score', limit: 0.92, atLeast: true }),
      bound(`spelling: slips without an answer, ${of}`, typos.scores.empty, { unit: 'count', limit: 0 }),
    )
    const kinds = [...Map.groupBy(names.answers, ({ kind = '' }) => kind)]
    const rows = kinds.map(([kind, answers]) => [kind, `${answers.length}`, shareWithin(answers, 1).toFixed(3)])
    tables.push({
      title: `Exact names of ${of}`,
      note: 'Share of names of one or two pages where a page that holds the name as it is written is first.',
      columns: ['kind', 'names', 'first'],
      rows: [...rows, ['slips, among ten', `${typos.answers.length}`, found.toFixed(3)]],
    })
  }
  return { name: 'spelling', verdicts, tables }
}

/** Share of the queries with a right page among the first. */
function shareWithin(answers: readonly AnswerOf[], first: number): number {
  const right = answers.filter(({ ranking, relevance }) => reciprocalRank(ranking, relevance, first) > 0)
  return right.length / Math.max(1, answers.length)
}

interface Name {
  readonly name: string
  readonly holders: readonly string[]
}

/** By name, so that the draw does not depend on the order of files. */
function namesIn(pages: readonly Page[], pattern: RegExp): Name[] {
  const spellings = new Map<string, string>()
  for (const { body } of pages) for (const [name] of body.matchAll(pattern)) spellings.set(name.toLowerCase(), name)
  const holders = new Map<string, string[]>([...spellings.keys()].map((key) => [key, []]))
  for (const { path, title, body } of pages) {
    const plain = `${title}\n${path}\n${body}`.toLowerCase()
    // A sign may be a part of several names: what is held is looked for in each.
    for (const key of new Set(plain.match(/[^\s"'`(){}<>[\],;|]+/g) ?? [])) countHolders(key, path, holders)
  }
  return [...holders]
    .filter(([, { length }]) => length > 0 && length <= NAMES.pages)
    .map(([key, paths]) => ({ name: spellings.get(key) ?? key, holders: paths }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** A name is held where neither a letter nor a digit stands beside it. */
function countHolders(token: string, path: string, holders: ReadonlyMap<string, string[]>): void {
  const cuts = [...token.matchAll(/(?<![\w])(?=[\w-])|(?<=\w)(?!\w)|(?=[:-])|$/g)].map(({ index }) => index)
  for (const from of cuts.slice(0, 24)) {
    for (const to of cuts.slice(0, 24)) {
      const of = to > from ? holders.get(token.slice(from, to)) : undefined
      if (of && of.at(-1) !== path) of.push(path)
    }
  }
}

/** Words of the pages with one slip, or two from eight letters on; right is every page that holds the word. */
function typoSet(dir: string, seed = SEED): JudgedSet {
  const words = new Map<string, Set<string>>()
  for (const { path, body } of pagesOf(dir)) {
    for (const [word] of body.toLowerCase().matchAll(/(?<![\p{L}\p{N}_])\p{L}{5,16}(?![\p{L}\p{N}_])/gu)) {
      const of = words.get(word) ?? new Set()
      words.set(word, of.add(path))
    }
  }
  const drawn = sampleOf(
    [...words].filter(([, { size }]) => size >= 3).sort(([a], [b]) => (a < b ? -1 : 1)),
    4 * TYPOS,
    seed,
  )
  const random = randomOf(seed)
  const slipped = drawn.flatMap(([word, paths]) => {
    const typo = word.length >= 8 && random() < 0.5 ? slip(slip(word, random), random) : slip(word, random)
    return words.has(typo) ? [] : [{ word, typo, paths }]
  })
  const chosen = slipped.slice(0, TYPOS)
  const queries = chosen.map(({ typo }, at): Query => ({ id: `${at}`, text: typo, kind: 'typo' }))
  const rows = chosen.flatMap(({ paths }, at) => [...paths].map((path) => [`${at}`, path, 1] as const))
  return { name: 'typos', kind: 'pasted', documents: () => documentsOf(dir), queries, judgements: judgementsOf(rows) }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** One letter more, fewer, another, or two swapped; the first stays. */
function slip(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 1))
  const letter = LETTERS[Math.floor(random() * LETTERS.length)] ?? 'a'
  const [before, after] = [word.slice(0, at), word.slice(at)]
  const slips = [before + letter + after, before + after.slice(1), before + letter + after.slice(1)]
  const swapped = word.slice(0, at - 1) + (word[at] ?? '') + (word[at - 1] ?? '') + word.slice(at + 1)
  return [...slips, at > 1 ? swapped : before + letter + after][Math.floor(random() * 4)] ?? word
}
