/** The report by a language model. */

import type { LanguageModel } from '../../models/language.ts'
import { reportBody } from '../extractive/stages.ts'
import { REPORT } from '../prompts/report.system.ts'
import { type Done, type ReportTask, type StageLimits, withoutCost } from '../run/stages.ts'
import { askForText, useSubstitute } from './ask.ts'

export async function reportByModel(
  model: LanguageModel,
  task: ReportTask,
  limits: StageLimits,
): Promise<Done<string>> {
  try {
    const { value, spent, isCut } = await askForText(model, { prompt: REPORT, task: sentTo(task), ...limits })
    const done = { value: cleanReport(value), spent, by: model.name }
    return isCut ? { ...done, failed: 'The report of the model was cut off.' } : done
  } catch (error) {
    return useSubstitute(error, withoutCost(reportBody(task)))
  }
}

/** The request to the writer. Passages and notes have the numbers that they are cited by. */
function sentTo({ task, today, language, brief, evidence = [], items, branches, missing }: ReportTask) {
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
        ...(question !== task && { question }),
        text,
        ...(basis && { basis }),
        n: refs.flatMap(numberOf),
      })),
    ),
    gaps: branches.flatMap(({ gaps }) => gaps),
    missing,
  }
}

/** Without a fence around all of it, a title, and what is said before it; it begins with its answer. */
function cleanReport(text: string): string {
  const bare = /^```(?:markdown|md)?[^\S\n]*\n([\s\S]*)\n[^\S\n]*```$/i.exec(text.trim())?.[1] ?? text
  const at = bare.search(/^## Answer[^\S\n]*$/m)
  const body = (at < 0 ? bare : bare.slice(at)).trim().replace(/^# [^\n]*\n+/, '')
  if (body === '' || body === '## Answer') return ''
  return body.startsWith('## Answer') ? body : `## Answer\n\n${body}`
}
