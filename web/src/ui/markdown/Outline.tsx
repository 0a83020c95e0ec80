import { useDeferredValue, useMemo } from 'react'
import { withoutFrontMatter } from '../text-places.ts'
import { TEXT } from './ids.ts'
import { type Heading, readMarkdown } from './tree.ts'

interface OutlineProps {
  readonly text: string
  /** Prefix of the ids of the text. */
  readonly prefix?: string
  readonly className?: string
}

/** The headings of a text, as links; nothing for fewer than two headings. The text itself is rendered first. */
export function Outline({ text, prefix = TEXT, className }: OutlineProps) {
  const read = useDeferredValue(text, '')
  const headings = useMemo(() => headingsOf(read, prefix), [read, prefix])
  if (headings.length < 2) return null
  const top = Math.min(...headings.map(({ depth }) => depth))
  return (
    <nav aria-label="Outline" className={className}>
      <h2 className="pb-1 text-xs text-ink-3">Outline</h2>
      <ul>
        {headings.map(({ id, depth, text }) => (
          <li key={id} style={{ paddingInlineStart: `${(depth - top) * 12}px` }}>
            <a
              href={`#${id}`}
              className="block wrap-anywhere rounded-sm py-1 text-ink-2 hover:text-ink hover:underline"
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Maximum characters of a text that is parsed as a whole. In a longer text, only lines that begin headings are parsed. */
const LONGEST = 60_000

const HEADING = /^ {0,3}(?:#{1,6}[ \t][^\n]*|<h[1-6][\s>][^\n]*|[^\s#>|<-][^\n]*\n {0,3}(?:=+|--+)[ \t]*$)/gm

function headingsOf(text: string, prefix: string): readonly Heading[] {
  const { body } = withoutFrontMatter(text)
  const read = body.length > LONGEST ? (withoutFences(body).match(HEADING)?.join('\n\n') ?? '') : body
  try {
    return readMarkdown(read, { prefix }).headings
  } catch {
    // A text that is nested too deeply is shown without parsing, so it has no headings.
    return []
  }
}

function withoutFences(text: string): string {
  let open = ''
  const lines = text.split('\n').filter((line) => {
    const [fence = '', marks = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (open === '') {
      open = marks
      return marks === ''
    }
    if (marks.startsWith(open) && line.slice(fence.length).trim() === '') open = ''
    return false
  })
  return lines.join('\n')
}
