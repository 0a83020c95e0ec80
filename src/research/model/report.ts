/** Writes a report with a language model, after a plan if there is much evidence. */

import type { LanguageModel } from '../../models/language.ts'
import { reportBody } from '../extractive/stages.ts'
import { OUTLINE } from '../prompts/outline.system.ts'
import { REPORT } from '../prompts/report.system.ts'
import type { ReportTask, StageLimits } from '../run/stages.ts'
import { askForJson, askForText, type BudgetedModel, CUT_OFF, unusableReason, workWithModel } from './ask.ts'
import { outlineIn } from './read.ts'

/** Minimum number of items and findings for which a report is planned first. */
const PLANNED_FROM = 8

/** Minimum remaining requests for a plan: report, judge and grade come first. */
const PLANNED_CALLS = 4

export function reportByModel(model: LanguageModel, task: ReportTask, { signal, limits }: StageLimits) {
  const request = reportRequest(task)
  const isPlanned = request.items.length + request.findings.length >= PLANNED_FROM && limits.calls >= PLANNED_CALLS
  const work = async (budgeted: BudgetedModel) => {
    const plan = isPlanned ? await planReport(budgeted, request, signal) : undefined
    const withOutline = { ...request, outline: plan?.outline.length ? plan.outline : undefined }
    const { value, isCut } = await askForText(budgeted, { prompt: REPORT, task: () => withOutline, signal })
    const planFailure = plan?.failed === undefined ? [] : [`Its plan failed: ${plan.failed}`]
    const failed = [...planFailure, ...(isCut ? ['The report of the model was cut off.'] : [])].join(' ')
    return { value: cleanReport(value), ...(failed !== '' && { failed }) }
  }
  return workWithModel(model, { limits, work, substitute: () => reportBody(task) })
}

type ReportRequest = ReturnType<typeof reportRequest>

/** Plans the sections of a report. `failed`: why there is no plan. */
async function planReport(model: BudgetedModel, request: ReportRequest, signal: AbortSignal) {
  const { question, brief, findings, gaps } = request
  const task = () => ({ question, brief, findings: findings.map(({ n: _, ...finding }) => finding), gaps })
  const plan = await askForJson(model, { prompt: OUTLINE, task, signal, read: outlineIn }).catch(unusableReason)
  if (typeof plan === 'string') return { outline: [], failed: plan }
  return { outline: plan.value, failed: plan.isCut ? CUT_OFF : undefined }
}

/** The request to the writer, sent as JSON without undefined fields. `n`: the numbers by which evidence is cited. */
function reportRequest({ task, today, language, brief, evidence = [], items, branches, missing }: ReportTask) {
  const numbers = new Map(evidence.map(({ ref }, at) => [ref, at + 1]))
  const numberOf = (ref: string) => numbers.get(ref) ?? []
  const gaps = branches.flatMap((branch) => branch.gaps)
  const notedRefs = new Set(branches.flatMap(({ findings }) => findings.flatMap(({ ref, refs = [ref] }) => refs)))
  return {
    question: task,
    today,
    language,
    ...(brief && { brief: { parts: brief.parts, reader: brief.reader, form: brief.form, missing: brief.missing } }),
    evidence: evidence.map(({ title, where, text }, at) => ({
      n: at + 1,
      title: title === evidence[at - 1]?.title ? undefined : title,
      where: where === evidence[at - 1]?.where ? undefined : where,
      text: text || undefined,
    })),
    items: items.map(({ kind, text, quote, sources }) => ({
      ...(kind !== 'fact' && { kind }),
      text,
      // Quotations are sent only for items that findings rest on.
      ...(sources.some((ref) => notedRefs.has(ref)) && { quote }),
      n: sources.flatMap(numberOf),
    })),
    findings: branches.flatMap(({ question, findings }) =>
      findings.map(({ text, basis, ref, refs = [ref] }) => ({
        question: question === task ? undefined : question,
        text,
        basis,
        n: refs.flatMap(numberOf),
      })),
    ),
    ...(gaps.length > 0 && { gaps }),
    ...(missing.length > 0 && { missing }),
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
