import { readQuestion } from '../../retrieval/passages.ts'
import { rankPlaces, relevance, termsIn } from '../routing/terms.ts'
import type { DecomposeTask } from '../run/stages.ts'

/** Headings that a question is divided by. */
const FEWEST = 2
const MOST_HEADINGS = 5

/** Words of a part that can be asked by itself; of one that begins as a whole question does, one is enough: `what is money`. */
const FEWEST_WORDS = 2
const WHOLE =
  /^(?:what|which|who|whom|whose|when|where|why|how)(?:\s+\w+){0,2}?\s+(?:is|are|was|were|do|does|did|can|could|must|may|will|would|should)\s/i

/**
 * Questions that a question is divided into: its own parts where it has some, else one for each section of the files that
 * speaks of it. None where neither is there.
 */
export function childrenOf({ question, slice, asked, most, headingsOf, parts: assessed }: DecomposeTask): string[] {
  const known = new Set(asked.map(wordsIn))
  const fresh = (questions: readonly string[]) => questions.filter((one) => !known.has(wordsIn(one))).slice(0, most)
  const parts = fresh(splitQuestion(question))
  if (parts.length >= FEWEST) return parts
  // What nothing speaks of, or no text has a word for, is not found under some heading either.
  if (assessed.every(({ answered, missing }) => answered === 'no' || missing.length > 0)) return []
  if (SINGLE.has(readQuestion(question).kind)) return []
  const speaking = rankPlaces(
    relevance(
      slice.selected_items.map(({ text }) => text),
      question,
    ),
  )
  const headings = speaking.flatMap((at) => {
    const item = slice.selected_items[at]
    return item ? headingsOf(item.sources[0] ?? '').slice(-1) : []
  })
  const unasked = [...new Set(headings)].filter((heading) => !question.includes(heading)).slice(0, MOST_HEADINGS)
  const questions = fresh(unasked.map((heading) => `${beginningOf(question)}${heading}?`))
  return questions.length >= FEWEST ? questions : []
}

/** Kinds of questions that have one answer: sections do not divide it. */
const SINGLE: ReadonlySet<string> = new Set(['number', 'time', 'person'])

/** What the questions begin with that a question is divided into by headings. */
function beginningOf(question: string): string {
  return `${trimSigns(question, '?')}: `
}

/** A text without blanks and signs at its end. */
function trimSigns(text: string, signs: string): string {
  let end = text.length
  while (end > 0 && `${signs} \t\n\r`.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** Whether a question came of another by a heading. */
export function isByHeading(question: string, parent: string): boolean {
  return question.startsWith(beginningOf(parent))
}

/** What a question asks beyond the one that it came of: the headings that it was divided by; else all of it. */
export function beyond(question: string, whole: string): string {
  const beginning = beginningOf(whole)
  return question.startsWith(beginning) ? question.slice(beginning.length).replace(/\?$/, '') : question
}

function wordsIn(question: string): string {
  return termsIn(question).join(' ')
}

/** Between the parts of a question whose blanks are single. */
const JOINTS =
  /\?\s|;\s?|,?\s(?:and|as well as)\s(?=(?:what|which|who|whom|whose|when|where|why|how|is|are|does|do|did|can|must|should)\b)|,\s(?=(?:what|which|who|when|where|why|how)\b)|,?\s(?:und|sowie|y|et)\s(?=(?:was|welche[mnrs]?|wer|wem|wen|wann|wo|warum|wie|muss|darf|ist|sind|qué|quién|quiénes|cuál|cuáles|cuándo|cuánt[oa]s?|cómo|que|quel|quelles?|quels|qui|quand|comment|combien|pourquoi)(?!\p{L}))|,\s(?=(?:wann|wer|wie (?:viele?|lange|oft|hoch)|cuándo|cuánt[oa]s?|quand|combien)(?!\p{L}))/iu

/** The questions that one question is made of: `How much is it, and when does it open?` are two. */
export function splitQuestion(question: string): string[] {
  const parts = question
    .replace(/\s+/g, ' ')
    .split(JOINTS)
    .map((part) => trimSigns(part.trim(), '?.,;'))
  const whole = parts.filter((part) => termsIn(part).length >= (WHOLE.test(part) ? 1 : FEWEST_WORDS))
  if (whole.length < 2 || whole.length < parts.filter((part) => part !== '').length) return [question]
  return whole.map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}?`)
}
