import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { operationQuery } from '../../api/client.ts'
import { type Collection, useContextsCheck } from '../../api/collections.ts'
import { useIndexing } from '../../api/indexing.ts'
import { cn } from '../../ui/cn.ts'
import { ageOf, counted, momentOf, numberOf, sizeOf } from '../../ui/format.ts'
import { Name } from '../../ui/PlainText.tsx'
import { isOld } from './attention.ts'
import { CollectionActions } from './CollectionActions.tsx'

const CELL = 'h-9 border-b border-line px-2 first:pl-4 last:pr-3'

interface HeadProps {
  readonly children: ReactNode
  readonly className?: string
}

function Head({ children, className }: HeadProps) {
  return (
    <th scope="col" className={cn(CELL, 'h-8 text-left text-xs font-medium text-ink-3', className)}>
      {children}
    </th>
  )
}

export function CollectionTable({ collections }: { readonly collections: readonly Collection[] }) {
  return (
    <table className="mt-1 w-full table-fixed border-separate border-spacing-0 text-sm">
      <thead>
        <tr>
          <Head className="lg:w-1/4">Name</Head>
          <Head className="max-lg:hidden">Folder</Head>
          <Head className="w-24 text-right">Documents</Head>
          <Head className="w-24 text-right max-md:hidden">Size</Head>
          <Head className="w-28 pl-4 max-sm:hidden">Indexed</Head>
          <Head className="w-52 max-md:hidden">Context</Head>
          <Head className="w-12">
            <span className="sr-only">Actions</span>
          </Head>
        </tr>
      </thead>
      <tbody>
        {collections.map((collection) => (
          <Row key={collection.name} collection={collection} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ collection }: { readonly collection: Collection }) {
  const { name, root, documents, bytes, isPaused } = collection
  return (
    <tr className="group hover:bg-surface">
      <th scope="row" className={cn(CELL, 'text-left font-normal')}>
        <div className="flex items-center gap-2">
          <Link
            to="/browse/$collection/$"
            params={{ collection: name, _splat: '' }}
            className="min-w-0 font-medium wrap-anywhere hover:underline"
          >
            <Name text={name} />
          </Link>
          {isPaused && <span className="rounded-sm border border-line-strong px-1 text-xs text-ink-2">paused</span>}
        </div>
      </th>
      <td className={cn(CELL, 'font-mono text-xs wrap-anywhere text-ink-2 max-lg:hidden')}>
        <Name text={root} />
      </td>
      <td className={cn(CELL, 'text-right tabular-nums')}>{numberOf(documents)}</td>
      <td className={cn(CELL, 'text-right whitespace-nowrap tabular-nums max-md:hidden')}>{sizeOf(bytes)}</td>
      <td className={cn(CELL, 'pl-4 whitespace-nowrap max-sm:hidden')}>
        <Indexed collection={collection} />
      </td>
      <td className={cn(CELL, 'wrap-anywhere max-md:hidden')}>
        <Coverage collection={collection} />
      </td>
      <td className={CELL}>
        <CollectionActions collection={collection} />
      </td>
    </tr>
  )
}

function Indexed({ collection }: { readonly collection: Collection }) {
  const { indexedAt, isIndexing } = collection
  const { isRunning, isQueued, done, total, ...job } = useIndexing(collection.name)
  const problem = collection.problem ?? job.problem
  if (isQueued) return <span className="text-ink-2">waiting</span>
  if (isRunning && done < total) return <span className="text-ink-2">{Math.floor((100 * done) / total)} % done</span>
  if (isIndexing || isRunning) return <span className="text-ink-2">being indexed</span>
  if (problem !== undefined) {
    return (
      <span className="text-bad" title={problem}>
        failed
      </span>
    )
  }
  if (indexedAt === undefined) return <span className="text-warn">not indexed</span>
  return (
    <time dateTime={indexedAt} title={momentOf(indexedAt)} className={isOld(indexedAt) ? 'text-warn' : 'text-ink-2'}>
      {ageOf(indexedAt)}
    </time>
  )
}

/** How much of it somebody said what it is for. */
function Coverage({ collection: { name } }: { readonly collection: Collection }) {
  const { data: check } = useContextsCheck()
  const { data: list } = useQuery(operationQuery('contexts.list', {}))
  if (!check || !list) return null
  const said = list.contexts.filter(({ collection }) => collection === name).length
  const without = check.paths.filter(({ collection }) => collection === name).length
  if (said === 0) return <span className="text-warn">none</span>
  return (
    <span className="text-ink-2">
      {counted(said, 'place')}
      {without > 0 && <span className="text-ink-3"> · {counted(without, 'folder')} without</span>}
    </span>
  )
}
