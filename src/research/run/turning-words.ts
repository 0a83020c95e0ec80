/** Words that turn what is asked, or what a passage says of it: the passage that has the words of a question may say the opposite. */

import { hasNegation } from '../report/claim-negations.ts'
import { termsIn } from '../routing/terms.ts'

/**
 * Words that are no part of a subject, and turn what is asked: the passage has one of each kind that the question has. Where both
 * say it in other words, the passage's are the second.
 */
const TURNING: readonly (readonly [question: RegExp, passage?: RegExp])[] = [
  [/\b(?:before|previous(?:ly)?|earlier|prior|predecessors?|preceded|formerly|until)\b/i],
  [/\b(?:after|since|later|then|next|successors?|succeeded|followed)\b/i],
  [/\b(?:not|no|never|without|except|excluding|unless|cannot|none)\b|n['’]t\b/i],
  [/\b(?:first|earliest|initial(?:ly)?)\b/i],
  [/\b(?:last|latest|final(?:ly)?|newest)\b/i],
  [
    /\b(?:owns|owned|owners?|ownership)\b|\b(?:do|does|did)\s[^?]{1,80}\bown\b/i,
    /\b(?:owns?|owned|owners?|ownership|belong(?:s|ed)?|property|proprietors?|bought|acquired|purchased)\b/i,
  ],
  [
    /\b(?:turn|switch|shut|power)\p{L}*\s(?:[^\s?]{1,40}\s){0,4}off\b/iu,
    /\b(?:off|disabl\p{L}*|deactivat\p{L}*|stop\p{L}*|false|no|none|0)\b/iu,
  ],
  [
    /\b(?:turn|switch|power)\p{L}*\s(?:[^\s?]{1,40}\s){0,4}on\b/iu,
    /\b(?:on|enabl\p{L}*|activat\p{L}*|start\p{L}*|true|yes|1)\b/iu,
  ],
  [/\b(?:log|sign|check|opt)\p{L}*\s+out\b/iu, /\b(?:out|log-?out|sign-?out|check-?out|opt-?out)\b/i],
]

/** A place, which a question where asks for: not a year. */
const PLACE = /\b(?:in|at|on|near|from|under|inside|within|into|to|below|above|behind|between)\s+(?!\d)|[/\\]/i

/** Whether a passage turns what is asked as the question does, and in no other way. */
export function turnsAlike(question: string, passage: string): boolean {
  if (/^\W*where\b/i.test(question) && !PLACE.test(passage)) return false
  return (
    TURNING.every(([asked, told = asked]) => !asked.test(question) || told.test(passage)) &&
    !isTurned(question, passage)
  )
}

/** What makes the word behind it another thing, or says that it is not so: `former chief`, `did not yet approve`, `plans to open`. */
const TURNED =
  /(?:(?<![\p{L}\p{N}])(?:not|never|no longer|former|deputy|vice|acting|almost|nearly|proposed|planned|unlike|would|(?:plans?|planned|wants?|intends?|hopes?) to|nicht|nie|ehemalige[nrs]?|frühere[nrs]?|fast|beinahe|geplante[nrs]?)|n['’]t)((?:\s+(?:yet|ever|formally|officially|fully|always|currently|be|been|have|has|the|an?))*)\s+(\p{L}+)/giu

/** A question for yes or no: a denial is its answer. */
const YES_OR_NO = /^\W*(?:do|does|did|is|are|was|were|can|could|should|would|will|has|have|had|may|must)\b/i

/** Whether the passage turns a word of the question that the question does not. */
function isTurned(question: string, passage: string): boolean {
  if (YES_OR_NO.test(question) || hasNegation(question) || question.search(TURNED) >= 0) return false
  const asked = new Set(termsIn(question))
  return [...passage.matchAll(TURNED)].some(([, , word = '']) => termsIn(word).some((term) => asked.has(term)))
}
