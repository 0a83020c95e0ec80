import { useRouterState } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useEffect, useMemo, useState } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import type { Place } from '../../../api/place.ts'
import { Button } from '../../../ui/Button.tsx'
import { legible } from '../../../ui/controls.ts'
import { numberOf } from '../../../ui/format.ts'
import { headingId, withoutFrontMatter } from '../../../ui/markdown-text.ts'
import { PlainText } from '../../../ui/PlainText.tsx'
import { Scroll } from '../../../ui/Scroll.tsx'
import { CodeBlock } from './CodeBlock.tsx'
import { MarkdownImage, MarkdownLink } from './links.tsx'

/** Characters that are parsed at once: more takes too long for one frame. */
const PART = 60_000

interface MarkdownProps {
  readonly text: string
  /** Where it stands: what its links and images are seen from. */
  readonly place: Place
}

/** Markdown as elements. HTML in it is left out, and no image comes from elsewhere. */
export function Markdown({ text, place }: MarkdownProps) {
  const [parts, setParts] = useState(1)
  const { front, body } = useMemo(() => withoutFrontMatter(text), [text])
  const end = endOf(body, parts * PART)
  const shown = useMemo(() => legible(body.slice(0, end)), [body, end])
  const components = useMemo(() => componentsFor(place), [place])
  const hash = useRouterState({ select: ({ location }) => location.hash })
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
      <ReactMarkdown remarkPlugins={PLUGINS} skipHtml urlTransform={(url) => url} components={components}>
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

const PLUGINS = [remarkGfm]

/** Not in the middle of a paragraph, if one ends nearby. */
function endOf(text: string, most: number): number {
  if (text.length <= most) return text.length
  const paragraph = text.lastIndexOf('\n\n', most)
  return paragraph > most / 2 ? paragraph : most
}

function componentsFor(place: Place): Components {
  return {
    a: ({ href, children }) => (
      <MarkdownLink href={href} place={place}>
        {children}
      </MarkdownLink>
    ),
    img: ({ src, alt }) => <MarkdownImage src={typeof src === 'string' ? src : ''} alt={alt ?? ''} place={place} />,
    pre: ({ children }) => children,
    code: ({ className, children }) => <Codes className={className}>{children}</Codes>,
    table: ({ children }) => (
      <Scroll label="Table" className="overflow-x-auto">
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

/** A block of code holds line breaks, one in a line does not. */
function Codes({ className, children }: ComponentProps<'code'>) {
  const text = String(children)
  if (!text.includes('\n') && className === undefined) {
    return (
      <code>
        <PlainText text={text} />
      </code>
    )
  }
  return <CodeBlock text={text} language={/language-(\S+)/.exec(className ?? '')?.[1] ?? ''} />
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
