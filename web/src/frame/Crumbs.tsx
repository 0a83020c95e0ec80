import { Link, useRouterState } from '@tanstack/react-router'
import { Fragment } from 'react'
import { ancestorsOf, browseAt, nameOf, type PackageAt, packagePage, placeOf } from '../api/place.ts'
import { cn } from '../ui/cn.ts'
import { useAddress } from '../ui/hooks.ts'
import { Name } from '../ui/PlainText.tsx'
import { isIn, SECTIONS } from './sections.ts'

const LINK =
  'block truncate leading-6 rounded-sm px-1 text-ink-2 hover:bg-raised hover:text-ink aria-[current=page]:text-ink'

interface Crumb {
  readonly name: string
  readonly to: string
  readonly params?: object
  readonly search?: object
}

/** The path to a place or a package, each part a link; on other pages, the name of the section. */
export function Crumbs() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const { params, search } = useAddress()
  const { collection, _splat, registry, namespace, name } = params
  const section = SECTIONS.find((each) => isIn(each, pathname))
  const isPackage = registry !== undefined && namespace !== undefined && name !== undefined
  const crumbs = shorten([
    ...(collection === undefined ? [] : placeCrumbs(collection, _splat)),
    ...(isPackage ? packageCrumbs({ registry, namespace, name, hash: search.hash }, search.path) : []),
  ])
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
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the position in the path.
          <Fragment key={at}>
            {at > 0 && (
              <li aria-hidden className={cn('text-ink-3', at < last && 'max-md:hidden')}>
                /
              </li>
            )}
            {/* Small screens have room for the last two crumbs. */}
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

/** Maximum number of crumbs to show of a long path: the first crumb and the last crumbs. */
const MAX_PARTS = 8

/** Hides the middle of a long path. Undefined stands for the hidden parts. */
function shorten(all: readonly Crumb[]): (Crumb | undefined)[] {
  return all.length > MAX_PARTS ? [all[0], undefined, ...all.slice(1 - MAX_PARTS)] : [...all]
}

function placeCrumbs(collection: string, path: string | undefined): Crumb[] {
  return ancestorsOf(placeOf(collection, path)).map((each) => ({
    name: nameOf(each),
    ...browseAt(each.collection, each.path),
  }))
}

function packageCrumbs(at: PackageAt, path = ''): Crumb[] {
  const parts = path.split('/').filter((part) => part !== '')
  return [
    { name: 'Packages', to: '/packages' },
    { name: at.registry, to: '/packages', search: { q: `${at.registry}/` } },
    { name: `${at.namespace}/${at.name}`, ...packagePage(at) },
    ...parts.map((name, end) => ({ name, ...packagePage(at, { path: parts.slice(0, end + 1).join('/') }) })),
  ]
}
