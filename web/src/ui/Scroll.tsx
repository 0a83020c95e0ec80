import type { ComponentProps } from 'react'

/** A scrolling region with a name, reachable by keyboard. One of several with the same name has the role `group`. */
export function Scroll({ label, ...rest }: ComponentProps<'section'> & { readonly label: string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys.
  return <section aria-label={label} tabIndex={0} {...rest} />
}
