import { useMemo } from 'react'
import { withoutFrontMatter } from '../text-places.ts'
import { TEXT } from './ids.ts'
import { type Heading, readMarkdown } from './tree.ts'

interface OutlineProps {
  readonly text: string
  /** Prefix of the ids of the text. */
  readonly prefix?: string
  readonly className?: string
}

/** The headings of a text, as links into it; nothing for fewer than two. */
export function Outline({ text, prefix = TEXT, className }: OutlineProps) {
  const headings = useMemo(() => headingsOf(text, prefix), [text, prefix])
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

function headingsOf(text: string, prefix: string): readonly Heading[] {
  try {
    return readMarkdown(withoutFrontMatter(text).body, { prefix }).headings
  } catch {
    // A text that is nested too deeply is shown as it is written, without headings.
    return []
  }
}
