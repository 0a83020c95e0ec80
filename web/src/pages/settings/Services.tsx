import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { operationQuery } from '../../api/client.ts'
import { SERVICES, type Service, ServiceDialog, type ServiceKind } from '../../frame/ServiceDialog.tsx'
import { Button } from '../../ui/Button.tsx'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'

const KINDS = Object.keys(SERVICES) as readonly ServiceKind[]

/** The models and the web search that the server uses. */
export function Services({ mayChange }: { readonly mayChange: boolean }) {
  const { data, error, refetch } = useQuery(operationQuery('settings.show', {}))
  const [changed, setChanged] = useState<ServiceKind>()
  if (!data) return error ? <ErrorNote error={error} retry={refetch} className="p-0" /> : <Skeleton rows={4} />
  return (
    <div className="stack gap-3">
      <ul className="stack">
        {KINDS.map((kind) => (
          <Row key={kind} kind={kind} service={data[kind]} onChange={mayChange && (() => setChanged(kind))} />
        ))}
      </ul>
      <p className="max-w-prose text-xs text-ink-3">
        Keys are kept on the server and never shown. {data.file !== null && <>Changes are kept in {data.file}.</>}
      </p>
      {changed && <ServiceDialog kind={changed} settings={data} onClose={() => setChanged(undefined)} />}
    </div>
  )
}

interface RowProps {
  readonly kind: ServiceKind
  readonly service: Service
  readonly onChange: false | (() => void)
}

function Row({ kind, service: { name: model, url, hasKey, isFixed }, onChange }: RowProps) {
  const { name, about, without } = SERVICES[kind]
  const facts = model === undefined ? about : [url, hasKey ? 'with a key' : 'without a key'].filter(Boolean).join(' · ')
  return (
    <li className="flex min-h-10 items-center gap-3 border-b border-line py-1.5">
      <div className="min-w-0 flex-1 leading-5">
        <p className="grid grid-cols-[9rem_minmax(0,1fr)] max-sm:grid-cols-1">
          <span className="pr-3 text-ink-3">{name}</span>
          {model === undefined ? (
            <span className="text-ink-2">{without}</span>
          ) : (
            <code className="font-mono text-sm wrap-anywhere">{model}</code>
          )}
        </p>
        <p className="text-xs wrap-anywhere text-ink-3">{facts}</p>
      </div>
      {onChange && isFixed && <p className="max-w-48 text-xs text-ink-3">Set by the server's environment</p>}
      {onChange && !isFixed && (
        <Button onClick={onChange} aria-label={`Change ${name.toLowerCase()}`}>
          Change
        </Button>
      )}
    </li>
  )
}
