import { useEffect, useState } from 'react'
import { nameOf } from '../../api/place.ts'
import { JsonValue } from '../../ui/JsonValue.tsx'
import { PlainText } from '../../ui/PlainText.tsx'
import { Skeleton } from '../../ui/State.tsx'
import { Code } from './Code.tsx'
import { type Format, formatOf } from './data/formats.ts'
import { Reader } from './data/reader.ts'
import type { TextViewProps } from './kinds.tsx'

interface ParsedTree {
  readonly value?: unknown
  /** Why there is no tree. */
  readonly problem?: string
}

/** The value of a text, parsed in a worker; undefined until then. */
export function useTree(text: string, format: Format): ParsedTree | undefined {
  const [parsed, setParsed] = useState<ParsedTree>()
  useEffect(() => {
    const reader = new Reader()
    let isCurrent = true
    reader
      .ask({ type: 'tree', text, format })
      .then(
        (value) => isCurrent && setParsed({ value }),
        (error: Error) => isCurrent && setParsed({ problem: error.message }),
      )
      .finally(() => reader.close())
    return () => {
      isCurrent = false
      reader.close()
    }
  }, [text, format])
  return parsed
}

/** JSON, YAML or TOML as a tree that opens level by level. An invalid text is shown as text, with the reason. */
export function DataTree({ text, place, language }: TextViewProps) {
  const parsed = useTree(text, formatOf(nameOf(place)))
  if (!parsed) return <Skeleton rows={8} />
  if (parsed.problem !== undefined) {
    return (
      <>
        <p role="status" className="border-b border-line bg-surface px-4 py-2 text-ink-2 wrap-anywhere">
          Shown as text, because it cannot be parsed: <PlainText text={parsed.problem} />
        </p>
        <Code text={text} language={language} />
      </>
    )
  }
  return (
    <div className="overflow-x-auto p-3">
      <JsonValue value={parsed.value} />
    </div>
  )
}
