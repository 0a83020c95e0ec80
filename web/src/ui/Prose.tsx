import { ExternalLink, ImageOff } from 'lucide-react'
import { memo, type ReactNode, useId, useMemo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { legible } from './controls.ts'
import { Fence } from './Fence.tsx'
import { footnoteLink, footnoteOptions, footnotePrefix } from './footnotes.tsx'
import { remarkAlerts } from './remark-alerts.ts'
import { CITES, type CitationSyntax, remarkCitations } from './remark-citations.ts'
import { Scroll } from './Scroll.tsx'
import { useMath } from './useMath.ts'

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
  const id = useId()
  const math = useMath(text)
  const plugins = useMemo(() => [remarkGfm, ...math, remarkAlerts, [remarkCitations, citing]], [citing, math])
  const components = useMemo(() => componentsFor({ citing, linked, id }), [citing, linked, id])
  const options = useMemo(() => footnoteOptions(id), [id])
  return (
    <div className="prose">
      <ReactMarkdown
        remarkPlugins={plugins as never}
        remarkRehypeOptions={options}
        skipHtml
        urlTransform={(url) => url}
        components={components}
      >
        {legible(text)}
      </ReactMarkdown>
    </div>
  )
})

interface Shown {
  readonly citing: Citing
  readonly linked: ProseProps['linked']
  /** Of this text on its page. */
  readonly id: string
}

function componentsFor({ citing, linked, id }: Shown): Components {
  const prefix = footnotePrefix(id)
  return {
    a: ({ href = '', children, id: own }) => {
      const note = footnoteLink({ href, children, id: own, prefix })
      if (note) return note
      if (href.startsWith(CITES)) return citing.shown(Number(href.slice(CITES.length)))
      const host = hostOf(href)
      if (host !== undefined) return <Outside {...{ href, host, children }} />
      return linked?.(href, children) ?? <span title="This link is not safe to open">{children}</span>
    },
    img: ({ src, alt }) => (
      <span className="rounded-sm border border-line bg-surface px-1.5 py-0.5 text-xs wrap-anywhere text-ink-3">
        <ImageOff aria-hidden className="mr-1.5 inline size-3.5" />
        {alt && `${alt}: `}
        image from <bdi>{hostOf(String(src ?? '')) ?? 'elsewhere'}</bdi>, not loaded
      </span>
    ),
    pre: ({ children }) => children,
    code: ({ className, children }) => <Fence className={className} text={String(children)} />,
    // Without ids, which two texts of a page could have in common.
    h2: ({ children }) => <h2>{children}</h2>,
    table: ({ children }) => (
      <Scroll role="group" label="Table" className="overflow-x-auto">
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

/** Undefined for what is not an address of the web. */
function hostOf(href: string): string | undefined {
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return undefined
  return new URL(href).host
}
