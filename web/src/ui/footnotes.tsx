import type { ComponentProps } from 'react'

/** What ids of footnotes begin with, so that two texts of a page have none in common. */
export function footnotePrefix(id: string): string {
  return `note${id.replace(/\W/g, '')}-`
}

/** How footnotes become elements. */
export function footnoteOptions(id: string) {
  return { clobberPrefix: footnotePrefix(id), footnoteLabelProperties: {} } as const
}

type LinkProps = Pick<ComponentProps<'a'>, 'href' | 'children' | 'id'> & { readonly prefix: string }

/** A link to a footnote, or back from it; undefined for any other link. */
export function footnoteLink({ href = '', children, id, prefix }: LinkProps) {
  if (!href.startsWith(`#${prefix}fn`)) return undefined
  const isBack = href.startsWith(`#${prefix}fnref`)
  return (
    <a href={href} id={id} aria-label={isBack ? 'Back to the text' : `Footnote ${String(children)}`}>
      {children}
    </a>
  )
}
