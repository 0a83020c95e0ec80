import type { Answer } from '../../api/call.ts'
import { Copy } from '../../ui/Copy.tsx'
import { JsonValue } from '../../ui/JsonValue.tsx'
import { Empty } from '../../ui/State.tsx'

/** What the maker of a package says of it, and by which workflow it was checked. */
export function Metadata({ shown: { userMeta, workflow } }: { readonly shown: Answer<'packages.show'> }) {
  const hasMeta = userMeta !== null && Object.keys(Object(userMeta)).length > 0
  if (!hasMeta && workflow === null) {
    return (
      <Empty title="This package has no metadata">
        <p>Metadata is added when a package is pushed: any JSON, such as its author and its source.</p>
      </Empty>
    )
  }
  return (
    <div className="stack content-start gap-6 overflow-y-auto px-4 py-3">
      {hasMeta && <Part title="Metadata" value={userMeta} />}
      {workflow !== null && <Part title="Workflow" value={workflow} />}
    </div>
  )
}

function Part({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <section aria-label={title}>
      <header className="flex items-center gap-2">
        <h2 className="text-base font-semibold">{title}</h2>
        <Copy text={JSON.stringify(value, null, 2)} label={`Copy as JSON: ${title}`} />
      </header>
      <JsonValue value={value} />
    </section>
  )
}
