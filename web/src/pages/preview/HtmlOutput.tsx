import { type ReactNode, useCallback } from 'react'
import type { Place } from '../../api/place.ts'
import { Rendered } from '../../ui/markdown/Rendered.tsx'
import type { MarkdownTree } from '../../ui/markdown/tree.ts'
import { MarkdownImage, MarkdownLink } from './links.tsx'

interface HtmlOutputProps {
  readonly tree: MarkdownTree
  readonly isWhole: boolean
  readonly place: Place
}

/** HTML of a notebook: its words, lists, tables and images, without its styles and scripts. */
export function HtmlOutput({ tree, isWhole, place }: HtmlOutputProps) {
  const read = useCallback(() => tree, [tree])
  const link = useCallback(
    (href: string, children: ReactNode) => <MarkdownLink {...{ href, place, children }} />,
    [place],
  )
  const image = useCallback((src: string, alt: string) => <MarkdownImage {...{ src, alt, place }} />, [place])
  return (
    <div className="prose max-w-none text-sm" data-html>
      <Rendered read={read} link={link} image={image} text="" />
      {!isWhole && <p className="text-xs text-ink-3">The rest of this output is not shown.</p>}
    </div>
  )
}
