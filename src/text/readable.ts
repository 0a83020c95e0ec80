import { decode } from './decode.ts'
import { neutralise, noticeOfInvisible } from './invisible.ts'
import { describeSecret, findSecret } from './secrets.ts'

/**
 * The text of a file, decoded by `decode`, or the reason why the file cannot be shown: it is binary, or has a secret.
 *
 * @returns `content`: the decoded text, unchanged. `text`: `content` without invisible characters that could hide
 * instructions; only `text` may be shown. `warnings`: a sentence for each kind of replacement or removal.
 */
export function readSafeText(bytes: Uint8Array) {
  const decoded = decode(bytes)
  if ('binary' in decoded) return { ok: false, why: 'binary', detail: decoded.detail } as const
  const visible = neutralise(decoded.text)
  const secret = findSecret(visible.text)
  if (secret) return { ok: false, why: 'denied', detail: describeSecret(secret) } as const
  return {
    ok: true as const,
    content: decoded.text,
    text: visible.text,
    warnings: [
      ...(decoded.replaced > 0 ? [`Invalid byte sequences were replaced by U+FFFD: ${decoded.replaced}.`] : []),
      ...(visible.removed > 0 ? [noticeOfInvisible(visible)] : []),
    ],
  }
}
