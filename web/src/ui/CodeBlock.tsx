import { CodeLine, useColours } from './CodeLine.tsx'
import { Copy } from './Copy.tsx'
import { cn } from './cn.ts'
import { Formula } from './Formula.tsx'
import { languageOf } from './languages.ts'
import { PlainText } from './PlainText.tsx'

interface CodeBlockProps {
  readonly text: string
  readonly language: string
  readonly isBare?: boolean
}

/** A block of code in a text, with a button that copies it. */
export function CodeBlock({ text, language, isBare = false }: CodeBlockProps) {
  const code = text.replace(/\n$/, '')
  const coloured = useColours(code, languageOf(language))
  return (
    <div className={cn('group relative mb-3', !isBare && 'rounded-md border border-line bg-surface')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys. */}
      <pre tabIndex={0} className="code mb-0! pr-10!">
        {code.split(/\r?\n/).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other.
          <code key={at} className="block min-h-5">
            <CodeLine text={line} pieces={coloured?.[at]} />
          </code>
        ))}
      </pre>
      <div className="absolute top-1 right-1 rounded-md bg-surface opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
        <Copy text={code} label="Copy the code" />
      </div>
    </div>
  )
}

/** What Markdown has as code: a formula, a block, or words in a line. A block holds line breaks, or names its language. */
export function Fence({ className = '', text }: { readonly className: string | undefined; readonly text: string }) {
  const language = /language-(\S+)/.exec(className)?.[1] ?? ''
  if (language === 'math') return <Formula text={text.trim()} isBlock={!/math-inline/.test(className)} />
  if (language === '' && !text.includes('\n')) {
    return (
      <code>
        <PlainText text={text} />
      </code>
    )
  }
  return <CodeBlock text={text} language={language} />
}
