import { useState } from 'react'
import { type Collection, useContextsCheck, useOperation } from '../../api/collections.ts'
import { useMay } from '../../api/me.ts'
import { Button } from '../../ui/Button.tsx'
import { numberOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { ErrorNote } from '../../ui/State.tsx'
import { Describe } from '../descriptions/Describe.tsx'
import { IndexButton } from '../IndexButton.tsx'
import { contextWeaknesses, indexWeaknesses, type Weakness } from './attention.ts'

/** Rows that are shown before all are asked for. */
const FEW = 8

/** What could be better, each with the button that mends it. */
export function NeedsAttention({ collections }: { readonly collections: readonly Collection[] }) {
  const { data: check, error } = useContextsCheck()
  const [isAll, setAll] = useState(false)
  if (!check) return error ? <ErrorNote error={error} /> : null
  const all = [...indexWeaknesses(collections), ...contextWeaknesses(check)]
  if (all.length === 0) return <p className="px-4 py-6 text-ink-3">Everything is indexed and described.</p>
  return (
    <section aria-labelledby="weak" className="pt-6 pb-8">
      <h2 id="weak" className="px-4 pb-1 text-base font-semibold">
        Needs attention
      </h2>
      <ul>
        {all.slice(0, isAll ? all.length : FEW).map((weakness) => (
          <Row key={weakness.id} weakness={weakness} />
        ))}
      </ul>
      {!isAll && all.length > FEW && (
        <Button look="quiet" className="mt-1 ml-2" onClick={() => setAll(true)}>
          Show {numberOf(all.length - FEW)} more
        </Button>
      )}
    </section>
  )
}

function Row({ weakness }: { readonly weakness: Weakness }) {
  const { place, what, mend } = weakness
  return (
    <li className="flex min-h-9 items-center gap-3 border-b border-line py-1 pr-3 pl-4 hover:bg-surface">
      <p className="min-w-0 flex-1 leading-5">
        <Name className="font-mono text-xs wrap-anywhere" text={place} /> <span className="text-ink-2">{what}</span>
      </p>
      {mend.by === 'index' && <IndexButton collection={mend.collection} />}
      {mend.by === 'describe' && <DescribeButton path={mend.path} />}
      {mend.by === 'forget' && <ForgetButton path={mend.path} text={mend.text} />}
    </li>
  )
}

function DescribeButton({ path }: { readonly path: string }) {
  const [isOpen, setOpen] = useState(false)
  if (!useMay('contexts.add')) return null
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-label={`Describe ${path}`}>
        Describe
      </Button>
      {isOpen && <Describe path={path} onClose={() => setOpen(false)} />}
    </>
  )
}

function ForgetButton({ path, text }: { readonly path: string; readonly text: string }) {
  const { mutate, isPending } = useOperation('contexts.remove')
  if (!useMay('contexts.remove')) return null
  return (
    <Button
      title={text}
      aria-label={`Forget the context of ${path}`}
      disabled={isPending}
      onClick={() => mutate({ path })}
    >
      Forget
    </Button>
  )
}
