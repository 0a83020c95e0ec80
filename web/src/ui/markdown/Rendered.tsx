import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime'
import { Fragment, type ReactNode, useMemo } from 'react'
import { jsx, jsxs } from 'react/jsx-runtime'
import { Fence } from '../CodeBlock.tsx'
import { PlainText } from '../PlainText.tsx'
import { Scroll } from '../Scroll.tsx'
import { type MarkdownTree, type Node, textIn } from './tree.ts'

/** Renders the links and the images of a text. */
export interface LinkRenderers {
  /** Renders a link that leads out of the text. */
  link(href: string, children: ReactNode): ReactNode
  image(src: string, alt: string): ReactNode
}

interface RenderedProps extends LinkRenderers {
  readonly read: () => MarkdownTree
  /** Shown if the text cannot be parsed. */
  readonly text: string
}

/** The tree of a text, as elements. `read`, `link` and `image` must keep their identity while nothing changes. */
export function Rendered({ read, link, image, text }: RenderedProps) {
  return useMemo(() => {
    try {
      const components = componentsFor({ link, image })
      return toJsxRuntime(read().root as never, { Fragment, jsx, jsxs, components, passNode: true } as never)
    } catch (error) {
      // The text is nested too deeply for the parser.
      if (!(error instanceof RangeError)) throw error
      return <PlainText as="pre" text={text} />
    }
  }, [read, link, image, text])
}

/** The component of each element of Markdown. */
function componentsFor({ link, image }: LinkRenderers): Partial<Components> {
  return {
    a: ({ href, children, node: _, ...rest }) => {
      if (href?.startsWith('#') && !href.startsWith('#cites-')) {
        const name = footnoteName(rest, children)
        return (
          <a href={href} id={rest.id} aria-label={name}>
            {children}
          </a>
        )
      }
      // An anchor: the target of other links.
      if (href === undefined) return <span id={rest.id ?? rest.name}>{children}</span>
      return link(href, children)
    },
    img: ({ src, alt }) => image(typeof src === 'string' ? src : '', alt ?? ''),
    picture: ({ children }) => children,
    pre: ({ node }) => <Block node={node as Node | undefined} />,
    code: ({ node, className }) => <Fence className={className} text={textIn(node as never)} />,
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

function footnoteName(props: object, children: ReactNode): string | undefined {
  if ('data-footnote-backref' in props) return 'Back to the text'
  return 'data-footnote-ref' in props ? `Footnote ${String(children)}` : undefined
}

/** A block of code, however it is written: by fences, by indents, or as HTML. */
function Block({ node }: { readonly node: Node | undefined }) {
  const code = node?.children?.find((child) => child.tagName === 'code')
  const classes = code?.properties?.className
  const text = node ? textIn(node) : ''
  // `Fence` shows a block, even of one line, if the text has a line break.
  const fence = (
    <Fence
      className={Array.isArray(classes) ? classes.join(' ') : ''}
      text={text.endsWith('\n') ? text : `${text}\n`}
    />
  )
  return node?.properties?.dataHit === undefined ? fence : <div data-hit="">{fence}</div>
}
