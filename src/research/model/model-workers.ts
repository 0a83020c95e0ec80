/** Every stage by a language model. What a model does not do, or not as it was asked, is done without it, and said so. */

import type { LanguageModel } from '../../models/language.ts'
import { extractiveWorkers } from '../extractive/workers.ts'
import { AGGREGATE } from '../prompts/context_preprocess_aggregate.system.ts'
import { ROUTER } from '../prompts/context_router.system.ts'
import { DECOMPOSE } from '../prompts/decompose.system.ts'
import { JUDGE } from '../prompts/judge.system.ts'
import type { SystemPrompt } from '../prompts/prompt.ts'
import { QUERIES } from '../prompts/queries.system.ts'
import { REPAIR } from '../prompts/repair.system.ts'
import { REPORT } from '../prompts/report.system.ts'
import { SUFFICIENCY } from '../prompts/sufficiency_node.system.ts'
import { SYNTHESIZE } from '../prompts/synthesize.system.ts'
import { relevance } from '../routing/terms.ts'
import { aliasOf } from '../run/aggregate.ts'
import type { EvidenceKind, EvidencePassage } from '../run/evidence.ts'
import {
  type AggregateTask,
  type ClaimVerdict,
  type Disagreement,
  type Done,
  type JudgeTask,
  NOTHING_SPENT,
  type NodeTask,
  type RepairedParagraph,
  type RepairTask,
  type Staff,
  type StageWorker,
  type TaskOf,
  type ValueOf,
  type Workers,
} from '../run/stages.ts'
import { EXTRACTIVE, type Stage } from '../settings.ts'
import { type AskLimits, askModel, malformedAnswer, parseAnswerObject, Unusable, useSubstitute } from './ask.ts'
import { digestByModel } from './digest.ts'
import { childrenIn, conflictsIn, findingsIn, queriesIn, routedIn, sufficiencyIn } from './read.ts'

/** Characters of each passage that one request holds. */
const PASSAGE = 4_000

/** How a stage is asked, and its answer read. */
interface Asking<One extends Stage> {
  readonly prompt: SystemPrompt
  readonly maxOutputTokens: number
  task(task: TaskOf<One>): unknown
  /** Undefined for what is not of the form. */
  read(
    answer: Readonly<Record<string, unknown>>,
    task: TaskOf<One>,
  ): ValueOf<One> | undefined | Promise<ValueOf<One> | undefined>
}

export function modelWorkers(model: LanguageModel): Staff {
  return {
    digest: (task, signal, most) => digestByModel(model, task, { signal, most }),
    queries: workerOf(model, 'queries', {
      prompt: QUERIES,
      maxOutputTokens: 1000,
      task: ({ task, question, depth, slice, gaps, searched }) => ({
        original_task: task,
        question,
        depth,
        ...(gaps && { gaps }),
        ...(searched && { searched }),
        ...(slice && { items: itemsOf({ slice }) }),
      }),
      read: (answer, { searched }) => queriesIn(answer, searched !== undefined),
    }),
    synthesis: workerOf(model, 'synthesis', {
      prompt: SYNTHESIZE,
      maxOutputTokens: 6000,
      task: (task) => ({
        original_task: task.task,
        question: task.question,
        items: itemsOf(task).map((item, at) => ({ ...item, sources: task.slice.selected_items[at]?.sources ?? [] })),
        passages: task.passages.map((passage) => selectParagraphs(passage, task.question)),
      }),
      read: (answer, task) => findingsIn(answer, kindsIn(task)),
    }),
    sufficiency: workerOf(model, 'sufficiency', {
      prompt: SUFFICIENCY,
      maxOutputTokens: 2000,
      task: (task) => ({ ...nodePrompt(task), findings: task.findings, context_items: itemsOf(task) }),
      read: sufficiencyIn,
    }),
    decompose: workerOf(model, 'decompose', {
      prompt: DECOMPOSE,
      maxOutputTokens: 3000,
      task: (task) => ({
        ...nodePrompt(task),
        gaps: task.gaps,
        asked: task.asked,
        most: task.most,
        items: itemsOf(task),
      }),
      read: childrenIn,
    }),
    router: workerOf(model, 'router', {
      prompt: ROUTER,
      maxOutputTokens: 8000,
      task: ({ task, question, depth, gaps, slice, children }) => ({
        original_task: task,
        parent_task: question,
        depth,
        gaps,
        items: itemsOf({ slice }),
        children: children.map(({ id, question: own }) => ({ node_id: id, question: own })),
      }),
      read: routedIn,
    }),
    report: (task, signal, most) => writeReport(model, task, { signal, most }),
    aggregate: (task, signal, most) => aggregateByModel(model, task, { signal, most }),
  }
}

function nodePrompt({ task, question, depth }: NodeTask): object {
  return { original_task: task, question, depth }
}

function itemsOf({ slice }: Pick<NodeTask, 'slice'>) {
  return slice.selected_items.map(({ id, kind, text }) => ({ id, kind, text }))
}

/** The kind of evidence that a citation is of; undefined for what was not given. */
function kindsIn({ slice, passages }: TaskOf<'synthesis'>): (ref: string) => EvidenceKind | undefined {
  const files = slice.selected_items.flatMap(({ sources }) => sources.map((ref) => [ref, 'context'] as const))
  const kinds = new Map<string, EvidenceKind>([...passages.map(({ ref, kind }) => [ref, kind] as const), ...files])
  return (ref) => kinds.get(ref)
}

/** Of a long passage the paragraphs that speak of the question, in their order. */
function selectParagraphs({ ref, title, text }: EvidencePassage, question: string): object {
  if (text.length <= PASSAGE) return { ref, title, text }
  const paragraphs = text.split(/\n\s*\n/)
  const scores = relevance(paragraphs, question)
  const order = paragraphs.map((_, at) => at).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
  const chosen: number[] = []
  let length = 0
  for (const at of order) {
    length += paragraphs[at]?.length ?? 0
    if (length > PASSAGE && chosen.length > 0) break
    chosen.push(at)
  }
  const kept = chosen.sort((a, b) => a - b).map((at) => paragraphs[at] ?? '')
  return { ref, title, text: kept.join('\n\n').slice(0, PASSAGE).toWellFormed() }
}

function workerOf<One extends Exclude<Stage, 'digest' | 'report'>>(
  model: LanguageModel,
  stage: One,
  { prompt, maxOutputTokens, task: taskFor, read }: Asking<One>,
): StageWorker<One> {
  return async (task, signal, most) => {
    try {
      const answer = await askModel(model, { system: prompt.text, task: taskFor(task), maxOutputTokens, most, signal })
      const value = await read(parseAnswerObject(answer.text, answer.spent), task)
      if (value === undefined) throw malformedAnswer(answer.spent)
      return { value, spent: answer.spent, by: model.name }
    } catch (error) {
      const plain: Workers = extractiveWorkers
      return useSubstitute(error, await plain[stage](task, signal, most))
    }
  }
}

/** Items of one request; where there are more, what their words show is enough. */
const MOST_ITEMS = 600

async function aggregateByModel(model: LanguageModel, { items }: AggregateTask, { signal, most }: AskLimits) {
  const none: Done<readonly Disagreement[]> = { value: [], spent: NOTHING_SPENT, by: 'extractive' }
  if (items.length > MOST_ITEMS) return none
  const fileOf = new Map(items.map(({ id, sources: [first = ''] }) => [id, aliasOf(first)]))
  try {
    const task = { items: items.map(({ id, kind, text }) => ({ id, kind, text, file: fileOf.get(id) })) }
    const answer = await askModel(model, { system: AGGREGATE.text, task, maxOutputTokens: 4000, most, signal })
    const value = conflictsIn(parseAnswerObject(answer.text, answer.spent), fileOf)
    if (!value) throw malformedAnswer(answer.spent)
    return { value, spent: answer.spent, by: model.name }
  } catch (error) {
    return useSubstitute(error, none)
  }
}

/** What cannot be written again stays as it is, and marked. */
export async function repairByModel(
  model: LanguageModel,
  task: RepairTask,
  { signal, most }: AskLimits,
): Promise<Done<readonly RepairedParagraph[]>> {
  try {
    const answer = await askModel(model, { system: REPAIR.text, task, maxOutputTokens: 6000, most, signal })
    const { paragraphs } = parseAnswerObject(answer.text, answer.spent)
    if (!Array.isArray(paragraphs)) throw malformedAnswer(answer.spent)
    const value = paragraphs.flatMap((one): RepairedParagraph[] => {
      const { id, text } = Object(one)
      return typeof text === 'string' && text.trim() !== '' ? [{ id: String(id), text: text.trim() }] : []
    })
    return { value, spent: answer.spent, by: model.name }
  } catch (error) {
    return useSubstitute(error, { value: [], spent: NOTHING_SPENT, by: EXTRACTIVE })
  }
}

/** What was not judged is checked by its words alone. */
export async function judgeByModel(
  model: LanguageModel,
  task: JudgeTask,
  { signal, most }: AskLimits,
): Promise<Done<readonly ClaimVerdict[]>> {
  try {
    const answer = await askModel(model, { system: JUDGE.text, task, maxOutputTokens: 3000, most, signal })
    const { verdicts } = parseAnswerObject(answer.text, answer.spent)
    if (!Array.isArray(verdicts)) throw malformedAnswer(answer.spent)
    const value = verdicts.flatMap((one): ClaimVerdict[] => {
      const { id, supported, why } = Object(one)
      if (typeof supported !== 'boolean' || !task.claims.some((claim) => claim.id === String(id))) return []
      return [
        {
          id: String(id),
          isSupported: supported,
          why: typeof why === 'string' ? why.slice(0, 300).toWellFormed() : '',
        },
      ]
    })
    return { value, spent: answer.spent, by: model.name }
  } catch (error) {
    return useSubstitute(error, { value: [], spent: NOTHING_SPENT, by: EXTRACTIVE })
  }
}

async function writeReport(
  model: LanguageModel,
  task: TaskOf<'report'>,
  { signal, most }: AskLimits,
): Promise<Done<string>> {
  // What stands in the files is told by the items alone.
  const branches = task.branches.map(({ parts: _, ...branch }) => branch)
  const told = { ...task, branches }
  try {
    const answer = await askModel(model, { system: REPORT.text, task: told, maxOutputTokens: 12_000, most, signal })
    const value = cleanReport(answer.text)
    if (value === '') throw new Unusable('The report of the model is empty.', answer.spent)
    return { value, spent: answer.spent, by: model.name }
  } catch (error) {
    return useSubstitute(error, await extractiveWorkers.report(task, signal, most))
  }
}

/** What a model says around an answer. */
const CHATTER =
  /^(?:sure|certainly|of course|absolutely|okay|ok|great|here (?:is|are|'s)|here’s|below (?:is|are)|i(?:'ve|’ve| have| will|'ll|’ll)|as (?:an ai|requested)|(?:let me know|i hope|hope this|feel free|if you (?:need|have|would)))\b/i

/** Without a fence around all of it, a title, and what is said to whoever asked; it begins with its answer. */
function cleanReport(text: string): string {
  const bare = /^\s*```(?:markdown|md)?\s*\n([\s\S]*?)\n\s*```\s*$/i.exec(text)?.[1] ?? text
  const at = bare.search(/^## Answer[^\S\n]*$/m)
  const body = (at < 0 ? bare : bare.slice(at)).trim().replace(/^# [^\n]*\n+/, '')
  const isChatter = (paragraph: string) => CHATTER.test(paragraph.trim()) && !/\[[^\]\n]+\]/.test(paragraph)
  const paragraphs = body.split(/\n[^\S\n]*\n/).filter((one, place, all) => {
    return !((place === 0 || place === all.length - 1 || all[place - 1]?.startsWith('## Answer')) && isChatter(one))
  })
  const kept = paragraphs.join('\n\n').trim()
  if (kept === '' || kept === '## Answer') return ''
  return kept.startsWith('## Answer') ? kept : `## Answer\n\n${kept}`
}
