import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './Button.tsx'

interface CopyButtonProps {
  /** What is copied, or where it is taken from when it is wanted. */
  readonly text: string | (() => string)
  readonly label?: string
  /** Shows the icon alone. */
  readonly isBare?: boolean
}

/** Puts a text on the clipboard, and says that it is there. */
export function CopyButton({ text, label = 'Copy', isBare = false }: CopyButtonProps) {
  const [said, setSaid] = useState<string>()
  useEffect(() => {
    const timer = said === undefined ? undefined : setTimeout(() => setSaid(undefined), 1600)
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
    <Button
      look="quiet"
      size={isBare ? 'icon' : 'sm'}
      onClick={copy}
      {...(isBare && { 'aria-label': label, title: label })}
    >
      <Icon aria-hidden />
      {!isBare && <span className="min-w-0">{said ?? label}</span>}
      <span role="status" className="sr-only">
        {said}
      </span>
    </Button>
  )
}
