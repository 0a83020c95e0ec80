import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Package as PackageIcon } from 'lucide-react'
import { useMemo } from 'react'
import {
  type FoundPackage,
  type PackageName,
  parsePackagePlace,
  usePackageSearch,
  usePackages,
} from '../../api/packages.ts'
import { packagePage } from '../../api/place.ts'
import { Button } from '../../ui/Button.tsx'
import { Input } from '../../ui/Field.tsx'
import { countOf, numberOf } from '../../ui/format.ts'
import { useTitle } from '../../ui/hooks.ts'
import { Name } from '../../ui/PlainText.tsx'
import { Empty, ErrorNote, Skeleton } from '../../ui/State.tsx'
import type { TableColumn } from '../../ui/Table.tsx'
import { VirtualTable } from '../../ui/VirtualTable.tsx'

/** The packages of all collections. */
export function PackagesPage() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = usePackages()
  const { q = '' }: { readonly q?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  useTitle('Packages')
  const all = useMemo(() => (data?.pages ?? []).flatMap(({ packages }) => packages), [data])
  const words = q.trim()
  const { data: found, isFetching: isSearching } = usePackageSearch(words)
  const shown = useMemo(() => rowsOf(all, words, found?.packages ?? []), [all, words, found])
  const problems = data?.pages[0]?.problems ?? []
  return (
    <div className="flex h-full flex-col">
      <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-2 pb-1">
        <h1 className="text-lg font-semibold">Packages</h1>
        <p className="flex-1 text-xs text-ink-3 tabular-nums">
          {data &&
            (words === '' ? countOf(all.length, 'package') : `${numberOf(shown.length)} of ${numberOf(all.length)}`)}
          {hasNextPage && ' so far'}
          {isSearching && ', searching contents'}
        </p>
        {all.length > 0 && (
          <Input
            type="search"
            aria-label="Filter packages"
            placeholder="Search"
            value={q}
            onText={(text) => navigate({ to: '/packages', search: { q: text }, replace: true })}
            className="h-7 w-48"
          />
        )}
      </header>
      {data === undefined && (error ? <ErrorNote error={error} retry={refetch} /> : <Skeleton rows={8} />)}
      {data && all.length === 0 && NOTHING}
      {all.length > 0 && <Table packages={shown} isSearching={isSearching} />}
      {hasNextPage && (
        <div className="border-t border-line px-4 py-2">
          <Button onClick={() => fetchNextPage()} disabled={isFetchingNextPage}>
            Show more
          </Button>
        </div>
      )}
      {problems.length > 0 && (
        <details className="border-t border-line px-4 py-2 text-xs text-ink-2">
          <summary>{countOf(problems.length, 'collection')} could not be read</summary>
          <ul className="mt-1 stack gap-1">
            {problems.map(({ registry, message }) => (
              <li key={registry} className="wrap-anywhere">
                <Name className="font-mono" text={registry} /> {message}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function matchesName(place: string, words: string): boolean {
  return words.split(/\s+/).every((word) => place.toLowerCase().includes(word.toLowerCase()))
}

interface Row extends Pick<PackageName, 'name' | 'place'> {
  /** What matches in the package, if its name does not match. */
  readonly where?: string
}

/** The rows: packages whose names match, then packages with other matches. Without words, all packages. */
function rowsOf(all: readonly PackageName[], words: string, found: readonly FoundPackage[]): readonly Row[] {
  const named = words === '' ? all : all.filter(({ place }) => matchesName(place, words))
  const places = new Set(named.map(({ place }) => place))
  const others = words === '' ? [] : found.filter(({ place }) => !places.has(place))
  return [...named, ...others.map((one) => ({ name: one.name, place: one.place, where: whereOf(one) }))]
}

function whereOf({ entries, fields, message }: FoundPackage): string {
  if (entries.length > 0) return entries.join(', ')
  return fields.includes('message') ? (message ?? '') : 'its metadata'
}

const NAME: TableColumn<Row> = { name: 'Package', cell: (row) => <PackageLink row={row} /> }
const WHERE: TableColumn<Row> = {
  name: 'Found in',
  className: 'w-2/5 truncate text-ink-2',
  title: ({ where }) => where,
  cell: ({ where }) => <Name text={where} />,
}
const COLLECTION: TableColumn<Row> = {
  name: 'Collection',
  className: 'w-1/4 truncate text-ink-2',
  title: ({ place }) => parsePackagePlace(place)?.registry,
  cell: ({ place }) => <Name text={parsePackagePlace(place)?.registry} />,
}

function Table({ packages, isSearching }: { readonly packages: readonly Row[]; readonly isSearching: boolean }) {
  if (packages.length === 0) return isSearching ? <Skeleton rows={1} /> : <Empty title="No package matches" />
  const isFound = packages.some(({ where }) => where !== undefined)
  return (
    <VirtualTable
      label="Packages"
      columns={isFound ? [NAME, WHERE, COLLECTION] : [NAME, COLLECTION]}
      items={packages}
      keyOf={({ place }) => place}
    />
  )
}

function PackageLink({ row: { name, place } }: { readonly row: Row }) {
  const at = parsePackagePlace(place)
  const [namespace, ...rest] = name.split('/')
  return (
    <span className="flex items-center gap-2">
      <PackageIcon aria-hidden className="size-4 shrink-0 text-kind-package" />
      {at ? (
        <Link {...packagePage(at)} title={name} className="truncate hover:underline">
          <bdi>
            <span className="text-ink-2">{namespace}/</span>
            <span className="font-medium">{rest.join('/')}</span>
          </bdi>
        </Link>
      ) : (
        <Name title={name} className="truncate" text={name} />
      )}
    </span>
  )
}

const NOTHING = (
  <Empty title="There are no packages here">
    <p>
      A package is a fixed version of a set of files. It has a hash of each file, so that anybody can check the files.
      Ambit shows Quilt packages of every collection with a <code className="font-mono text-sm">.quilt</code> folder.
    </p>
    <p className="mt-2">
      On the command line: <code className="font-mono text-sm">ambit collection add lab s3://BUCKET</code>
    </p>
  </Empty>
)
