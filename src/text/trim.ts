/**
 * The text without these characters at its end. Takes linear time; an expression such as `/x+$/` takes quadratic time.
 */

export function trimEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** The text without these characters at its start and at its end. */
export function trimBoth(text: string, characters: string): string {
  const trimmed = trimEnd(text, characters)
  let start = 0
  while (start < trimmed.length && characters.includes(trimmed.charAt(start))) start++
  return trimmed.slice(start)
}

/** A text on one line: each run of white space becomes one blank, without blanks around the text. */
export function foldSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
