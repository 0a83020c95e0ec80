import { Link, useRouterState } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { PackageAt } from '../api/packages.ts'
import { ancestorsOf, browseAt, nameOf, type Place, placeOf } from '../api/place.ts'
import { cn } from '../ui/cn.ts'
import { useAddress } from '../ui/hooks.ts'
import { Name } from '../ui/PlainText.tsx'
import { isIn, SECTIONS } from './sections.ts'

const LINK =
  'block truncate leading-6 rounded-sm px-1 text-ink-2 hover:bg-raised hover:text-ink aria-[current=page]:text-ink'

interface Crumb {
  readonly name: string
  readonly to: '/browse/$collection/$' | '/packages' | '/packages/$registry/$namespace/$name'
  readonly params?: object
  readonly search?: object
}

/** The path to a place or a package, each part a link; else the name of the section. */
export function Crumbs() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const { params, search } = useAddress()
  const { collection, _splat, registry, namespace, name } = params
  const section = SECTIONS.find((each) => isIn(each, pathname))
  const crumbs =
    collection !== undefined
      ? placeCrumbs(placeOf(collection, _splat))
      : registry !== undefined && namespace !== undefined && name !== undefined
        ? packageCrumbs({ registry, namespace, name }, search)
        : []
  const last = crumbs.length - 1
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0 flex-1 overflow-hidden">
      <ol className="flex items-center text-sm whitespace-nowrap">
        {crumbs.length === 0 && (
          <li className="truncate px-1 font-medium" aria-current="page">
            {section?.name ?? 'Not found'}
          </li>
        )}
        {crumbs.map((crumb, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: it is its place.
          <Fragment key={at}>
            {at > 0 && (
              <li aria-hidden className={cn('text-ink-3', at < last && 'max-md:hidden')}>
                /
              </li>
            )}
            {/* Small screens have room for the last two. */}
            <li className={cn('min-w-6', at === last ? 'font-medium' : 'shrink-[2]', at < last - 1 && 'max-md:hidden')}>
              {crumb === undefined ? (
                '…'
              ) : (
                <Link
                  to={crumb.to}
                  params={crumb.params as never}
                  search={crumb.search as never}
                  className={LINK}
                  title={crumb.name}
                  aria-current={at === last ? 'page' : undefined}
                >
                  <Name text={crumb.name} />
                </Link>
              )}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  )
}

/** Parts of a long way that are shown: the first and the last ones. */
const MOST = 8

/** Undefined stands for parts that are not shown. */
function shorten(all: readonly Crumb[]): (Crumb | undefined)[] {
  return all.length > MOST ? [all[0], undefined, ...all.slice(1 - MOST)] : [...all]
}

function placeCrumbs(place: Place): (Crumb | undefined)[] {
  return shorten(ancestorsOf(place).map((each) => ({ name: nameOf(each), ...browseAt(each.collection, each.path) })))
}

function packageCrumbs(
  { registry, namespace, name }: PackageAt,
  { hash, path = '' }: ReturnType<typeof useAddress>['search'],
): (Crumb | undefined)[] {
  const own = { to: '/packages/$registry/$namespace/$name', params: { registry, namespace, name } } as const
  const revision = hash === undefined ? {} : { hash }
  const parts = path.split('/').filter((part) => part !== '')
  const folders = parts.map((part, at) => ({
    ...own,
    name: part,
    search: { ...revision, path: parts.slice(0, at + 1).join('/') },
  }))
  return shorten([
    { name: 'Packages', to: '/packages' },
    { name: registry, to: '/packages', search: { q: `${registry}/` } },
    { ...own, name: `${namespace}/${name}`, search: revision },
    ...folders,
  ])
}
