import { CodeBlock } from './CodeBlock.tsx'
import { Formula } from './Formula.tsx'
import { PlainText } from './PlainText.tsx'

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
