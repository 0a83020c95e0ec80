import { ExternalLink, ImageOff } from 'lucide-react'
import { memo, type ReactNode, useMemo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { legible } from './controls.ts'
import { PlainText } from './PlainText.tsx'
import { CITES, type CitationSyntax, remarkCitations } from './remark-citations.ts'
import { Scroll } from './Scroll.tsx'

/** How a text cites, and how that is shown. */
export interface Citing extends CitationSyntax {
  /** What stands for a citation. */
  shown(number: number): ReactNode
}

interface ProseProps {
  readonly text: string
  readonly citing: Citing
  /** What stands for a link that is none to the web; undefined where it leads nowhere. */
  readonly linked?: (href: string, children: ReactNode) => ReactNode | undefined
}

/** Text that nobody vouches for, as elements. HTML in it is left out, no image is loaded, and links outside show where they lead. */
export const Prose = memo(({ text, citing, linked }: ProseProps) => {
  const plugins = useMemo(() => [remarkGfm, [remarkCitations, citing]] as const, [citing])
  const components = useMemo(() => componentsFor(citing, linked), [citing, linked])
  return (
    <div className="prose">
      <ReactMarkdown remarkPlugins={[...plugins] as never} skipHtml urlTransform={(url) => url} components={components}>
        {legible(text)}
      </ReactMarkdown>
    </div>
  )
})

function componentsFor(citing: Citing, linked: ProseProps['linked']): Components {
  return {
    a: ({ href = '', children }) => {
      if (href.startsWith(CITES)) return citing.shown(Number(href.slice(CITES.length)))
      const host = hostOf(href)
      if (host !== undefined) return <Outside {...{ href, host, children }} />
      return linked?.(href, children) ?? <span title="This link leads nowhere that is safe">{children}</span>
    },
    img: ({ src, alt }) => (
      <span className="inline-flex items-center gap-1.5 rounded-sm border border-line bg-surface px-1.5 text-xs text-ink-3">
        <ImageOff aria-hidden className="size-3.5" />
        {alt && <span>{alt}:</span>}
        image from <bdi>{hostOf(String(src ?? '')) ?? 'elsewhere'}</bdi>, not loaded
      </span>
    ),
    pre: ({ children }) => (
      <Scroll label="Code" className="mb-3 overflow-x-auto rounded-md border border-line bg-surface">
        <pre className="mb-0!">{children}</pre>
      </Scroll>
    ),
    code: ({ children }) => (
      <code>
        <PlainText text={String(children)} />
      </code>
    ),
    table: ({ children }) => (
      <Scroll label="Table" className="overflow-x-auto">
        <table>{children}</table>
      </Scroll>
    ),
    input: ({ checked }) => (
      <span role="img" aria-label={checked ? 'done' : 'open'} className="mr-1.5 font-mono text-ink-2">
        {checked ? '☑' : '☐'}
      </span>
    ),
  }
}

interface OutsideProps {
  readonly href: string
  readonly host: string
  readonly children: ReactNode
}

function Outside({ href, host, children }: OutsideProps) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="host">
        <ExternalLink aria-hidden />
        <bdi>{host}</bdi>
      </span>
    </a>
  )
}

/** Undefined for what is no address of the web. */
function hostOf(href: string): string | undefined {
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return undefined
  return new URL(href).host
}
