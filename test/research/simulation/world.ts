/** What a run of a simulation is about: files, questions, answers. All of it follows from the seed, and from what is asked. */

import { randomOf } from '../../../bench/random.ts'
import { bytes4 } from '../../../src/core/tokens.ts'
import type { ResearchRequest } from '../../../src/research/input.ts'
import { BRIEF } from '../../../src/research/prompts/brief.system.ts'
import { AGGREGATE } from '../../../src/research/prompts/context_preprocess_aggregate.system.ts'
import { PER_FILE } from '../../../src/research/prompts/context_preprocess_per_file.system.ts'
import { ROUTER } from '../../../src/research/prompts/context_router.system.ts'
import { DECOMPOSE } from '../../../src/research/prompts/decompose.system.ts'
import { EXPLORE } from '../../../src/research/prompts/explore.system.ts'
import { GRADE } from '../../../src/research/prompts/grade.system.ts'
import { JUDGE } from '../../../src/research/prompts/judge.system.ts'
import { OUTLINE } from '../../../src/research/prompts/outline.system.ts'
import { QUERIES } from '../../../src/research/prompts/queries.system.ts'
import { REPAIR } from '../../../src/research/prompts/repair.system.ts'
import { REPORT } from '../../../src/research/prompts/report.system.ts'

export const MODEL = 'simulated/one'

const TOPICS = ['ferry', 'crane', 'pilot boat', 'tide', 'wind', 'harbour', 'lighthouse'] as const

export interface World {
  readonly question: string
  readonly files: Readonly<Record<string, string>>
  readonly request: Omit<ResearchRequest, 'question'>
  /** What a model that does its work says, by what it is told it is. */
  answer(system: string, task: Task): string
  /** What is found by a query. */
  found(query: string): { readonly ref: string; readonly text: string }
}

// biome-ignore lint/suspicious/noExplicitAny: what a task holds is the matter of the stage.
type Task = any

/** The stage of a system prompt, and the name under which what comes of it is kept. */
export const STAGE_OF: Readonly<Record<string, string>> = {
  [AGGREGATE.text]: 'aggregate',
  [PER_FILE.text]: 'digest',
  [QUERIES.text]: 'queries',
  [EXPLORE.text]: 'synthesis',
  [DECOMPOSE.text]: 'decompose',
  [ROUTER.text]: 'router',
  [REPORT.text]: 'report',
  [REPAIR.text]: 'report-repair',
  [BRIEF.text]: 'brief',
  [OUTLINE.text]: 'outline',
  [JUDGE.text]: 'report-judge',
  [GRADE.text]: 'report-grade',
}

/** The node that a question is of, which its end says. Undefined for one that no model of the world asked. */
function nodeOf(question: string): string | undefined {
  return /\((\d[\d.]*)\)\?$/.exec(question)?.[1]
}

export function worldOf(seed: number): World {
  const random = randomOf(seed * 7 + 1)
  const pick = <One>(values: readonly One[]) => values[Math.floor(random() * values.length)] as One
  const below = (most: number) => Math.floor(random() * most)
  const topics = TOPICS.slice(0, 1 + below(TOPICS.length))
  const files = Object.fromEntries(topics.slice(0, below(5)).map((topic) => [`${topic}.md`, textOf(topic, below(8))]))
  const width = 2 + below(2)
  const hardness = random()
  const words = (text: string) => [...text].reduce((sum, one) => Math.imul(sum, 31) + (one.codePointAt(0) ?? 0), seed)
  const chance = (text: string) => randomOf(words(text))()
  const budget = random() < 0.3 ? { calls: 4 + below(30) } : random() < 0.3 ? { tokens: 5_000 + below(60_000) } : {}
  return {
    question: `What of ${topics.join(', ')} (1)?`,
    files,
    request: {
      model: MODEL,
      depth: 1 + below(3),
      concurrency: pick([1, 2, 4, 8]),
      plan: random() < 0.15,
      nodes: pick([60, 60, 5]),
      ...(random() < 0.6 && { web: 'simulated' }),
      ...(random() < 0.3 && { searchCollections: false }),
      ...(random() < 0.15 && { models: ['report=extractive'] }),
      ...budget,
      ...(chance('searches') < 0.3 && { searches: Math.floor(chance('most searches') * 12) }),
      ...(chance('pages') < 0.3 && { pages: Math.floor(chance('most pages') * 20) }),
      ...(chance('minutes') < 0.1 && { minutes: 1 + Math.floor(chance('most minutes') * 3) }),
    },
    found: (query) => {
      const topic = TOPICS[Math.floor(chance(query) * TOPICS.length)] ?? 'tide'
      return { ref: `${words(query) >>> 0}`, text: `${sentence(topic, words(query) >>> 8)}\n\nMore of the ${topic}.` }
    },
    answer: (system, task) => {
      const stage = STAGE_OF[system] ?? ''
      return answerOf(stage, task, { width, isEnough: (question) => chance(question) > hardness })
    },
  }
}

function sentence(topic: string, number: number): string {
  return `The ${topic} of berth ${number % 97} carries ${number % 89} tonnes and must leave before ${number % 24} o'clock.`
}

function textOf(topic: string, many: number): string {
  const lines = Array.from({ length: 1 + many }, (_, at) => sentence(topic, at * 13 + topic.length))
  return `# The ${topic}\n\n${lines.join(' ')}\n`
}

interface Manner {
  /** Children of a question. */
  readonly width: number
  isEnough(question: string): boolean
}

function answerOf(stage: string, task: Task, { width, isEnough }: Manner): string {
  const said: Readonly<Record<string, () => unknown>> = {
    aggregate: () => ({ conflicts: [] }),
    digest: () => ({
      items: task.spans.flatMap(({ id, text }: { id: string; text: string }) =>
        text
          .split(/(?<=\.)\s+/)
          .map((one) => ({ kind: /must/.test(one) ? 'constraint' : 'fact', text: one, sources: [id] })),
      ),
    }),
    queries: () => {
      const more = task.searched ? `Once more, ${task.searched.length}: ` : ''
      const queries = [`${more}${task.question}`, `More: ${more}${task.question}`]
      return { queries: queries.slice(0, 1 + (task.question.length % 2)) }
    },
    synthesis: () => {
      const is_sufficient = isEnough(task.question)
      return {
        findings: [...task.items.slice(0, 2), ...task.passages.slice(0, 2)].map(({ id, text }: Task) => ({
          text: text.split('\n')[0],
          basis: 'said',
          refs: [id],
        })),
        is_sufficient,
        reasoning: 'By what was found.',
        gaps: is_sufficient ? [] : ['More is to be known.'],
      }
    },
    decompose: () => ({
      children: Array.from({ length: Math.min(width, task.most) }, (_, at) => {
        const topic = TOPICS[(task.question.length + at) % TOPICS.length]
        return `What of the ${topic} (${nodeOf(task.question) ?? '1'}.${at + 1})?`
      }),
    }),
    router: () => ({
      children: task.children.map(({ node_id }: Task, at: number) => ({
        node_id,
        item_ids: task.items
          .filter((_: Task, index: number) => index % task.children.length === at)
          .map(({ id }: Task) => id),
        selection_reason: 'By turns.',
        coverage_note: '',
      })),
    }),
    'report-repair': () => ({
      paragraphs: task.paragraphs.map(({ id, evidence: [first] }: Task) => ({
        id,
        text: first === undefined ? '' : `“${first.text}” [${first.ref}]`,
      })),
    }),
    brief: () => ({ parts: [task.question], reader: '', form: '', missing: [] }),
    outline: () => ({ sections: [{ title: 'All of it', says: 'All.', form: 'list' }] }),
    'report-judge': () => ({ verdicts: task.claims.map(({ id }: Task) => ({ id, verdict: 'supported' })) }),
    'report-grade': () => ({ parts: task.parts.map(({ id }: Task) => ({ id, answered: 'answered' })) }),
    report: () =>
      `## Answer\n\n${task.findings.map(({ text, n }: Task) => `“${text}” [${n.join(', ')}]`).join('\n\n')}\n`,
  }
  const answer = said[stage]?.()
  return typeof answer === 'string' ? answer : JSON.stringify(answer)
}

/** Tokens that an answer took, as a service counts them. */
export function usageOf(system: string, prompt: string, text: string) {
  return { input: bytes4(system) + bytes4(prompt), cached: 0, output: bytes4(text) }
}
