import type { ComponentProps } from 'react'

/** A scrolling region with a name, reachable by keyboard. Give it the role `group` if several regions have the same name. */
export function Scroll({ label, ...rest }: ComponentProps<'section'> & { readonly label: string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls.
  return <section aria-label={label} tabIndex={0} {...rest} />
}
