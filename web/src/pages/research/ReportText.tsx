import { ExternalLink } from 'lucide-react'
import { useMemo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { legible } from '../../ui/controls.ts'
import { citing, SOURCE } from './citations.ts'

interface ReportTextProps {
  readonly markdown: string
  /** What it cites; the first has the number 1. */
  readonly refs: readonly string[]
  /** The number of the source that is shown. */
  readonly shown: number | undefined
  readonly onShow: (source: number) => void
}

/** A report as prose: no HTML of it is taken, and no image. */
export function ReportText({ markdown, refs, shown, onShow }: ReportTextProps) {
  const plugins = useMemo(() => [remarkGfm, citing(refs)], [refs])
  const components: Components = {
    a: ({ href = '', children }) =>
      href.startsWith(SOURCE) ? (
        <Cite number={Number(href.slice(SOURCE.length))} shown={shown} onShow={onShow} />
      ) : (
        <Outside href={href}>{children}</Outside>
      ),
    img: ({ alt }) => <span className="text-ink-3">{alt === '' ? 'an image' : alt}, not loaded</span>,
  }
  return (
    <div className="prose">
      <ReactMarkdown remarkPlugins={plugins} skipHtml urlTransform={(url) => url} components={components}>
        {legible(markdown)}
      </ReactMarkdown>
    </div>
  )
}

function Cite({ number, shown, onShow }: Pick<ReportTextProps, 'shown' | 'onShow'> & { readonly number: number }) {
  return (
    <button
      type="button"
      aria-label={`Source ${number}`}
      aria-pressed={number === shown}
      onClick={() => onShow(number)}
      className="mx-0.5 rounded-sm border border-line-strong px-1 align-text-top text-xs leading-4 text-accent tabular-nums hover:bg-raised aria-pressed:bg-mark"
    >
      {number}
    </button>
  )
}

function Outside({ href, children }: { readonly href: string; readonly children: React.ReactNode }) {
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return <span>{children}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="host">
        <ExternalLink aria-hidden />
        <bdi>{new URL(href).host}</bdi>
      </span>
    </a>
  )
}
