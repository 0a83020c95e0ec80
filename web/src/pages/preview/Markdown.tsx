import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import type { Place } from '../../api/place.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { legible } from '../../ui/controls.ts'
import { Fence } from '../../ui/Fence.tsx'
import { footnoteLink, footnoteOptions, footnotePrefix } from '../../ui/footnotes.tsx'
import { numberOf } from '../../ui/format.ts'
import { headingId, withoutFrontMatter } from '../../ui/markdown-text.ts'
import { remarkAlerts } from '../../ui/remark-alerts.ts'
import { Scroll } from '../../ui/Scroll.tsx'
import { useMath } from '../../ui/useMath.ts'
import { MarkdownImage, MarkdownLink } from './links.tsx'

/** Characters that are parsed at once: more takes too long for one frame. */
const PART = 60_000

interface MarkdownProps {
  readonly text: string
  /** Where it stands: what its links and images are seen from. */
  readonly place: Place
  /** The heading that is brought into sight. Default: the one that the address names. */
  readonly heading?: string | undefined
}

/** Markdown as elements. HTML in it is left out, and no image comes from elsewhere. */
export function Markdown({ text, place, heading }: MarkdownProps) {
  const [parts, setParts] = useState(1)
  const { front, body } = useMemo(() => withoutFrontMatter(text), [text])
  const end = endOf(body, parts * PART)
  const shown = useMemo(() => legible(body.slice(0, end)), [body, end])
  const math = useMath(shown)
  const plugins = useMemo(() => [remarkGfm, ...math, remarkAlerts], [math])
  const id = useId()
  const components = useMemo(() => componentsFor(place, id), [place, id])
  const options = useMemo(() => footnoteOptions(id), [id])
  const named = useRouterState({ select: ({ location }) => location.hash })
  const hash = heading === undefined ? named : headingId(heading)
  // The heading that the address names was not there when the address was read.
  useEffect(() => {
    document.getElementById(hash)?.scrollIntoView()
  }, [hash])
  return (
    <div className="prose px-4 py-4">
      {front !== '' && (
        <details className="mb-4 rounded-md border border-line">
          <summary className="px-3 py-1.5 text-xs text-ink-3">Front matter</summary>
          <CodeBlock text={front} language="yaml" isBare />
        </details>
      )}
      <ReactMarkdown
        remarkPlugins={plugins as never}
        remarkRehypeOptions={options}
        skipHtml
        urlTransform={(url) => url}
        components={components}
      >
        {shown}
      </ReactMarkdown>
      {end < body.length && (
        <Button size="md" onClick={() => setParts(parts + 1)}>
          Show more ({numberOf(body.length - end)} characters)
        </Button>
      )}
    </div>
  )
}

/** Not in the middle of a paragraph, if one ends nearby. */
function endOf(text: string, most: number): number {
  if (text.length <= most) return text.length
  const paragraph = text.lastIndexOf('\n\n', most)
  return paragraph > most / 2 ? paragraph : most
}

function componentsFor(place: Place, textId: string): Components {
  const prefix = footnotePrefix(textId)
  return {
    a: ({ href, children, id }) =>
      footnoteLink({ href, children, id, prefix }) ?? (
        <MarkdownLink href={href} place={place}>
          {children}
        </MarkdownLink>
      ),
    img: ({ src, alt }) => <MarkdownImage src={typeof src === 'string' ? src : ''} alt={alt ?? ''} place={place} />,
    pre: ({ children }) => children,
    code: ({ className, children }) => <Fence className={className} text={String(children)} />,
    table: ({ children }) => (
      <Scroll role="group" label="Table" className="overflow-x-auto">
        <table>{children}</table>
      </Scroll>
    ),
    input: ({ checked }) => <Box isChecked={checked === true} />,
    h1: ({ children }) => <Heading as="h1">{children}</Heading>,
    h2: ({ children }) => <Heading as="h2">{children}</Heading>,
    h3: ({ children }) => <Heading as="h3">{children}</Heading>,
    h4: ({ children }) => <Heading as="h4">{children}</Heading>,
  }
}

function Heading({ as: Name, children }: { readonly as: 'h1' | 'h2' | 'h3' | 'h4'; readonly children: ReactNode }) {
  return <Name id={headingId(textIn(children))}>{children}</Name>
}

function textIn(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map(textIn).join('')
  if (typeof node === 'object' && node !== null && 'props' in node) {
    return textIn((node.props as { children?: ReactNode }).children)
  }
  return ''
}

/** The box of a task: it can only be looked at. */
function Box({ isChecked }: { readonly isChecked: boolean }) {
  return (
    <span role="img" aria-label={isChecked ? 'done' : 'open'} className="mr-1.5 font-mono text-ink-2">
      {isChecked ? '☑' : '☐'}
    </span>
  )
}
