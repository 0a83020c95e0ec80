import { useState } from 'react'
import { TextButton } from './Button.tsx'
import { cn } from './cn.ts'
import { countOf, numberOf } from './format.ts'
import { PlainText } from './PlainText.tsx'

/** Default number of open levels, and maximum entries of a level before the button that shows more. */
const OPEN = 2
const PART = 100

interface JsonValueProps {
  readonly value: unknown
  /** Number of levels that are open at first. */
  readonly open?: number
}

/** A JSON value as a tree. */
export function JsonValue({ value, open = OPEN }: JsonValueProps) {
  return (
    <div className="code font-mono text-xs leading-5">
      <Node value={value} open={open} />
    </div>
  )
}

interface NodeProps {
  readonly name?: string | undefined
  readonly value: unknown
  /** Number of open levels, including this one. */
  readonly open: number
}

function Node({ name, value, open }: NodeProps) {
  if (typeof value !== 'object' || value === null) {
    return (
      <div className="pl-4">
        <Name name={name} />
        <Leaf value={value} />
      </div>
    )
  }
  return <Branch {...{ name, value, open }} />
}

function Name({ name }: { readonly name: string | undefined }) {
  if (name === undefined) return null
  return (
    <span className="wrap-anywhere text-ink">
      <PlainText text={name} />
      <span className="text-ink-3">: </span>
    </span>
  )
}

function Branch({ name, value, open }: NodeProps & { readonly value: object }) {
  const [isOpen, setOpen] = useState(open > 0)
  const [most, setMost] = useState(PART)
  const entries = Object.entries(value)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="min-h-6 w-fit rounded-sm pr-2 leading-6 hover:bg-raised">
        <Name name={name} />
        <span className="text-ink-3">{countOf(entries.length, Array.isArray(value) ? 'item' : 'field')}</span>
      </summary>
      {isOpen && (
        <div className="ml-[5px] border-l border-line pl-3">
          {entries.slice(0, most).map(([key, each]) => (
            <Node key={key} name={key} value={each} open={open - 1} />
          ))}
          {entries.length > most && (
            <TextButton className="ml-4" onClick={() => setMost(most + 10 * PART)}>
              {numberOf(entries.length - most)} more
            </TextButton>
          )}
        </div>
      )}
    </details>
  )
}

function Leaf({ value }: { readonly value: unknown }) {
  const isText = typeof value === 'string'
  return (
    <PlainText
      as="span"
      className={cn('wrap-anywhere', isText ? 'hljs-string' : value === null ? 'text-ink-3' : 'hljs-number')}
      text={isText ? JSON.stringify(value) : String(value)}
    />
  )
}
