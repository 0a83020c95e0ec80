import { useState } from 'react'
import { cn } from './cn.ts'
import { counted, numberOf } from './format.ts'
import { PlainText } from './PlainText.tsx'

/** Levels that are open at first, and entries of one that are shown at once. */
const OPEN = 2
const PART = 100

interface JsonValueProps {
  readonly value: unknown
  readonly name?: string
  readonly depth?: number
}

/** Any JSON as a tree that is opened level by level. */
export function JsonValue({ value, name, depth = 0 }: JsonValueProps) {
  if (typeof value === 'object' && value !== null)
    return <Branch value={value} depth={depth} {...(name !== undefined && { name })} />
  const isText = typeof value === 'string'
  return (
    <div className={cn('font-mono text-xs leading-5 wrap-anywhere', depth > 0 && 'pl-4')}>
      <Name name={name} />
      <span className={isText ? 'text-good' : value === null ? 'text-ink-3' : 'text-kind-path'}>
        <PlainText text={isText ? value : String(value)} />
      </span>
    </div>
  )
}

function Name({ name }: { readonly name: string | undefined }) {
  if (name === undefined) return null
  return (
    <>
      <PlainText text={name} />
      <span className="text-ink-3">: </span>
    </>
  )
}

function Branch({ value, name, depth }: { readonly value: object; readonly name?: string; readonly depth: number }) {
  const [isOpen, setOpen] = useState(depth < OPEN)
  const [most, setMost] = useState(PART)
  const entries = Object.entries(value)
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="font-mono text-xs leading-5"
    >
      <summary className="w-max max-w-full rounded-sm pr-2 wrap-anywhere hover:bg-raised">
        <Name name={name} />
        <span className="text-ink-3">{counted(entries.length, Array.isArray(value) ? 'item' : 'field')}</span>
      </summary>
      {isOpen && (
        <div className="ml-[5px] border-l border-line pl-3">
          {entries.slice(0, most).map(([key, each]) => (
            <JsonValue key={key} name={key} value={each} depth={depth + 1} />
          ))}
          {entries.length > most && (
            <button type="button" className="ml-4 text-accent underline" onClick={() => setMost(most + 10 * PART)}>
              {numberOf(entries.length - most)} more
            </button>
          )}
        </div>
      )}
    </details>
  )
}
