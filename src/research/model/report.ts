/** What a language model does for a report: it says what is asked, plans and writes, judges, mends and grades. */

import type { LanguageModel } from '../../models/language.ts'
import { extractiveWorkers } from '../extractive/workers.ts'
import { BRIEF } from '../prompts/brief.system.ts'
import { GRADE } from '../prompts/grade.system.ts'
import { JUDGE } from '../prompts/judge.system.ts'
import { OUTLINE } from '../prompts/outline.system.ts'
import type { SystemPrompt } from '../prompts/prompt.ts'
import { REPAIR } from '../prompts/repair.system.ts'
import { REPORT } from '../prompts/report.system.ts'
import type {
  BriefTask,
  ClaimVerdict,
  GradedPart,
  GradeTask,
  JudgeTask,
  RepairedParagraph,
  RepairTask,
} from '../run/staff.ts'
import { addSpent, type Brief, type Done, NOTHING_SPENT, type ReportTask } from '../run/stages.ts'
import { EXTRACTIVE } from '../settings.ts'
import { type AskLimits, askFor, askForText, useSubstitute } from './ask.ts'
import { leftOf } from './budgeted-model.ts'
import {
  briefIn,
  type ModelAnswer,
  type OutlineSection,
  outlineIn,
  readGrade,
  readParagraph,
  readVerdict,
} from './read.ts'

interface Errand<Value> {
  readonly prompt: SystemPrompt
  readonly task: unknown
  read(answer: ModelAnswer): Value | undefined
  /** What there is instead, where the model does not do it. */
  readonly substitute: Value
}

async function runErrand<Value extends object>(
  model: LanguageModel,
  { prompt, task, read, substitute }: Errand<Value>,
  limits: AskLimits,
): Promise<Done<Value>> {
  try {
    const { value, spent } = await askFor(model, { system: prompt.text, task, read, ...limits })
    return { value, spent, by: model.name }
  } catch (error) {
    return useSubstitute(error, { value: substitute, spent: NOTHING_SPENT, by: EXTRACTIVE })
  }
}

/** The question alone where the model says nothing of it. */
export function briefByModel(model: LanguageModel, task: BriefTask, limits: AskLimits): Promise<Done<Brief>> {
  const { question } = task
  const substitute = { question, parts: [question], reader: '', form: '', missing: [] }
  return runErrand<Brief>(
    model,
    { prompt: BRIEF, task, read: (answer) => briefIn(answer, question), substitute },
    limits,
  )
}

/** What cannot be written again stays as it is, and marked. */
export function repairByModel(
  model: LanguageModel,
  task: RepairTask,
  limits: AskLimits,
): Promise<Done<readonly RepairedParagraph[]>> {
  const read = ({ paragraphs }: ModelAnswer) =>
    Array.isArray(paragraphs) ? paragraphs.flatMap(readParagraph) : undefined
  return runErrand<readonly RepairedParagraph[]>(model, { prompt: REPAIR, task, read, substitute: [] }, limits)
}

/** What was not judged stays unchecked. */
export function judgeByModel(
  model: LanguageModel,
  task: JudgeTask,
  limits: AskLimits,
): Promise<Done<readonly ClaimVerdict[]>> {
  const read = ({ verdicts }: ModelAnswer) =>
    Array.isArray(verdicts) ? verdicts.flatMap((one) => readVerdict(one, task)) : undefined
  return runErrand<readonly ClaimVerdict[]>(model, { prompt: JUDGE, task, read, substitute: [] }, limits)
}

/** Parts that were not graded are left out. */
export function gradeByModel(
  model: LanguageModel,
  { question, parts, report }: GradeTask,
  limits: AskLimits,
): Promise<Done<readonly GradedPart[]>> {
  const task = { question, parts: parts.map((text, at) => ({ id: String(at + 1), text })), report }
  const read = ({ parts: graded }: ModelAnswer) =>
    Array.isArray(graded) ? graded.flatMap((one) => readGrade(one, parts)) : undefined
  return runErrand<readonly GradedPart[]>(model, { prompt: GRADE, task, read, substitute: [] }, limits)
}

/** Items and findings from which on a report is planned before it is written. */
const PLANNED_FROM = 8

/** Requests of which one may be spent on a plan: the report, its judge and its grade come first. */
const PLANNED_CALLS = 4

export async function reportByModel(model: LanguageModel, task: ReportTask, limits: AskLimits): Promise<Done<string>> {
  const told = toldOf(task)
  const isLong = told.items.length + told.findings.length >= PLANNED_FROM
  const planned = isLong && limits.most.calls >= PLANNED_CALLS ? await outlineOf(model, told, limits) : undefined
  const before = planned?.spent ?? NOTHING_SPENT
  try {
    const asked = { ...told, ...(planned && planned.value.length > 0 && { outline: planned.value }) }
    const left = { ...limits, most: leftOf(limits.most, before) }
    const { value, spent, isCut } = await askForText(model, { system: REPORT.text, task: asked, ...left })
    const failed = isCut ? { failed: 'The report of the model was cut off.' } : {}
    return { value: cleanReport(value), spent: addSpent(before, spent), by: model.name, ...failed }
  } catch (error) {
    const plain = useSubstitute(error, await extractiveWorkers.report(task, limits.signal, limits.most))
    return { ...plain, spent: addSpent(before, plain.spent) }
  }
}

function outlineOf(
  model: LanguageModel,
  { question, brief, items, findings, gaps }: ReturnType<typeof toldOf>,
  limits: AskLimits,
): Promise<Done<readonly OutlineSection[]>> {
  const task = {
    question,
    ...(brief && { brief }),
    items: items.map(({ kind, text }) => ({ kind, text })),
    findings: findings.map(({ question: own, text }) => ({ question: own, text })),
    gaps,
  }
  return runErrand<readonly OutlineSection[]>(model, { prompt: OUTLINE, task, read: outlineIn, substitute: [] }, limits)
}

/** The request to the writer. Passages and notes have the numbers that they are cited by. */
function toldOf({ task, today, language, brief, evidence = [], items, branches, missing }: ReportTask) {
  const numbers = new Map(evidence.map(({ ref }, at) => [ref, at + 1]))
  const numberOf = (ref: string) => numbers.get(ref) ?? []
  return {
    question: task,
    ...(today !== undefined && { today }),
    ...(language !== undefined && { language }),
    ...(brief && { brief: { parts: brief.parts, reader: brief.reader, form: brief.form, missing: brief.missing } }),
    evidence: evidence.map(({ title, where, text }, at) => ({
      n: at + 1,
      title,
      ...(where !== '' && { where }),
      ...(text !== '' && { text }),
    })),
    items: items.map(({ kind, text, quote, sources }) => ({
      kind,
      text,
      ...(quote !== undefined && { quote }),
      n: sources.flatMap(numberOf),
    })),
    findings: branches.flatMap(({ question, findings }) =>
      findings.map(({ text, basis, ref, refs = [ref] }) => ({
        question,
        text,
        ...(basis && { basis }),
        n: refs.flatMap(numberOf),
      })),
    ),
    gaps: branches.flatMap(({ gaps }) => gaps),
    missing,
  }
}

/** What a model says around an answer. */
const CHATTER =
  /^(?:sure|certainly|of course|absolutely|okay|ok|great|here (?:is|are|'s)|here’s|below (?:is|are)|i(?:'ve|’ve| have| will|'ll|’ll)|as (?:an ai|requested)|(?:let me know|i hope|hope this|feel free|if you (?:need|have|would)))\b/i

/** Without a fence around all of it, a title, and what is said to whoever asked; it begins with its answer. */
function cleanReport(text: string): string {
  const bare = /^```(?:markdown|md)?[^\S\n]*\n([\s\S]*)\n[^\S\n]*```$/i.exec(text.trim())?.[1] ?? text
  const at = bare.search(/^## Answer[^\S\n]*$/m)
  const body = (at < 0 ? bare : bare.slice(at)).trim().replace(/^# [^\n]*\n+/, '')
  const isChatter = (paragraph: string) => CHATTER.test(paragraph.trim()) && !/\[[^[\]\n]+\]/.test(paragraph)
  const paragraphs = body.split(/\n[^\S\n]*\n/).filter((one, place, all) => {
    return !((place === 0 || place === all.length - 1 || all[place - 1]?.startsWith('## Answer')) && isChatter(one))
  })
  const kept = paragraphs.join('\n\n').trim()
  if (kept === '' || kept === '## Answer') return ''
  return kept.startsWith('## Answer') ? kept : `## Answer\n\n${kept}`
}
