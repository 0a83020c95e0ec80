/** A text by its words alone: in small letters, with a blank between two. */
export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Where a text has a word as it is written, and not as a part of another; -1 where it does not. */
export function findWord(text: string, word: string): number {
  const isPart = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)
  for (let at = text.indexOf(word); word !== '' && at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isPart(text[at - 1]) && !isPart(text[at + word.length])) return at
  }
  return -1
}
