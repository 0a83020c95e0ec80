import { createElement, type ReactNode } from 'react'
import type { Place } from '../../api/place.ts'
import { PlainText } from '../../ui/PlainText.tsx'
import { Scroll } from '../../ui/Scroll.tsx'
import type { HtmlElement, HtmlNode } from './data/html-tree.ts'
import { MarkdownLink } from './links.tsx'

interface HtmlOutputProps {
  readonly nodes: readonly HtmlNode[]
  readonly isWhole: boolean
  readonly place: Place
}

/** HTML that a notebook holds: its words, lists, tables and images, without its styles and scripts. */
export function HtmlOutput({ nodes, isWhole, place }: HtmlOutputProps) {
  return (
    <div className="prose max-w-none text-sm" data-html>
      {shownNodes(nodes, place)}
      {!isWhole && <p className="text-xs text-ink-3">The rest of this output is not shown.</p>}
    </div>
  )
}

function shownNodes(nodes: readonly HtmlNode[], place: Place): ReactNode {
  return nodes.map((node, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: they have no other.
    typeof node === 'string' ? <PlainText key={at} text={node} /> : <Shown key={at} element={node} place={place} />,
  )
}

interface ShownProps {
  readonly element: HtmlElement
  readonly place: Place
}

function Shown({ element, place }: ShownProps) {
  const { name, children, span, href = '', image } = element
  const inner = shownNodes(children, place)
  if (image) return <img src={image.url} alt={image.alt || 'Output'} className="bg-[white]" loading="lazy" />
  switch (name) {
    case 'a':
      return (
        <MarkdownLink href={href} place={place}>
          {inner}
        </MarkdownLink>
      )
    case 'table':
      return (
        <Scroll role="group" label="Table" className="max-h-120 overflow-auto">
          <table>{inner}</table>
        </Scroll>
      )
    case 'pre':
      return (
        <Scroll role="group" label="Output" className="overflow-x-auto">
          <pre>{inner}</pre>
        </Scroll>
      )
    case 'td':
    case 'th': {
      // A corner is the head of nothing.
      const cell = name === 'th' && children.length > 0 ? 'th' : 'td'
      return createElement(cell, { colSpan: span?.columns, rowSpan: span?.rows }, inner)
    }
    case 'br':
    case 'hr':
      return createElement(name)
    default:
      // Headings of an output are none of the page.
      return /^h[1-6]$/.test(name) ? <p className="font-semibold">{inner}</p> : createElement(name, null, inner)
  }
}
