import { useEffect, useRef, useState } from 'react'
import { CodeLine, useColours } from './CodeLine.tsx'
import { Copy } from './Copy.tsx'
import { cn } from './cn.ts'
import { languageOf } from './languages.ts'
import { PlainText } from './PlainText.tsx'
import { usePart } from './part.ts'
import { Scroll } from './Scroll.tsx'

interface CodeBlockProps {
  readonly text: string
  readonly language: string
  /** Whether the block has neither a border nor a background. */
  readonly isBare?: boolean
}

/** A block of code in a text, with a button that copies it. */
export function CodeBlock({ text, language, isBare = false }: CodeBlockProps) {
  const code = text.replace(/\n$/, '')
  const coloured = useColours(code, languageOf(language))
  return (
    <div className={cn('group relative mb-3', !isBare && 'rounded-md border border-line bg-surface')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls. */}
      <pre tabIndex={0} className="code mb-0! pr-10!">
        {code.split(/\r?\n/).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other key.
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

/** Code of Markdown: a formula, a block, or words in a line. A block has line breaks or a language. */
export function Fence({ className = '', text }: { readonly className: string | undefined; readonly text: string }) {
  const language = /language-(\S+)/.exec(className)?.[1] ?? ''
  if (language === 'math') return <Formula text={text.trim()} isBlock={!/math-inline/.test(className)} />
  if (language === '' && !text.includes('\n')) return <PlainText as="code" text={text} />
  return <CodeBlock text={text} language={language} />
}

/** Maximum characters of a formula. */
const MAX_FORMULA = 5_000

/**
 * TeX as MathML, which the browser renders without additional styles or fonts. KaTeX is loaded when the page has a formula. A
 * formula that KaTeX cannot parse is shown as written.
 */
function Formula({ text, isBlock }: { readonly text: string; readonly isBlock: boolean }) {
  const ref = useRef<HTMLSpanElement>(null)
  const { data, error } = usePart('formula', () => import('katex'))
  const [state, setState] = useState<{ readonly isSet: boolean; readonly problem?: unknown }>({ isSet: false })
  useEffect(() => {
    if (!data || !ref.current) return
    try {
      if (text.length > MAX_FORMULA) throw new Error('the formula is too long')
      const bounds = { trust: false, maxExpand: 200, maxSize: 20, strict: 'ignore' as const }
      data.default.render(text, ref.current, { ...bounds, output: 'mathml', displayMode: isBlock, throwOnError: true })
      setState({ isSet: true })
    } catch (problem) {
      setState({ isSet: false, problem })
    }
  }, [data, text, isBlock])
  const problem = state.problem ?? error
  const title = problem instanceof Error ? `Shown as written: ${problem.message}` : undefined
  const formula = (
    <>
      <span ref={ref} hidden={!state.isSet} data-formula />
      {!state.isSet && <PlainText as="code" title={title} text={text} />}
    </>
  )
  if (!isBlock) return formula
  return (
    <Scroll role="group" label="Formula" className="mb-3 overflow-x-auto overflow-y-hidden py-1 text-center">
      {formula}
    </Scroll>
  )
}
