import type { ComponentProps } from 'react'
import { codeOf, hasInvisible, splitAtInvisible } from './controls.ts'

interface PlainTextProps extends Pick<ComponentProps<'span'>, 'title' | 'className'> {
  readonly text: string | null | undefined
  /** The element around the text. Default: none. */
  readonly as?: 'bdi' | 'code' | 'dd' | 'dt' | 'h1' | 'li' | 'p' | 'pre' | 'span'
}

/** Untrusted text. Deceptive invisible characters are shown as code points. */
export function PlainText({ text, as: Element, ...rest }: PlainTextProps) {
  const words = text ?? ''
  const shown = !hasInvisible(words)
    ? words
    : splitAtInvisible(words).map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other key.
          <span key={at} title="Invisible character" className="mx-px rounded-sm bg-bad px-0.5 text-canvas">
            {codeOf(part)}
          </span>
        ),
      )
  return Element ? <Element {...rest}>{shown}</Element> : shown
}

/** An untrusted name within text, with its direction isolated. */
export function Name(props: Omit<PlainTextProps, 'as'>) {
  return <PlainText as="bdi" {...props} />
}
