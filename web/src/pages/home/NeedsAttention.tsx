import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { operationQuery } from '../../api/client.ts'
import { type Collection, useContextsCheck, useOperation } from '../../api/collections.ts'
import { useMay } from '../../api/me.ts'
import { Button } from '../../ui/Button.tsx'
import { cn } from '../../ui/cn.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { ageOf, countOf, numberOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { Section } from '../../ui/Section.tsx'
import { ErrorNote } from '../../ui/State.tsx'
import { Editor } from '../descriptions/Descriptions.tsx'
import { IndexButton } from '../IndexButton.tsx'

const ROW = 'border-b border-line px-4 hover:bg-surface'

/** Problems of collections, each with the button that fixes it. */
export function NeedsAttention({ collections }: { readonly collections: readonly Collection[] }) {
  const { data: check, error } = useContextsCheck()
  if (!check) return error ? <ErrorNote error={error} /> : null
  const problems = [...indexProblems(collections), ...descriptionProblems(check)]
  if (problems.length === 0) return <p className="px-4 py-6 text-ink-3">Everything is indexed and described.</p>
  return (
    <Section title="Needs attention" look="px-4" className="pt-6 pb-8">
      <ShortList items={problems} few={8}>
        {(problem) => (
          <li key={`${problem.by} ${problem.place}`} className={cn(ROW, 'flex min-h-9 items-center gap-3 py-1 pr-3')}>
            <p className="min-w-0 flex-1 leading-5">
              <Name className="font-mono text-xs wrap-anywhere" text={problem.place} />{' '}
              <span className="text-ink-2">{problem.what}</span>
            </p>
            <FixButton problem={problem} />
          </li>
        )}
      </ShortList>
    </Section>
  )
}

/** The button that fixes a problem. Absent if the person may not fix it. */
function FixButton({ problem: { by, place: path, text } }: { readonly problem: PlaceProblem }) {
  const [isOpen, setOpen] = useState(false)
  const { mutate, isPending } = useOperation('contexts.remove')
  const may = { describe: useMay('contexts.add'), forget: useMay('contexts.remove') }
  if (by === 'index') return <IndexButton collection={path} />
  if (!may[by]) return null
  const close = () => setOpen(false)
  if (by === 'forget') {
    const about = { title: text, 'aria-label': `Remove the description of ${path}` }
    return (
      <Button {...about} disabled={isPending} onClick={() => mutate({ path })}>
        Remove
      </Button>
    )
  }
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-label={`Describe ${path}`}>
        Describe
      </Button>
      <Dialog title={`What is ${path} for?`} isOpen={isOpen} onClose={close} className="w-[480px]">
        <div className="px-4 py-2">
          <p className="pb-1 text-xs text-ink-3">Agents receive this description with everything they find here.</p>
          <Editor path={path} name={path} what="folder" onDone={close} />
        </div>
      </Dialog>
    </>
  )
}

const LOOKS = { error: 'text-bad', warning: 'text-warn', note: 'text-ink-3' } as const

/** Findings of `check` in the context files of the served directory. Absent without findings. */
export function Findings() {
  const input = { place: '.', home: false }
  const { data } = useQuery({ ...operationQuery('check', input), retry: false, staleTime: 60_000 })
  if (!data || data.findings.length === 0) return null
  return (
    <Section
      title={`Out of date in context files: ${countOf(data.checked, 'file')} checked`}
      look="px-4"
      className="pb-8"
    >
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
    </Section>
  )
}

interface ShortListProps<Item> {
  readonly items: readonly Item[]
  /** Maximum number of items before the button. */
  readonly few: number
  /** An `<li>` with its key. */
  children(item: Item): ReactNode
}

/** The first items of a list, and a button that shows the others. */
function ShortList<Item>({ items, few, children }: ShortListProps<Item>) {
  const [isAll, setAll] = useState(false)
  const rest = items.length - few
  return (
    <>
      <ul>{(isAll ? items : items.slice(0, few)).map(children)}</ul>
      {!isAll && rest > 0 && (
        <Button look="quiet" className="mt-1 ml-2" onClick={() => setAll(true)}>
          Show {numberOf(rest)} more
        </Button>
      )}
    </>
  )
}

/** Milliseconds after which an index may be outdated: a week. */
const OLD = 7 * 86_400_000

export function isOld(time: string, now = Date.now()): boolean {
  return now - Date.parse(time) > OLD
}

/** A problem of a place, and its fix. */
interface PlaceProblem {
  readonly place: string
  readonly what: string
  readonly by: 'index' | 'describe' | 'forget'
  /** The description to remove. */
  readonly text?: string
}

/** Problems of the index, the worst first. */
function indexProblems(collections: readonly Collection[]): PlaceProblem[] {
  return collections.flatMap(({ name, indexedAt, problem, documents }) => {
    const found = (what: string) => [{ place: name, what, by: 'index' as const }]
    if (problem !== undefined) return found(problem)
    if (indexedAt === undefined) return found(documents > 0 ? 'is only partly indexed' : 'is not indexed yet')
    return isOld(indexedAt) ? found(`was indexed ${ageOf(indexedAt)}`) : []
  })
}

/** Problems of descriptions. Leaves out folders whose collection has no description. */
function descriptionProblems({ collections, paths, stale }: Answer<'contexts.check'>): PlaceProblem[] {
  const bare = new Set(collections.map(({ name }) => name))
  const folders = paths.filter(({ collection }) => !bare.has(collection))
  const describe = (place: string, what: string) => ({ place, what, by: 'describe' as const })
  return [
    ...collections.map(({ name }) => describe(name, 'has no description: agents do not know what it is for')),
    ...stale.map(({ collection, pathPrefix, context }) => {
      const place = `${collection ?? ''}${pathPrefix === '/' && collection !== null ? '' : pathPrefix}`
      return { place, what: 'has a description but no documents', by: 'forget' as const, text: context }
    }),
    ...folders.map(({ collection, path, documents }) =>
      describe(`${collection}/${path}`, `has ${countOf(documents, 'document')} and no description`),
    ),
  ]
}
