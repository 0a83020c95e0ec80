import { memo, type ReactNode, useCallback, useId } from 'react'
import { Rendered } from './markdown/Rendered.tsx'
import { readMarkdown } from './markdown/tree.ts'
import { BlockedImage, OutsideLink } from './OutsideLink.tsx'
import { CITES, type CitationSyntax } from './remark-citations.ts'
import { useMath } from './useMath.ts'

/** Parses the citations of a text, and renders them. */
export interface CitationView extends CitationSyntax {
  render(number: number): ReactNode
}

interface ProseProps {
  readonly text: string
  readonly citing: CitationView
  /** Prefix of its ids. Default: one that no other text of the page has. */
  readonly prefix?: string
  /** Renders a link that is not a web address; undefined for an unknown one. */
  readonly linked?: (href: string, children: ReactNode) => ReactNode | undefined
}

/** Untrusted text as elements. No image is loaded, and links to other sites show their address. */
export const Prose = memo(({ text, citing, prefix: given, linked }: ProseProps) => {
  const own = useId().replace(/\W/g, '')
  const prefix = given ?? `prose${own}-`
  const math = useMath(text, true)
  const read = useCallback(() => readMarkdown(text, { prefix, citing, math }), [text, prefix, citing, math])
  const link = useCallback(
    (href: string, children: ReactNode) => {
      if (href.startsWith(CITES)) return citing.render(Number(href.slice(CITES.length)))
      const host = hostOf(href)
      if (host !== undefined) return <OutsideLink {...{ href, host, children }} />
      return linked?.(href, children) ?? <span title="This link is not safe to open">{children}</span>
    },
    [citing, linked],
  )
  return (
    <div className="prose">
      <Rendered read={read} link={link} image={leftImage} text={text} />
    </div>
  )
})

function leftImage(src: string, alt: string): ReactNode {
  return <BlockedImage alt={alt} host={hostOf(src) ?? 'elsewhere'} />
}

/** Undefined if it is not a web address. */
function hostOf(href: string): string | undefined {
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return undefined
  return new URL(href).host
}
