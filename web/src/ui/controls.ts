/** Invisible characters that change how the text around them is read. */

/** Matches a sequence that prose needs (group 1), such as a flag; or a direction control or a tag. */
const IN_PROSE =
  /(\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F}|\p{Script=Han}[\u{E0100}-\u{E01EF}])|[\u202A-\u202E\u2066-\u2069]|[\u{E0000}-\u{E0FFF}]/gu

/** Invisible characters in code and names: direction marks, zero-width spaces, tags and selectors. */
const INVISIBLE = /([\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]|[\u{E0000}-\u{E0FFF}])/u

/** Prose in which code points replace the characters that change its direction or hide words. */
export function legible(text: string): string {
  return text.replace(IN_PROSE, (all, needed?: string) => needed ?? `[${codeOf(all)}]`)
}

/** Code, split so that each invisible character is alone, at odd indexes. */
export function splitAtInvisible(text: string): string[] {
  return text.split(INVISIBLE)
}

export function hasInvisible(text: string): boolean {
  return INVISIBLE.test(text)
}

/** The code point of a character, such as `U+202E`. */
export function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
