/** Whether a text can be sent in a header. */
export function isForHeader(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}

export const HEADER_HINT = 'Use letters, digits and signs of ASCII, without spaces.'
