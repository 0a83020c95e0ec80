import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { operationQuery } from '../../api/client.ts'
import { type Collection, useContextsCheck, useOperation } from '../../api/collections.ts'
import { useMay } from '../../api/me.ts'
import { Button } from '../../ui/Button.tsx'
import { cn } from '../../ui/cn.ts'
import { counted } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { ShortList } from '../../ui/ShortList.tsx'
import { ErrorNote } from '../../ui/State.tsx'
import { Describe } from '../descriptions/Describe.tsx'
import { IndexButton } from '../IndexButton.tsx'
import { contextWeaknesses, indexWeaknesses, type Weakness } from './attention.ts'

const HEADING = 'px-4 pb-1 text-base font-semibold'
const ROW = 'border-b border-line px-4 hover:bg-surface'

/** What could be better in collections, each with the button that mends it. */
export function NeedsAttention({ collections }: { readonly collections: readonly Collection[] }) {
  const { data: check, error } = useContextsCheck()
  if (!check) return error ? <ErrorNote error={error} /> : null
  const all = [...indexWeaknesses(collections), ...contextWeaknesses(check)]
  if (all.length === 0) return <p className="px-4 py-6 text-ink-3">Everything is indexed and described.</p>
  return (
    <section aria-labelledby="attention" className="pt-6 pb-8">
      <h2 id="attention" className={HEADING}>
        Needs attention
      </h2>
      <ShortList items={all} few={8}>
        {({ id, place, what, mend }) => (
          <li key={id} className={cn(ROW, 'flex min-h-9 items-center gap-3 py-1 pr-3')}>
            <p className="min-w-0 flex-1 leading-5">
              <Name className="font-mono text-xs wrap-anywhere" text={place} />{' '}
              <span className="text-ink-2">{what}</span>
            </p>
            <Mend mend={mend} />
          </li>
        )}
      </ShortList>
    </section>
  )
}

/** The button that mends a weakness, for those who may. */
function Mend({ mend }: { readonly mend: Weakness['mend'] }) {
  const [isOpen, setOpen] = useState(false)
  const { mutate, isPending } = useOperation('contexts.remove')
  const may = { describe: useMay('contexts.add'), forget: useMay('contexts.remove') }
  if (mend.by === 'index') return <IndexButton collection={mend.collection} />
  if (!may[mend.by]) return null
  const { by, path } = mend
  if (by === 'forget') {
    return (
      <Button
        title={mend.text}
        aria-label={`Forget the context of ${path}`}
        disabled={isPending}
        onClick={() => mutate({ path })}
      >
        Forget
      </Button>
    )
  }
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-label={`Describe ${path}`}>
        Describe
      </Button>
      {isOpen && <Describe path={path} onClose={() => setOpen(false)} />}
    </>
  )
}

const LOOKS = { error: 'text-bad', warning: 'text-warn', note: 'text-ink-3' } as const

/** What is out of date in the context files of the served directory; nothing if all of it is right. */
export function Findings() {
  const input = { place: '.', home: false }
  const { data } = useQuery({ ...operationQuery('check', input), retry: false, staleTime: 60_000 })
  if (!data || data.findings.length === 0) return null
  return (
    <section aria-labelledby="findings" className="pb-8">
      <h2 id="findings" className={HEADING}>
        Out of date in context files
        <span className="ml-2 text-xs font-normal text-ink-3">{counted(data.checked, 'file')} checked</span>
      </h2>
      <ShortList items={data.findings} few={5}>
        {({ rule, severity, path, line, message, hint }) => (
          <li key={`${path}:${line}:${rule}:${message}`} className={cn(ROW, 'py-2 leading-5 wrap-anywhere')}>
            <p>
              <span className={cn('mr-2 text-xs font-medium', LOOKS[severity])}>{severity}</span>
              <bdi className="font-mono text-xs">
                {path}
                {line !== undefined && `:${line}`}
              </bdi>{' '}
              <span className="text-ink-2">{message}</span>
            </p>
            <p className="text-xs text-ink-3">{hint}</p>
          </li>
        )}
      </ShortList>
    </section>
  )
}
