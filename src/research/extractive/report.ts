/** The body of a report that no model wrote: passages of the sources as they are, each with what it is cited by. */

import { escapedInLine } from '../../text/code.ts'
import { plainLine } from '../report/plain.ts'
import { fillWords, type ReportWords, reportWords } from '../report/report-words.ts'
import type { EvidenceItem, PartEvidence } from '../run/evidence.ts'
import type { Branch, ReportTask } from '../run/stages.ts'

export function reportBody({ task, language, branches }: ReportTask): string {
  const words = reportWords(task, language)
  const shown = new Set<string>()
  const [root, ...below] = branches
  const own = root ? partsOf(root) : []
  const known = new Set(own.map(({ text }) => text))
  // A part that is a question of its own was looked up for itself.
  const parts = own.map((part) => {
    const child = below.find(({ question }) => question === part.text)
    return (child && partsOf(child)[0]) ?? part
  })
  const others = below.filter(({ question, findings, is_added }) => {
    return !known.has(question) && (findings.length > 0 || is_added)
  })
  const isOne = parts.length < 2
  const answer = parts.flatMap((part) => [
    ...(isOne ? [] : [`### ${plainLine(part.text)}`]),
    ...partBody(part, { words, shown }),
  ])
  const sections = others.flatMap((branch) => [
    `## ${branch.id} ${plainLine(branch.question)}`,
    ...partsOf(branch).flatMap((part) => partBody(part, { words, shown })),
  ])
  return [`## ${words.answer}`, ...answer, ...sections].join('\n\n')
}

/** What a model found has no parts. */
function partsOf({ question, parts, findings }: Branch): readonly PartEvidence[] {
  const [first, ...more] = parts
  if (first && more.length > 0) return parts
  return [{ answered: 'no', missing: [], ...first, text: question, findings }]
}

interface PartWords {
  readonly words: ReportWords
  /** Passages that stand in the report already. */
  readonly shown: Set<string>
}

/** The passages of a part that do not stand above; where all do, their sources. Then the words of it that nothing holds. */
function partBody({ text, findings, missing }: PartEvidence, { words, shown }: PartWords): string[] {
  const named = missing.map((word) => `“${plainLine(word)}”`).join(', ')
  const lacks = named === '' ? '' : fillWords(words.lacks, named)
  if (findings.length === 0) return [`${fillWords(words.notFound, plainLine(text))} ${lacks}`.trimEnd()]
  const isShown = ({ ref, text: said }: EvidenceItem) => shown.has(`${ref} ${said}`)
  const above = findings.filter(isShown).map(({ ref }) => `[${ref}]`)
  const passages = findings.filter((finding) => !isShown(finding)).map(quoteFinding)
  for (const { ref, text: said } of findings) shown.add(`${ref} ${said}`)
  return [...(passages.length > 0 ? passages : [above.join(' ')]), lacks].filter((one) => one !== '')
}

function quoteFinding({ text, ref, place, is_row }: EvidenceItem): string {
  const cited = place === undefined ? `[${ref}]` : `[${ref}] ${plainLine(place)}`
  return is_row ? `${escapedInLine(text)} ${cited}` : `${blockQuote(text)}\n\n${cited}`
}

/** Lines of somebody else's as they are, which begin no heading, table or rule; items of a list stay such. */
function blockQuote(text: string): string {
  const lines = text
    .replace(/(?:\r\n?|\n)(?:[ \t]*(?:\r\n?|\n))+/g, '\n\n')
    .split(/\r\n?|\n/)
    .map((line) => escapedInLine(line.trimEnd()))
  return lines
    .map((line) => `> ${line.replace(/^(\s*)(?=[#>=|~_]|([-*])(?:\s*\2)+\s*$)/, '$1\\')}`.trimEnd())
    .join('\n')
}
