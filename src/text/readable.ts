import { decode } from './decode.ts'
import { neutralise, noticeOfInvisible } from './invisible.ts'
import { describeSecret, findSecret } from './secrets.ts'

/** Bytes of a file as text, or the reason why they are not text. */
export type Readable =
  | {
      readonly ok: true
      /** The decoded text, unchanged. */
      readonly content: string
      /** `content` without invisible characters that could hide instructions. Only this text may be shown. */
      readonly text: string
      /** A sentence for each kind of replacement or removal. */
      readonly warnings: readonly string[]
    }
  | { readonly ok: false; readonly why: 'binary' | 'denied'; readonly detail: string }

/** Decodes bytes as `decode` does, and removes invisible text. A text with a secret is refused. */
export function readable(bytes: Uint8Array): Readable {
  const decoded = decode(bytes)
  if ('binary' in decoded) return { ok: false, why: 'binary', detail: decoded.detail }
  const visible = neutralise(decoded.text)
  const secret = findSecret(visible.text)
  if (secret) return { ok: false, why: 'denied', detail: describeSecret(secret) }
  return {
    ok: true,
    content: decoded.text,
    text: visible.text,
    warnings: [
      ...(decoded.replaced > 0 ? [`Invalid byte sequences were replaced by U+FFFD: ${decoded.replaced}.`] : []),
      ...(visible.removed > 0 ? [noticeOfInvisible(visible)] : []),
    ],
  }
}
