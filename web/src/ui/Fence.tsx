import { Suspense } from 'react'
import { CodeBlock } from './CodeBlock.tsx'
import { Formula } from './Formula.tsx'
import { PlainText } from './PlainText.tsx'
import { lazyPart } from './part.ts'

interface FenceProps {
  readonly className: string | undefined
  readonly text: string
}

const Diagram = lazyPart(async () => (await import('./diagram/Diagram.tsx')).Diagram)

/** What Markdown has as code: a formula, a diagram, a block, or words in a line. A block holds line breaks, or names its language. */
export function Fence({ className = '', text }: FenceProps) {
  const language = /language-(\S+)/.exec(className)?.[1] ?? ''
  if (language === 'math') return <Formula text={text.trim()} isBlock={!/math-inline/.test(className)} />
  if (language === 'mermaid') {
    return (
      <Suspense fallback={<CodeBlock text={text} language={language} />}>
        <Diagram text={text} />
      </Suspense>
    )
  }
  if (language === '' && !text.includes('\n')) {
    return (
      <code>
        <PlainText text={text} />
      </code>
    )
  }
  return <CodeBlock text={text} language={language} />
}
