import { cn } from '../../../ui/cn.ts'
import { Line, useColours } from './Code.tsx'
import { languageOf } from './kinds.ts'

interface CodeBlockProps {
  readonly text: string
  readonly language: string
  readonly isBare?: boolean
}

/** A block of code in a text. */
export function CodeBlock({ text, language, isBare = false }: CodeBlockProps) {
  const code = text.replace(/\n$/, '')
  const coloured = useColours(code, languageOf(language))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys.
    <pre tabIndex={0} className={cn('code', !isBare && 'rounded-md border border-line bg-surface')}>
      {code.split(/\r?\n/).map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other.
        <code key={at} className="block min-h-5">
          <Line text={line} pieces={coloured?.[at]} />
        </code>
      ))}
    </pre>
  )
}
