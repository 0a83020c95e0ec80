import { memo, type ReactNode, useCallback, useId } from 'react'
import { Rendered } from './markdown/Rendered.tsx'
import { readMarkdown } from './markdown/tree.ts'
import { BlockedImage, OutsideLink } from './OutsideLink.tsx'
import { CITATION_PREFIX, type CitationSyntax } from './remark-citations.ts'
import { useMath } from './useMath.ts'

/** Parses the citations of a text, and renders them. */
export interface CitationView extends CitationSyntax {
  render(number: number): ReactNode
}

interface ProseProps {
  readonly text: string
  readonly citing: CitationView
  /** Prefix of the ids in the text. Default: a prefix that no other text of the page has. */
  readonly prefix?: string
  /** Renders a link that is not a web URL. Returns undefined for an unknown link. */
  readonly renderLink?: (href: string, children: ReactNode) => ReactNode | undefined
}

/** Untrusted text as elements. No image is loaded, and links to other sites show their host. */
export const Prose = memo(({ text, citing, prefix: given, renderLink }: ProseProps) => {
  const uniqueId = useId().replace(/\W/g, '')
  const prefix = given ?? `prose${uniqueId}-`
  const math = useMath(text, true)
  const read = useCallback(() => readMarkdown(text, { prefix, citing, math }), [text, prefix, citing, math])
  const link = useCallback(
    (href: string, children: ReactNode) => {
      if (href.startsWith(CITATION_PREFIX)) return citing.render(Number(href.slice(CITATION_PREFIX.length)))
      const host = hostOf(href)
      if (host !== undefined) return <OutsideLink {...{ href, host, children }} />
      return renderLink?.(href, children) ?? <span title="This link is not safe to open">{children}</span>
    },
    [citing, renderLink],
  )
  return (
    <div className="prose">
      <Rendered read={read} link={link} image={renderBlockedImage} text={text} />
    </div>
  )
})

function renderBlockedImage(src: string, alt: string): ReactNode {
  return <BlockedImage alt={alt} host={hostOf(src) ?? 'elsewhere'} />
}

/** The host of a link; undefined if the link is not a web URL. */
function hostOf(href: string): string | undefined {
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return undefined
  return new URL(href).host
}
