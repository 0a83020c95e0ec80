import { useMemo } from 'react'
import { useFileText } from '../../api/bytes.ts'
import type { Place } from '../../api/place.ts'
import { TEXT } from '../../ui/markdown/ids.ts'
import { type Heading, readMarkdown } from '../../ui/markdown/tree.ts'
import { withoutFrontMatter } from '../../ui/markdown-text.ts'

/** The headings of a text, as links into it. */
export function Outline({ place }: { readonly place: Place }) {
  const { data } = useFileText(place)
  const headings = useMemo(() => headingsOf(data?.text?.text ?? ''), [data])
  if (headings.length < 2) return null
  return (
    <nav aria-label="Outline" className="border-t border-line pt-3">
      <h2 className="pb-1 text-xs text-ink-3">Outline</h2>
      <ul>
        {headings.map(({ id, depth, text }) => (
          <li key={id} style={{ paddingInlineStart: `${(depth - 1) * 12}px` }}>
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

function headingsOf(text: string): readonly Heading[] {
  try {
    return readMarkdown(withoutFrontMatter(text).body, { prefix: TEXT }).headings
  } catch {
    // Nested too deeply to be read: the text is shown as it is written, without headings.
    return []
  }
}
