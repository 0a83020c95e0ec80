import { Check, Copy as CopyIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './Button.tsx'

/** How long it is shown that something was copied, in milliseconds. */
const SHOWN = 1_500

/** A button that copies a text. */
export function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => setDone(false), SHOWN)
    return () => clearTimeout(timer)
  }, [isDone])
  return (
    <IconButton
      label={isDone ? 'Copied' : label}
      onClick={() => navigator.clipboard.writeText(text).then(() => setDone(true))}
    >
      {isDone ? <Check /> : <CopyIcon />}
    </IconButton>
  )
}
