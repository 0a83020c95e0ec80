import { invalid, shown } from '../message.ts'

/**
 * Undoes percent-encoding, once: `%2525` is `%25`.
 *
 * @throws ContextError `invalid-input`: a `%` without two hex digits, or bytes that are no UTF-8.
 */
export function unescapeOnce(text: string, what: string): string {
  const loose = /%(?![0-9A-Fa-f]{2})/.exec(text)
  if (loose)
    throw invalid(`${what} ${shown(text)} has a "%" without two hex digits at ${loose.index}.`, 'Write "%" as %25.')
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause
    throw invalid(`${what} ${shown(text)} is percent-encoded, but not as UTF-8.`, 'Encode the bytes of UTF-8.')
  }
}

/** As in a query: `+` is a space. */
export function unescapeQuery(text: string, what: string): string {
  return unescapeOnce(text.replaceAll('+', ' '), what)
}

/** Percent-encoded so that both kinds of decoding give it back. A lone surrogate has no UTF-8, and becomes U+FFFD. */
export function escapeQuery(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
