import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './Button.tsx'

interface CopyButtonProps {
  /** What is copied, or where it is taken from when it is wanted. */
  readonly text: string | (() => string)
  readonly label?: string
}

/** How long it is shown that something was copied, in milliseconds. */
const SHOWN = 1_500

/** A button with a word on it that copies a text, and says so. */
export function CopyButton({ text, label = 'Copy' }: CopyButtonProps) {
  const [said, setSaid] = useState<string>()
  useEffect(() => {
    const timer = said === undefined ? undefined : setTimeout(() => setSaid(undefined), SHOWN)
    return () => clearTimeout(timer)
  }, [said])
  const copy = () => {
    const value = typeof text === 'string' ? text : text()
    navigator.clipboard.writeText(value).then(
      () => setSaid('Copied'),
      () => setSaid('Not allowed'),
    )
  }
  const Icon = said === 'Copied' ? Check : Copy
  return (
    <Button look="quiet" onClick={copy}>
      <Icon aria-hidden />
      {said ?? label}
      <span role="status" className="sr-only">
        {said}
      </span>
    </Button>
  )
}
