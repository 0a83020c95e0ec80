/** Whether the sources answer a question: the one retrieval, asked for each part of it. */

import { AnswerIndex, type FoundAnswer } from '../../retrieval/answers.ts'
import { splitTextUnits, type TextUnit } from '../../retrieval/units.ts'
import { splitQuestion } from '../extractive/decompose.ts'
import { uniqueFindings } from '../extractive/synthesis.ts'
import type { Answered, EvidenceItem, EvidencePassage, PartEvidence } from './evidence.ts'
import { type FileEvidence, sayPassage } from './file-evidence.ts'

/** Findings of a part from the files, and from what was looked up; and the share of the best one's score that they have. */
const OF_FILES = { most: 8, nearly: 0.4 } as const
const OF_OTHERS = { most: 6, nearly: 0.5 } as const

/**
 * Share of a part that the best passage holds: below the first nothing is found; from the second on it counts as answered, and
 * a grade goes by that. By language, as forms of words are met: tuning half of `bench/quality/questions/`, and of XQuAD.
 */
const FOUND_AT = { english: 0.6, other: 0.4, ideographic: 0.38, southEastAsian: 0.56 } as const
const ANSWERED_AT = { english: 0.9, other: 0.9, ideographic: 0.95, southEastAsian: 0.95 } as const

/** How much better what was looked up must be to come before what the files say. */
const BEYOND = 0.15

/** What the sources hold on each part of a question. */
export function assessQuestion(
  question: string,
  { files, passages }: { readonly files: FileEvidence; readonly passages: readonly EvidencePassage[] },
): PartEvidence[] {
  const others = new PassageEvidence(passages)
  return splitQuestion(question).map((text) => assessPart(text, files, others))
}

/** `yes`: each part is answered; `no`: none is, not even in part. */
export function answeredOf(parts: readonly Pick<PartEvidence, 'answered'>[]): Answered {
  if (parts.length > 0 && parts.every(({ answered }) => answered === 'yes')) return 'yes'
  return parts.every(({ answered }) => answered === 'no') ? 'no' : 'part'
}

function assessPart(text: string, files: FileEvidence, others: PassageEvidence): PartEvidence {
  const [own, looked] = [files.find(text, OF_FILES), others.find(text)]
  const least = FOUND_AT[own.language]
  const isFound = ({ coverage }: FoundAnswer) => coverage >= least
  const isAnswer = isFound(own) || isFound(looked)
  const wanted = (found: FoundAnswer) => !isAnswer || isFound(found)
  const isWhole = [own, looked].some((one) => one.coverage >= ANSWERED_AT[one.language] && tellsHowMany(text, one))
  const ofFiles = wanted(own) ? own.passages.map(({ unit }) => findingOf(files, unit)) : []
  const ofOthers = wanted(looked) ? others.findings(looked) : []
  const isBeyond = looked.coverage > own.coverage + BEYOND
  const findings = isBeyond ? [...ofOthers, ...ofFiles] : [...ofFiles, ...ofOthers]
  const computed = files.compute(text)
  if (computed) findings.unshift({ ...computed, kind: 'context' })
  const missing = own.missing.filter((word) => looked.missing.includes(word) && !files.holds(word))
  return {
    text,
    answered: computed || isWhole ? 'yes' : isAnswer ? 'part' : 'no',
    findings: uniqueFindings(findings, { ofKind: true }),
    missing,
  }
}

const HOW_MANY = /\bhow many ([\p{L}\p{M}-]{2,40})/iu

const NUMBER =
  '(?:\\d[\\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|fifty|hundred|thousand|million|no|single)'

/** Whether a question of how many there are has a number beside what is counted: words alone that are there say nothing of it. */
function tellsHowMany(question: string, { passages }: FoundAnswer): boolean {
  const [, counted = ''] = HOW_MANY.exec(question) ?? []
  if (counted === '') return true
  const noun = counted.toLowerCase().replace(/(?:ies|es|s)$/, '')
  const beside = new RegExp(
    `\\b${NUMBER}\\b(?:\\s+[\\p{L}-]+){0,2}\\s+[*_\`]*${noun}|${noun}[\\p{L}]{0,4}[*_\`]*(?:\\s*[:=(|]|\\s+(?:is|are|was|were|of|per|by|to|at most|up to|limit\\p{L}*))+\\s*[*_\`]*${NUMBER}\\b`,
    'iu',
  )
  return passages.slice(0, 3).some(({ unit }) => unit.kind === 'row' || beside.test(unit.text))
}

function findingOf(files: FileEvidence, unit: TextUnit): EvidenceItem {
  const { text, isRow } = files.say(unit)
  return { text, ref: files.refOf(unit), kind: 'context', ...(isRow && { is_row: true }) }
}

/** What was looked up for one node. */
class PassageEvidence {
  readonly #passages = new Map<TextUnit, EvidencePassage>()
  readonly #index: AnswerIndex

  constructor(passages: readonly EvidencePassage[]) {
    for (const passage of passages) {
      for (const unit of splitTextUnits(passage.text, { title: passage.title })) this.#passages.set(unit, passage)
    }
    this.#index = new AnswerIndex([...this.#passages.keys()])
  }

  find(question: string): FoundAnswer {
    return this.#index.find(question, OF_OTHERS)
  }

  findings({ passages }: FoundAnswer): EvidenceItem[] {
    return passages.flatMap(({ unit, of }) => {
      const passage = this.#passages.get(of)
      if (!passage) return []
      const { text, isRow } = sayPassage(unit)
      return [{ text, ref: passage.ref, kind: passage.kind, ...(isRow && { is_row: true }) }]
    })
  }
}
