/** Files that say little more than where the instructions are: "Read CLAUDE.md". */

/** Characters of the longest text that is taken for a pointer. */
const LONGEST = 600

/** Files of one pointer that are followed. */
const MOST = 8

const SENTENCE_END = /(?<=[.!?])\s+|[\r\n]+/
const PATH =
  /(?<![\w/.-])((?:\.{1,2}\/)?(?:[\w.-]{1,100}\/){0,20}(?:[\w-]{1,100}\.mdc?|\.(?:cline|cursor|roo|windsurf)rules))(?![\w/-])/g
const POINTS =
  /\b(?:check|consult|defer|documented|follow|found|guidance|guidelines?|identical|in|instructions?|live|load|look|maintained|open|read|refer|rules|same|see|source of truth|use)\b/i
const REFUSES = /\b(?:never|not|ignore|instead of)\b|n['\u2019]t\b/i
/** Texts for people. */
const FOR_PEOPLE = /(?:^|\/)(?:changelog|code_of_conduct|license|readme|security)\.md$/i

/**
 * The files that a short text says to read, as it names them, each once; none of a text that says more. A text that is
 * the name of a file alone, as links become where there are none, points to it.
 */
export function pointersIn(text: string): string[] {
  const trimmed = text.trim()
  if (trimmed.length > LONGEST) return []
  const found = trimmed.split(SENTENCE_END).flatMap((sentence) => {
    const paths = [...sentence.matchAll(PATH)].map(([, path = '']) => path)
    const isAlone = paths[0] !== undefined && sentence.trim() === paths[0]
    return isAlone || (POINTS.test(sentence) && !REFUSES.test(sentence)) ? paths : []
  })
  return [...new Set(found)].filter((path) => !FOR_PEOPLE.test(path)).slice(0, MOST)
}
