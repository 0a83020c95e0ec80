import { Check, Copy as CopyIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, IconButton } from './Button.tsx'

interface CopyProps {
  /** The text to copy, or a function that returns it. With `html`, the clipboard has both, for word processors. */
  readonly text: string | (() => string)
  readonly html?: () => string
  readonly label?: string
}

/** Milliseconds for which a button says that it copied. */
const OUTCOME_MS = 1_500

function useCopying({ text, html }: CopyProps) {
  const [outcome, setOutcome] = useState<'Copied' | 'Not allowed'>()
  useEffect(() => {
    const timer = outcome && setTimeout(() => setOutcome(undefined), OUTCOME_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () => {
    const plain = typeof text === 'string' ? text : text()
    const blob = (content: string, type: string) => ({ [type]: new Blob([content], { type }) })
    const writing = html
      ? navigator.clipboard.write([new ClipboardItem({ ...blob(plain, 'text/plain'), ...blob(html(), 'text/html') })])
      : navigator.clipboard.writeText(plain)
    writing.then(
      () => setOutcome('Copied'),
      () => setOutcome('Not allowed'),
    )
  }
  return { copy, outcome, Icon: outcome === 'Copied' ? Check : CopyIcon }
}

/** An icon that copies a text. */
export function Copy({ label = 'Copy', ...what }: CopyProps) {
  const { copy, outcome, Icon } = useCopying(what)
  return <IconButton icon={Icon} label={outcome ?? label} onClick={copy} />
}

/** A button with a label that copies a text, and confirms it. */
export function CopyButton({ label = 'Copy', ...what }: CopyProps) {
  const { copy, outcome, Icon } = useCopying(what)
  return (
    <Button icon={Icon} look="quiet" onClick={copy}>
      {outcome ?? label}
      <span role="status" className="sr-only">
        {outcome}
      </span>
    </Button>
  )
}

/** A text that is shown to be copied, such as a secret. */
export function SecretText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className="stack max-w-prose justify-items-start gap-1">
      <code className="rounded-md border border-line-strong bg-surface p-2 font-mono text-xs wrap-anywhere">
        {text}
      </code>
      <CopyButton text={text} label={label} />
    </div>
  )
}
