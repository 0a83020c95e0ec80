import type { Reference } from './references.ts'

/** The line tells of something that is past, not yet there, or may be absent. */
const ABSENT =
  /\b(?:no longer|removed|deleted|renamed|moved|superseded|formerly|previously|used to|not yet|planned|to be (?:added|created|written)|(?:does|do|did|need) not exist|(?:doesn|don|didn)['’]t exist|if (?:it |they )?(?:exists?|present|any)|(?:if|when|where) present|optional(?:ly)?)\b/i
const DONE = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[xX]\]/

const GAP = String.raw`[ \t*_(:"'\`]`
/** Marks around words. */
const MARKS = /^[*_(:"'`]+/
/** What makes something, and the words after it that say that what follows is a place. */
const MAKERS: readonly { readonly verb: RegExp; readonly places: RegExp }[] = [
  {
    verb: /\b(?:creat(?:e|es|ed|ing)|adds?|introduces?|new)\b(?=$|[*_(:"'`])/i,
    places: /^(?:at|by|from|in|inside|into|of|on|see|to|under|via|with|within)\b/i,
  },
  {
    verb: /\b(?:emits?|generat(?:e|es|ing)|outputs?|produc(?:e|es|ing)|sav(?:e|es|ing)|writ(?:e|es|ing))\b(?=$|[*_(:"'`])/i,
    places: /^(?:at|by|for|from|in|inside|of|on|see|under|via|with|within)\b/i,
  },
  {
    verb: /\b(?:emitted|generated|produced|saved|stored|written)\b(?=$|[*_(:"'`])/i,
    places: /^(?:by|from|see|using|via|with)\b/i,
  },
]
/** Most words between what makes something and that thing. */
const MOST_BETWEEN = 3
/** What comes next is named to say that it is not meant. */
const AVOIDED = new RegExp(
  String.raw`(?:\b(?:avoid|instead of|never|no|not|rather than|without)|n['’]t)(?:${GAP}+(?:call|run|running|use|using))?(?:${GAP}+(?:an?|the))?${GAP}*$`,
  'i',
)
const EXAMPLE = new RegExp(String.raw`\b(?:such as|like|e\.g\.,?|for example,?|for instance,?)${GAP}*$`, 'i')

/** What is cited, which is not what the line says: code, destinations of links. */
const CITED = /`[^`]*`|\]\([^()]*\)|\]:[ \t]*\S+|(?:^|\s)@\S+/g
/** The text of the link whose destination comes next. */
const LINK_TEXT = /!?\[[^[\]]*\]\([ \t]*<?$/

/** Characters of a line that are read for what it says, and of what stands before a reference. */
const LONGEST = 2000
const LONGEST_BEFORE = 120

/** Whether the words around a reference explain that what it cites is not there. */
export function isExcused({ kind, before, around }: Reference): boolean {
  const line = around.slice(0, LONGEST)
  if (kind === 'command') return ABSENT.test(/\s#(.*)/.exec(line)?.[1] ?? '')
  return DONE.test(line) || ABSENT.test(line.replace(CITED, ' ')) || isUnmade(wordsBefore(before))
}

/** Whether a reference is given as an example of what something may look like. */
export function isExampleGiven({ kind, before }: Reference): boolean {
  return kind !== 'command' && EXAMPLE.test(wordsBefore(before))
}

/** Whether what comes next is yet to be made, or not meant. */
function isUnmade(before: string): boolean {
  return AVOIDED.test(before) || MAKERS.some((maker) => isMade(before.split(/\s+/), maker))
}

/** Looks for what makes something back from the end, past a few words none of which is a place. */
function isMade(words: readonly string[], { verb, places }: (typeof MAKERS)[number]): boolean {
  let between = 0
  for (const word of words.toReversed()) {
    const made = verb.exec(word)
    const after = made ? word.slice(made.index + made[0].length) : word
    const bare = after.replace(MARKS, '')
    if (places.test(bare)) return false
    if (bare !== '') between += 1
    if (between > MOST_BETWEEN) return false
    if (made) return true
  }
  return false
}

function wordsBefore(before: string): string {
  return before.slice(-LONGEST_BEFORE).replace(LINK_TEXT, '')
}
