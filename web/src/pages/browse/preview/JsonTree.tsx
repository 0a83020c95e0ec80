import { useMemo } from 'react'
import { JsonValue } from '../../../ui/JsonValue.tsx'
import { Code } from './Code.tsx'

/** JSON as a tree that is opened level by level; what is no JSON as the text that it is. */
export function JsonTree({ text }: { readonly text: string }) {
  const parsed = useMemo(() => parsedFrom(text), [text])
  if (!parsed) return <Code text={text} language="json" />
  return (
    <div className="overflow-x-auto p-3">
      <JsonValue value={parsed.value} />
    </div>
  )
}

function parsedFrom(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
