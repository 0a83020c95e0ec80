import type { Reference } from './references.ts'

/** The line tells of something that is past, not yet there, or may be absent. */
const ABSENT =
  /\b(?:no longer|removed|deleted|renamed|moved|superseded|formerly|previously|used to|not yet|planned|to be (?:added|created|written)|(?:does|do|did|need) not exist|(?:doesn|don|didn)['’]t exist|if (?:it |they )?(?:exists?|present|any)|(?:if|when|where) present|optional(?:ly)?)\b/i
const DONE = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[xX]\]/

const GAP = String.raw`[ \t*_(:"'\`]`
/** Up to three words, none of which says that what follows is a place. */
const without = (places: string) => String.raw`(?:${GAP}+(?!(?:${places})\b)[^\s]+){0,3}${GAP}*$`
const BEFORE = [
  String.raw`\b(?:creat(?:e|es|ed|ing)|adds?|introduces?|new)\b${without('at|by|from|in|inside|into|of|on|see|to|under|via|with|within')}`,
  String.raw`\b(?:emits?|generat(?:e|es|ing)|outputs?|produc(?:e|es|ing)|sav(?:e|es|ing)|writ(?:e|es|ing))\b${without('at|by|for|from|in|inside|of|on|see|under|via|with|within')}`,
  String.raw`\b(?:emitted|generated|produced|saved|stored|written)\b${without('by|from|see|using|via|with')}`,
  String.raw`(?:\b(?:avoid|instead of|never|no|not|rather than|without)|n['’]t)(?:${GAP}+(?:call|run|running|use|using))?(?:${GAP}+(?:an?|the))?${GAP}*$`,
]
/** What comes next is yet to be made, or is named to say that it is not meant. */
const UNMADE = new RegExp(BEFORE.join('|'), 'i')
const EXAMPLE = new RegExp(String.raw`\b(?:such as|like|e\.g\.,?|for example,?|for instance,?)${GAP}*$`, 'i')

/** What is cited, which is not what the line says: code, destinations of links. */
const CITED = /`[^`]*`|\]\([^)]*\)|\]:[ \t]*\S+|(?:^|\s)@\S+/g
/** The text of the link whose destination comes next. */
const LINK_TEXT = /!?\[[^[\]]*\]\([ \t]*<?$/

/** Characters of a line that are read for what it says, and of what stands before a reference. */
const LONGEST = 2000
const LONGEST_BEFORE = 120

/** Whether the words around a reference explain that what it cites is not there. */
export function isExcused({ kind, before, around }: Reference): boolean {
  const line = around.slice(0, LONGEST)
  if (kind === 'command') return ABSENT.test(/\s#(.*)/.exec(line)?.[1] ?? '')
  return DONE.test(line) || ABSENT.test(line.replace(CITED, ' ')) || UNMADE.test(wordsBefore(before))
}

/** Whether a reference is given as an example of what something may look like. */
export function isExampleGiven({ kind, before }: Reference): boolean {
  return kind !== 'command' && EXAMPLE.test(wordsBefore(before))
}

function wordsBefore(before: string): string {
  return before.slice(-LONGEST_BEFORE).replace(LINK_TEXT, '')
}
