/** The report by a language model: it plans, then writes. */

import type { LanguageModel } from '../../models/language.ts'
import { reportBody } from '../extractive/stages.ts'
import { OUTLINE } from '../prompts/outline.system.ts'
import { REPORT } from '../prompts/report.system.ts'
import {
  addSpent,
  type Done,
  leftOf,
  NOTHING_SPENT,
  type ReportTask,
  type StageLimits,
  withoutCost,
} from '../run/stages.ts'
import { askForText, jsonStage, useSubstitute } from './ask.ts'
import { type OutlineSection, outlineIn } from './read.ts'

/** Minimum number of items and findings for which a report is planned first. */
const PLANNED_FROM = 8

/** Minimum remaining requests for a plan: the report, its judge and its grade come first. */
const PLANNED_CALLS = 4

export async function reportByModel(
  model: LanguageModel,
  task: ReportTask,
  limits: StageLimits,
): Promise<Done<string>> {
  const sent = sentTo(task)
  const isLong = sent.items.length + sent.findings.length >= PLANNED_FROM
  const planned = isLong && limits.most.calls >= PLANNED_CALLS ? await outlineOf(model, sent, limits) : undefined
  const before = planned?.spent ?? NOTHING_SPENT
  try {
    const asked = { ...sent, ...(planned && planned.value.length > 0 && { outline: planned.value }) }
    const left = { ...limits, most: leftOf(limits.most, before) }
    const { value, spent, isCut } = await askForText(model, { prompt: REPORT, task: asked, ...left })
    const unplanned = planned?.failed === undefined ? [] : [`It was not planned: ${planned.failed}`]
    const failed = [...unplanned, ...(isCut ? ['The report of the model was cut off.'] : [])].join(' ')
    const done = { value: cleanReport(value), spent: addSpent(before, spent), by: model.name }
    return failed === '' ? done : { ...done, failed }
  } catch (error) {
    const plain = useSubstitute(error, withoutCost(reportBody(task)))
    return { ...plain, spent: addSpent(before, plain.spent) }
  }
}

type Sent = ReturnType<typeof sentTo>

function outlineOf(model: LanguageModel, sent: Sent, limits: StageLimits): Promise<Done<readonly OutlineSection[]>> {
  const outline = jsonStage(model, {
    prompt: OUTLINE,
    sent: ({ question, brief, findings, gaps }: Sent) => ({
      question,
      ...(brief && { brief }),
      findings: findings.map(({ n: _, ...finding }) => finding),
      gaps,
    }),
    read: outlineIn,
    instead: () => [],
  })
  return outline(sent, limits)
}

/** The request to the writer, sent as JSON without undefined fields. Passages and notes have the numbers by which they are cited. */
function sentTo({ task, today, language, brief, evidence = [], items, branches, missing }: ReportTask) {
  const numbers = new Map(evidence.map(({ ref }, at) => [ref, at + 1]))
  const numberOf = (ref: string) => numbers.get(ref) ?? []
  return {
    question: task,
    today,
    language,
    ...(brief && { brief: { parts: brief.parts, reader: brief.reader, form: brief.form, missing: brief.missing } }),
    evidence: evidence.map(({ title, where, text }, at) => ({
      n: at + 1,
      title,
      where: where || undefined,
      text: text || undefined,
    })),
    items: items.map(({ kind, text, quote, sources }) => ({ kind, text, quote, n: sources.flatMap(numberOf) })),
    findings: branches.flatMap(({ question, findings }) =>
      findings.map(({ text, basis, ref, refs = [ref] }) => ({
        question: question === task ? undefined : question,
        text,
        basis,
        n: refs.flatMap(numberOf),
      })),
    ),
    gaps: branches.flatMap(({ gaps }) => gaps),
    missing,
  }
}

/** The report without a fence around it, its title, and text before the answer. It begins with the heading of the answer. */
function cleanReport(text: string): string {
  const bare = /^```(?:markdown|md)?[^\S\n]*\n([\s\S]*)\n[^\S\n]*```$/i.exec(text.trim())?.[1] ?? text
  const at = bare.search(/^## Answer[^\S\n]*$/m)
  const body = (at < 0 ? bare : bare.slice(at)).trim().replace(/^# [^\n]*\n+/, '')
  if (body === '' || body === '## Answer') return ''
  return body.startsWith('## Answer') ? body : `## Answer\n\n${body}`
}
