import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { loadContext } from '../../src/context/context-dir/load-context.ts'
import { spansOf } from '../../src/research/run/spans.ts'
import { scratch, write } from '../fixtures.ts'
import { type LinkedQuestion, linkedQuestions } from '../research/linked.ts'
import { type Measure, measureOf } from './measure.ts'
import type { Half } from './questions.ts'
import type { RankerMaker } from './ranker.ts'

/** Budgets as shares of the text. */
const SHARES = [0.1, 0.2] as const

interface TaskQuestion extends LinkedQuestion {
  readonly half: Half
}

interface Kept {
  readonly half: Half
  readonly share: (typeof SHARES)[number]
  readonly score: number
}

/**
 * How much of the section that a question is about stands in the context of its documents: they are a context directory, and the
 * question is the task. The others are given the paragraphs, and show the best as far as the budget goes; the last line is
 * the same context without a task.
 */
export async function taskMeasures(folders: readonly string[], makers: readonly RankerMaker[]): Promise<Measure[]> {
  const sets = folders.toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1))
  const groups = sets.flatMap((folder, at) => {
    const half: Half = at % 2 === 0 ? 'tuning' : 'held-out'
    return linkedQuestions(folder).map((some) => some.map((one): TaskQuestion => ({ ...one, half })))
  })
  if (groups.length === 0) return []
  const byContext = async (isTask: boolean) => {
    const kept: Kept[] = []
    for (const group of groups) kept.push(...(await measureContext(group, isTask)))
    return kept
  }
  const measures = [...taskRows('Ambit', await byContext(true))]
  for (const maker of makers.filter(({ name }) => name !== 'Ambit')) {
    const kept: Kept[] = []
    for (const group of groups) kept.push(...(await measureParagraphs(maker, group)))
    measures.push(...taskRows(maker.name, kept))
  }
  return [...measures, ...taskRows('Ambit, no task', await byContext(false))]
}

function taskRows(ranker: string, kept: readonly Kept[]): Measure[] {
  return SHARES.map((share) =>
    measureOf(
      `task: kept at ${share * 100} %`,
      ranker,
      kept.filter((one) => one.share === share),
    ),
  )
}

async function measureContext(group: readonly TaskQuestion[], isTask: boolean): Promise<Kept[]> {
  const root = scratch()
  try {
    const texts = textsOf(group)
    for (const [at, text] of texts.entries()) write(join(root, '.context', `PART_${at}.md`), text)
    const kept: Kept[] = []
    for (const { question, half, gold } of group) {
      for (const share of SHARES) {
        const { summary } = await loadContext({
          rootDir: root,
          tokenBudget: budgetOf(texts, share),
          ...(isTask && { task: question }),
        })
        kept.push({ half, share, score: shareKept(gold, summary) })
      }
    }
    return kept
  } finally {
    rmSync(root, { recursive: true })
  }
}

async function measureParagraphs(maker: RankerMaker, group: readonly TaskQuestion[]): Promise<Kept[]> {
  const texts = textsOf(group)
  const spans = texts.flatMap((text) => spansOf({ text, syntax: 'markdown' }))
  const ranker = maker.open()
  await ranker.index(
    (async function* () {
      for (const [at, { text, headings }] of spans.entries())
        yield { id: `${at}`, path: '', title: headings.at(-1) ?? '', text }
    })(),
  )
  const kept: Kept[] = []
  for (const { question, half, gold } of group) {
    const ids = await ranker.search(question, spans.length)
    for (const share of SHARES) {
      let left = budgetOf(texts, share) * 4
      const shown = ids
        .map((id) => spans[Number(id)]?.text ?? '')
        .filter((text) => {
          left -= Buffer.byteLength(text)
          return left >= 0
        })
      kept.push({ half, share, score: shareKept(gold, shown.join('\n')) })
    }
  }
  await ranker.close()
  return kept
}

function textsOf(group: readonly TaskQuestion[]): string[] {
  return [...new Set(group.map(({ text }) => text))]
}

/** Tokens: a token is four bytes. */
function budgetOf(texts: readonly string[], share: number): number {
  return Math.floor((share * texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)) / 4)
}

/** By the bytes of its lines. */
function shareKept(gold: readonly string[], shown: string): number {
  const lines = gold.flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '')
  const sum = (some: readonly string[]) => some.reduce((all, line) => all + line.length, 0)
  const there = new Set(shown.split('\n').map((line) => line.trim()))
  return sum(lines.filter((line) => there.has(line.trim()) || shown.includes(line.trim()))) / Math.max(1, sum(lines))
}
