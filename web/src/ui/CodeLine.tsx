import { memo, useDeferredValue, useMemo } from 'react'
import { numberOf } from './format.ts'
import type { Piece } from './highlight.ts'
import { PlainText } from './PlainText.tsx'
import { usePart } from './part.ts'

/** Maximum characters of coloured code. Colouring takes some milliseconds for each ten thousand. */
const MOST_COLOURED = 200_000

/** Maximum shown characters of a line. */
const MOST_SHOWN = 20_000

/** The coloured pieces of each line. Undefined until the highlighter is loaded, and for long code. */
export function useColours(text: string, language: string): Piece[][] | undefined {
  const isShort = text.length <= MOST_COLOURED
  const { data } = usePart('colours', () => import('./highlight.ts'), isShort)
  // Renders the text without colours first.
  const highlighter = useDeferredValue(data, undefined)
  return useMemo(
    () => (isShort ? highlighter?.highlightLines(text.replaceAll('\r\n', '\n'), language) : undefined),
    [highlighter, isShort, text, language],
  )
}

interface LineProps {
  readonly text: string
  readonly pieces: readonly Piece[] | undefined
}

/**
 * A line of code. Deceptive invisible characters are shown as code points. Memoized, so that scrolling renders only new lines.
 */
export const CodeLine = memo(({ text, pieces }: LineProps) => {
  if (text.length > MOST_SHOWN) {
    return (
      <span className="pr-4">
        <PlainText text={text.slice(0, MOST_SHOWN)} />
        <span className="text-ink-3"> … {numberOf(text.length - MOST_SHOWN)} characters more</span>
      </span>
    )
  }
  if (!pieces) return <PlainText as="span" className="pr-4" text={text} />
  return (
    <span className="pr-4">
      {pieces.map((piece, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other key.
        <PlainText as="span" key={at} className={piece.className} text={piece.text} />
      ))}
    </span>
  )
})
