import type { ComponentProps } from 'react'

/** A region that scrolls: with a name, and within reach of the keyboard. */
export function Scroll({ label, ...rest }: ComponentProps<'section'> & { readonly label: string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys.
  return <section aria-label={label} tabIndex={0} {...rest} />
}
