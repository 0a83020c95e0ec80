import type { ComponentProps } from 'react'

/** A region that scrolls: with a name, and within reach of the keyboard. One of several of a name has the role `group`. */
export function Scroll({ label, ...rest }: ComponentProps<'section'> & { readonly label: string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys.
  return <section aria-label={label} tabIndex={0} {...rest} />
}
