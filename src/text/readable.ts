import { decode } from './decode.ts'
import { neutralise, toldInvisible } from './invisible.ts'
import { describeSecret, findSecret } from './secrets.ts'

/** Bytes of a file as text, or why they are none. */
export type Readable =
  | {
      readonly ok: true
      /** Decoded, as it is. */
      readonly content: string
      /** `content` without invisible characters that could hide instructions: what may be shown. */
      readonly text: string
      /** Replacements and omissions: a sentence each. */
      readonly warnings: readonly string[]
    }
  | { readonly ok: false; readonly why: 'binary' | 'denied'; readonly detail: string }

/** Reads bytes as `decode` does, and takes out what would be read without being seen. A text that holds a secret is not read. */
export function readable(bytes: Uint8Array): Readable {
  const decoded = decode(bytes)
  if ('binary' in decoded) return { ok: false, why: 'binary', detail: decoded.detail }
  const shown = neutralise(decoded.text)
  const secret = findSecret(shown.text)
  if (secret) return { ok: false, why: 'denied', detail: describeSecret(secret) }
  return {
    ok: true,
    content: decoded.text,
    text: shown.text,
    warnings: [
      ...(decoded.replaced > 0 ? [`Invalid byte sequences were replaced by U+FFFD: ${decoded.replaced}.`] : []),
      ...(shown.removed > 0 ? [toldInvisible(shown)] : []),
    ],
  }
}
