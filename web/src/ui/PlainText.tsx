import type { ComponentProps } from 'react'
import { codeOf, hasUnseen, splitAtUnseen } from './controls.ts'

/** Untrusted text, letter by letter: invisible characters, which could deceive, are written out. */
export function PlainText({ text }: { readonly text: string }) {
  if (!hasUnseen(text)) return text
  return splitAtUnseen(text).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other.
      <span key={at} title="Invisible character" className="mx-px rounded-sm bg-bad px-0.5 text-canvas">
        {codeOf(part)}
      </span>
    ),
  )
}

interface NameProps extends Pick<ComponentProps<'bdi'>, 'title' | 'className'> {
  readonly text: string | null | undefined
}

/** An untrusted name among other words: isolated in its direction, with invisible characters written out. */
export function Name({ text, ...rest }: NameProps) {
  return (
    <bdi {...rest}>
      <PlainText text={text ?? ''} />
    </bdi>
  )
}
