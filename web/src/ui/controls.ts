/** Characters that change how text around them is read and are not seen themselves. */

/** Overrides, embeddings and isolates of direction. */
const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/

/** In code, all that is not seen: marks of direction, spaces of no width, tag characters. */
const UNSEEN = /([\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]|[\u{E0000}-\u{E007F}])/u

/** Text in prose, with what turns its direction written out. */
export function legible(text: string): string {
  return text.replace(new RegExp(DIRECTION, 'g'), (character) => `[${codeOf(character)}]`)
}

/** Text in code, cut so that each unseen character stands alone: at the odd places. */
export function splitAtUnseen(text: string): string[] {
  return text.split(UNSEEN)
}

export function hasUnseen(text: string): boolean {
  return UNSEEN.test(text)
}

/** `U+202E`. */
export function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
