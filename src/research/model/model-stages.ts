/** All stages of a run, done by a language model. If it fails, code does the work, and `failed` says why. */

import type { EndReason } from '../../agent/events.ts'
import { maxPromptTokens, runAgent } from '../../agent/loop.ts'
import { AGENT_LIMITS } from '../../agent/tool.ts'
import type { ContextError } from '../../core/errors.ts'
import { bytes4 } from '../../core/tokens.ts'
import type { LanguageModel, Message } from '../../models/language.ts'
import { Notebook } from '../explore/notebook.ts'
import { excerptOf, exploreTools, noteResult } from '../explore/tools.ts'
import { routeByWords, splitUnasked, sufficiencyOf, synthesisOf } from '../extractive/stages.ts'
import { BRIEF } from '../prompts/brief.system.ts'
import { AGGREGATE } from '../prompts/context_preprocess_aggregate.system.ts'
import { ROUTER } from '../prompts/context_router.system.ts'
import { DECOMPOSE } from '../prompts/decompose.system.ts'
import { EXPLORE } from '../prompts/explore.system.ts'
import { GRADE } from '../prompts/grade.system.ts'
import { JUDGE } from '../prompts/judge.system.ts'
import { QUERIES } from '../prompts/queries.system.ts'
import { REPAIR } from '../prompts/repair.system.ts'
import { rankNearest } from '../routing/route.ts'
import { fitJudgeTask } from '../run/check-report.ts'
import type { DigestItem, EvidenceItem, Sufficiency } from '../run/evidence.ts'
import { aliasOf } from '../run/slices.ts'
import type { DecomposeTask, Exploration, ExploreTask, NodeTask, StageLimits, Stages } from '../run/stages.ts'
import { EXTRACTIVE } from '../settings.ts'
import { BudgetedModel, jsonStage, objectIn } from './ask.ts'
import { digestByModel } from './digest.ts'
import {
  briefIn,
  childrenIn,
  conflictsIn,
  queriesIn,
  readGrade,
  readParagraph,
  readVerdict,
  routedIn,
  sufficiencyIn,
} from './read.ts'
import { reportByModel } from './report.ts'

export function modelStages(model: LanguageModel): Required<Stages> {
  const compareItems: Stages['aggregate'] = jsonStage(model, {
    prompt: AGGREGATE,
    requestFields: (items) => ({ items: itemsByFile(items) }),
    read: (answer, items) => conflictsIn(answer, new Map(items.map((item) => [item.id, fileOf(item)]))),
    substitute: () => [],
  })
  return {
    digest: (task, limits) => digestByModel(model, task, limits),
    explore: (task, limits) => exploreByModel(model, task, limits),
    report: (task, limits) => reportByModel(model, task, limits),
    aggregate: async (items, limits) => {
      const result = await compareItems(items.slice(0, MAX_ITEMS), limits)
      const failed = `The first ${MAX_ITEMS} of ${items.length} items were compared with one another.`
      return items.length > MAX_ITEMS ? { failed, ...result } : result
    },
    queries: jsonStage(model, {
      prompt: QUERIES,
      requestFields: ({ slice, ...asked }) => ({
        ...askedFields(asked),
        ...(slice && { items: slice.selected_items.map(itemFields) }),
      }),
      read: queriesIn,
      substitute: ({ question }) => [question],
    }),
    decompose: jsonStage<DecomposeTask, readonly string[]>(model, {
      prompt: DECOMPOSE,
      requestFields: ({ gaps, asked, maximum, ...task }) => ({ ...nodeFields(task), gaps, asked, most: maximum }),
      read: childrenIn,
      substitute: splitUnasked,
    }),
    router: jsonStage(model, {
      prompt: ROUTER,
      requestFields: ({ gaps, children, ...task }) => {
        const { question: parent_task, ...node } = nodeFields(task)
        return { ...node, parent_task, gaps, children: children.map(({ id, question }) => ({ node_id: id, question })) }
      },
      read: routedIn,
      substitute: routeByWords,
    }),
    brief: jsonStage(model, {
      prompt: BRIEF,
      read: (answer, { question }) => briefIn(answer, question),
      substitute: ({ question }) => ({ question, parts: [question], reader: '', form: '', missing: [] }),
    }),
    judge: jsonStage(model, {
      prompt: JUDGE,
      requestFields: (task) => fitJudgeTask(task, maxPromptTokens(model, AGENT_LIMITS) - bytes4(JUDGE.text)),
      read: ({ verdicts }, task) => listIn(verdicts, (one) => readVerdict(one, task)),
      substitute: () => [],
    }),
    repair: jsonStage(model, {
      prompt: REPAIR,
      read: ({ paragraphs }) => listIn(paragraphs, readParagraph),
      substitute: () => [],
    }),
    grade: jsonStage(model, {
      prompt: GRADE,
      requestFields: ({ question, parts, report }) => ({
        question,
        parts: parts.map((text, at) => ({ id: String(at + 1), text })),
        report,
      }),
      read: ({ parts: graded }, { parts }) => listIn(graded, (one) => readGrade(one, parts)),
      substitute: () => [],
    }),
  }
}

/** Maximum items of the request that looks for contradictions; the first ones are sent. */
const MAX_ITEMS = 600

/** An item as it is sent. Most items are facts, so `kind` is sent only for other kinds. */
function itemFields({ id, kind, text }: DigestItem) {
  return { id, ...(kind !== 'fact' && { kind }), text }
}

function fileOf({ sources: [first = ''] }: DigestItem): string {
  return aliasOf(first)
}

/** Items as they are sent, each with its file, unless the previous item is of the same file. */
function itemsByFile(items: readonly DigestItem[]) {
  return items.map((item, at) => {
    const [file, previous] = [fileOf(item), items[at - 1]]
    return { ...(!(previous && fileOf(previous) === file) && { file }), ...itemFields(item) }
  })
}

/** A question, with the question of the session if it is another question. */
function askedFields({ task, question, depth }: Omit<NodeTask, 'slice'>) {
  return { ...(task !== question && { original_task: task }), question, depth }
}

function nodeFields({ slice, ...asked }: NodeTask) {
  return { ...askedFields(asked), items: slice.selected_items.map(itemFields) }
}

function listIn<One>(value: unknown, read: (one: unknown) => readonly One[]): readonly One[] | undefined {
  return Array.isArray(value) ? value.flatMap(read) : undefined
}

/** Maximum requests to the model for one question; maximum calls of tools in one answer. Calls cost little. */
const MAX_STEPS = 12
const MAX_CALLS = 64

/** Maximum milliseconds that a model works on one question. */
const MAX_WORK_MS = 1_200_000

/** Maximum items of the files to use as evidence if the model notes nothing. */
const FALLBACK_ITEMS = 12

async function exploreByModel(model: LanguageModel, task: ExploreTask, { signal, limits }: StageLimits) {
  const budgeted = new BudgetedModel(model, limits)
  const notebook = new Notebook(task)
  let toolVerdict: Sufficiency | undefined
  const finished = new AbortController()
  const finish = (sufficiency: Sufficiency) => {
    toolVerdict = sufficiency
    finished.abort()
  }
  const tools = exploreTools({ task, notebook, finish })
  const agentLimits = { tokens: limits.tokens, ms: MAX_WORK_MS, calls: MAX_CALLS }
  const messages: Message[] = [{ role: 'user', text: JSON.stringify(exploreRequest(task, notebook, limits)) }]
  let failed: string | undefined
  let textVerdict: Sufficiency | undefined
  for (let turn = 1; turn <= 2 && budgeted.spent.calls < limits.calls; turn++) {
    const remaining = { ...agentLimits, steps: Math.min(MAX_STEPS, limits.calls - budgeted.spent.calls) }
    const run = { signal: AbortSignal.any([signal, finished.signal]), emit: () => {} }
    const outcome = await runAgent(messages, { model: budgeted, system: EXPLORE.text, tools, limits: remaining }, run)
    signal.throwIfAborted()
    failed = undefined
    if (toolVerdict) break
    if (outcome.error?.code === 'denied') throw outcome.error
    const answer = readTextAnswer(notebook, outcome.answer)
    failed = outcome.reason === 'done' ? answer.problem : whyEnded(outcome)
    textVerdict = answer.judged ?? textVerdict
    const isComplete = outcome.reason === 'done' && textVerdict && answer.refused.length === 0
    if (isComplete || !RETRIED_ENDS.includes(outcome.reason)) break
    const refusals = `These findings were refused, the others are kept:\n${answer.refused.join('\n')}\nGive those again, mended, in the same form.`
    const text = answer.refused.length > 0 ? refusals : UNFINISHED_REQUEST
    // Asks once more if the model did not finish, or if findings were refused.
    if (outcome.messages.length > 0) messages.push(...outcome.messages, { role: 'user', text })
  }
  const { spent, exhausted, name: by } = budgeted
  const { notes, passages } = notebook
  const exploration = explorationOf(task, notes, { sufficiency: toolVerdict ?? textVerdict, failed, by })
  return { ...exploration, spent, passages, ...(exhausted && { exhausted }) }
}

/** Ends after which a second try may succeed. */
const RETRIED_ENDS: readonly EndReason[] = ['done', 'token-limit', 'interrupted', 'refused', 'failed']

const UNFINISHED_REQUEST =
  'You did not finish. Call "note" and "finish", or answer with the JSON that is described, and nothing else.'

/** Reads the findings and the verdict in the answer of a model that calls no tools. */
function readTextAnswer(notebook: Notebook, text: string) {
  const answer = objectIn(text)
  if (!answer) return { judged: undefined, refused: [], problem: 'The model noted nothing.' }
  const findings = Array.isArray(answer.findings) ? answer.findings : []
  const refused = findings.flatMap((one) => {
    const { ref, refs = ref, ...note } = Object(one)
    const why = noteResult(notebook, { ...note, refs })
    return why === undefined ? [] : [`${JSON.stringify(one)}: ${why}`]
  })
  return { judged: sufficiencyIn({ reasoning: 'It was not explained.', gaps: [], ...answer }), refused }
}

function whyEnded({ reason, error }: { readonly reason: string; readonly error?: ContextError }): string {
  if (error) return error.message
  return reason === 'step-limit' ? 'The model did not come to an end.' : `The work of the model ended early: ${reason}.`
}

interface ExploreEnd extends Pick<Exploration, 'by'> {
  readonly sufficiency: Sufficiency | undefined
  readonly failed: string | undefined
}

/** The result of an exploration. Without usable notes, its value is the items and passages nearest to the question. */
function explorationOf(task: ExploreTask, notes: readonly EvidenceItem[], { sufficiency, failed, by }: ExploreEnd) {
  const hasNotes = notes.length > 0
  if (sufficiency && (hasNotes || failed === undefined))
    return { value: notes, sufficiency, by, ...(failed !== undefined && { failed }) }
  return {
    value: hasNotes ? notes : [...nearestItems(task), ...synthesisOf(task)],
    sufficiency: sufficiency ?? sufficiencyOf(task),
    by: hasNotes ? by : EXTRACTIVE,
    failed: failed ?? 'The model did not say whether its evidence is sufficient.',
  }
}

function nearestItems({ slice, question }: ExploreTask): EvidenceItem[] {
  return rankNearest(slice.selected_items, ({ text }) => text, question)
    .slice(0, FALLBACK_ITEMS)
    .map(({ text, sources: [ref = ''] }) => ({ text, ref, kind: 'context' }))
}

function exploreRequest(task: ExploreTask, notebook: Notebook, limits: StageLimits['limits']) {
  const { question, today, slice, known, brief } = task
  return {
    ...askedFields(task),
    parts: brief?.parts,
    missing: brief?.missing,
    today,
    left: { requests: Math.min(MAX_STEPS, limits.calls), tokens: limits.tokens },
    items: itemsByFile(slice.selected_items),
    passages: notebook.lookedUp.map((one) => {
      return { id: one.id, title: one.title, at: one.refs[0], text: excerptOf(one, question) }
    }),
    unread: task.unread && notebook.unread,
    known: known.length > 0 ? known.map(({ text }) => ({ text })) : undefined,
  }
}
