/** Every stage by a language model. Work that fails is done without the model, and the answer says so. */

import type { LanguageModel } from '../../models/language.ts'
import { exploreByModel } from '../explore/explore-question.ts'
import { partsToAsk, routeByWords } from '../extractive/stages.ts'
import { BRIEF } from '../prompts/brief.system.ts'
import { AGGREGATE } from '../prompts/context_preprocess_aggregate.system.ts'
import { ROUTER } from '../prompts/context_router.system.ts'
import { DECOMPOSE } from '../prompts/decompose.system.ts'
import { GRADE } from '../prompts/grade.system.ts'
import { JUDGE } from '../prompts/judge.system.ts'
import { QUERIES } from '../prompts/queries.system.ts'
import { REPAIR } from '../prompts/repair.system.ts'
import { aliasOf } from '../run/aggregate.ts'
import type { DigestItem } from '../run/evidence.ts'
import type { DecomposeTask, NodeTask, Stages } from '../run/stages.ts'
import { jsonStage } from './ask.ts'
import { digestByModel } from './digest.ts'
import { briefIn, childrenIn, conflictsIn, queriesIn, readGrade, readParagraph, readVerdict, routedIn } from './read.ts'
import { reportByModel } from './report.ts'

export function modelStages(model: LanguageModel): Required<Stages> {
  return {
    digest: (task, limits) => digestByModel(model, task, limits),
    explore: (task, limits) => exploreByModel(model, task, limits),
    report: (task, limits) => reportByModel(model, task, limits),
    aggregate: async (items, limits) => {
      const done = await compareItems(model)(items.slice(0, MOST_ITEMS), limits)
      const failed = `The first ${MOST_ITEMS} of ${items.length} items were compared with one another.`
      return items.length > MOST_ITEMS ? { failed, ...done } : done
    },
    queries: jsonStage(model, {
      prompt: QUERIES,
      sent: ({ task, question, depth, slice }) => ({
        original_task: task,
        question,
        depth,
        ...(slice && { items: itemsOf(slice.selected_items) }),
      }),
      read: queriesIn,
      instead: ({ question }) => [question],
    }),
    decompose: jsonStage<DecomposeTask, readonly string[]>(model, {
      prompt: DECOMPOSE,
      sent: ({ gaps, asked, most, ...task }) => ({ ...nodeFields(task), gaps, asked, most }),
      read: childrenIn,
      instead: partsToAsk,
    }),
    router: jsonStage(model, {
      prompt: ROUTER,
      sent: ({ gaps, children, ...task }) => {
        const { question: parent_task, ...node } = nodeFields(task)
        return { ...node, parent_task, gaps, children: children.map(({ id, question }) => ({ node_id: id, question })) }
      },
      read: routedIn,
      instead: routeByWords,
    }),
    brief: jsonStage(model, {
      prompt: BRIEF,
      sent: (task) => task,
      read: (answer, { question }) => briefIn(answer, question),
      instead: ({ question }) => ({ question, parts: [question], reader: '', form: '', missing: [] }),
    }),
    judge: jsonStage(model, {
      prompt: JUDGE,
      sent: (task) => task,
      read: ({ verdicts }, task) => listIn(verdicts, (one) => readVerdict(one, task)),
      instead: () => [],
    }),
    repair: jsonStage(model, {
      prompt: REPAIR,
      sent: (task) => task,
      read: ({ paragraphs }) => listIn(paragraphs, readParagraph),
      instead: () => [],
    }),
    grade: jsonStage(model, {
      prompt: GRADE,
      sent: ({ question, parts, report }) => ({
        question,
        parts: parts.map((text, at) => ({ id: String(at + 1), text })),
        report,
      }),
      read: ({ parts: graded }, { parts }) => listIn(graded, (one) => readGrade(one, parts)),
      instead: () => [],
    }),
  }
}

/** Items of one request that looks for disagreements: those of the files named first. */
const MOST_ITEMS = 600

function compareItems(model: LanguageModel): Stages['aggregate'] {
  return jsonStage(model, {
    prompt: AGGREGATE,
    sent: (items) => ({ items: items.map(itemWithFile) }),
    read: (answer, items) => conflictsIn(answer, new Map(items.map((item) => [item.id, fileOf(item)]))),
    instead: () => [],
  })
}

function fileOf({ sources: [first = ''] }: DigestItem): string {
  return aliasOf(first)
}

function itemWithFile(item: DigestItem) {
  const { id, kind, text } = item
  return { id, kind, text, file: fileOf(item) }
}

function itemsOf(items: readonly DigestItem[]) {
  return items.map(({ id, kind, text }) => ({ id, kind, text }))
}

function nodeFields({ task, question, depth, slice }: NodeTask) {
  return { original_task: task, question, depth, items: itemsOf(slice.selected_items) }
}

function listIn<One>(value: unknown, read: (one: unknown) => readonly One[]): readonly One[] | undefined {
  return Array.isArray(value) ? value.flatMap(read) : undefined
}
