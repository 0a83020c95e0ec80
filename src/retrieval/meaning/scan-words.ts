/** Where the words of a text are: Latin letters or digits, with camelCase split. As `words_of` of `tools/meaning/train.py`. */

type Kind = 'lower' | 'upper' | 'digit' | 'foreign' | 'none'

/** Letters without their accents. */
export function plainLetters(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFD').replaceAll(/\p{M}+/gu, '')
}

/** Visits each word of a text of plain letters; a word with other letters than a–z is none. */
export function visitWords(text: string, visit: (start: number, end: number) => void): void {
  let [start, isForeign] = [-1, false]
  let before: Kind = 'none'
  for (let at = 0; at <= text.length; at++) {
    const kind = at < text.length ? kindOf(text.charCodeAt(at)) : 'none'
    const isCut = kind === 'none' || (kind === 'digit') !== (before === 'digit') || isCamel(text, at, before)
    if (isCut) {
      if (start >= 0 && !isForeign) visit(start, at)
      start = -1
    }
    if (kind !== 'none' && start < 0) [start, isForeign] = [at, false]
    isForeign ||= kind === 'foreign'
    before = kind
  }
}

/** Whether a new part of a camelCase name begins: `fileName`, `XMLFile`. */
function isCamel(text: string, at: number, before: Kind): boolean {
  if (kindOf(text.charCodeAt(at)) !== 'upper') return false
  return before === 'lower' || (before === 'upper' && kindOf(text.charCodeAt(at + 1)) === 'lower')
}

function kindOf(code: number): Kind {
  if (code >= 97 && code <= 122) return 'lower'
  if (code >= 65 && code <= 90) return 'upper'
  if (code >= 48 && code <= 57) return 'digit'
  if (!(code >= 0xc0)) return 'none'
  return (code >= 0x2000 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f) ? 'none' : 'foreign'
}
