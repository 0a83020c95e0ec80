import { Fragment, useMemo } from 'react'

/** What no eye sees, and can turn around or hide what is read: direction marks, controls, zero-width signs, tags. */
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu

/** A text of a stranger, letter by letter: what is hidden in it is shown as its number. */
export function PlainText({ text }: { readonly text: string }) {
  const parts = useMemo(() => partsOf(text), [text])
  return parts.map(({ key, plain, hidden }) => (
    <Fragment key={key}>
      {plain}
      {hidden !== undefined && (
        <span className="rounded-sm bg-mark px-0.5 text-ink" title="A character that is not seen">
          {hidden}
        </span>
      )}
    </Fragment>
  ))
}

interface Part {
  readonly key: number
  readonly plain: string
  readonly hidden?: string
}

function partsOf(text: string): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const { 0: found, index } of text.matchAll(HIDDEN)) {
    const code = found.codePointAt(0) ?? 0
    parts.push({
      key: at,
      plain: text.slice(at, index),
      hidden: `U+${code.toString(16).toUpperCase().padStart(4, '0')}`,
    })
    at = index + found.length
  }
  parts.push({ key: at, plain: text.slice(at) })
  return parts
}
