/** Every stage by a language model. What a model does not do, or not as it was asked, is done without it, and said so. */

import type { LanguageModel } from '../../models/language.ts'
import { extractiveWorkers } from '../extractive/workers.ts'
import { AGGREGATE } from '../prompts/context_preprocess_aggregate.system.ts'
import { ROUTER } from '../prompts/context_router.system.ts'
import { DECOMPOSE } from '../prompts/decompose.system.ts'
import type { SystemPrompt } from '../prompts/prompt.ts'
import { QUERIES } from '../prompts/queries.system.ts'
import { SUFFICIENCY } from '../prompts/sufficiency_node.system.ts'
import { aliasOf } from '../run/aggregate.ts'
import {
  type AggregateTask,
  type Disagreement,
  type Done,
  NOTHING_SPENT,
  type NodeTask,
  type Staff,
  type StageWorker,
  type TaskOf,
  type ValueOf,
  type Workers,
} from '../run/stages.ts'
import { EXTRACTIVE, type Stage } from '../settings.ts'
import { type AskLimits, askFor, useSubstitute } from './ask.ts'
import { digestByModel } from './digest.ts'
import { childrenIn, conflictsIn, queriesIn, routedIn, sufficiencyIn } from './read.ts'
import { reportByModel } from './report.ts'

export { exploreByModel } from '../explore/explore-question.ts'
export { briefByModel, gradeByModel, judgeByModel, repairByModel } from './report.ts'

/** How a stage is asked, and its answer read. */
interface Asking<One extends Stage> {
  readonly prompt: SystemPrompt
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
    synthesis: extractiveWorkers.synthesis,
    sufficiency: workerOf(model, 'sufficiency', {
      prompt: SUFFICIENCY,
      task: (task) => ({ ...nodePrompt(task), findings: task.findings, context_items: itemsOf(task) }),
      read: sufficiencyIn,
    }),
    decompose: workerOf(model, 'decompose', {
      prompt: DECOMPOSE,
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
    report: (task, signal, most) => reportByModel(model, task, { signal, most }),
    aggregate: (task, signal, most) => aggregateByModel(model, task, { signal, most }),
  }
}

function nodePrompt({ task, question, depth }: NodeTask): object {
  return { original_task: task, question, depth }
}

function itemsOf({ slice }: Pick<NodeTask, 'slice'>) {
  return slice.selected_items.map(({ id, kind, text }) => ({ id, kind, text }))
}

function workerOf<One extends Exclude<Stage, 'digest' | 'synthesis' | 'report'>>(
  model: LanguageModel,
  stage: One,
  { prompt, task: taskFor, read }: Asking<One>,
): StageWorker<One> {
  return async (task, signal, most) => {
    try {
      const wanted = { system: prompt.text, task: taskFor(task), read: (answer: Answer) => read(answer, task) }
      const { value, spent } = await askFor<ValueOf<One>>(model, { ...wanted, signal, most })
      return { value, spent, by: model.name }
    } catch (error) {
      const plain: Workers = extractiveWorkers
      return useSubstitute(error, await plain[stage](task, signal, most))
    }
  }
}

type Answer = Readonly<Record<string, unknown>>

/** Items of one request; where there are more, what their words show is enough. */
const MOST_ITEMS = 600

async function aggregateByModel(model: LanguageModel, { items }: AggregateTask, limits: AskLimits) {
  const none: Done<readonly Disagreement[]> = { value: [], spent: NOTHING_SPENT, by: EXTRACTIVE }
  if (items.length > MOST_ITEMS) return none
  const fileOf = new Map(items.map(({ id, sources: [first = ''] }) => [id, aliasOf(first)]))
  try {
    const task = { items: items.map(({ id, kind, text }) => ({ id, kind, text, file: fileOf.get(id) })) }
    const read = (answer: Answer) => conflictsIn(answer, fileOf)
    const { value, spent } = await askFor(model, { system: AGGREGATE.text, task, read, ...limits })
    return { value, spent, by: model.name }
  } catch (error) {
    return useSubstitute(error, none)
  }
}
