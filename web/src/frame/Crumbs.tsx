import { Link, useRouterState } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { PackageAt } from '../api/packages.ts'
import { ancestorsOf, nameOf, type Place, placeOf, placeText } from '../api/place.ts'
import { cn } from '../ui/cn.ts'
import { Name } from '../ui/PlainText.tsx'
import { isIn, SECTIONS } from './sections.ts'

const LINK =
  'block truncate leading-6 rounded-sm px-1 text-ink-2 hover:bg-raised hover:text-ink aria-[current=page]:text-ink'

/** Where one is: of a place in a collection the way to it, each part a link; else the name of the section. */
export function Crumbs() {
  const { pathname, place, pack } = useRouterState({
    select: ({ location, matches }) => ({
      pathname: location.pathname,
      place: placeIn(matches.at(-1)?.params),
      pack: packageIn(matches.at(-1)?.params),
    }),
    structuralSharing: true,
  })
  const section = SECTIONS.find((each) => isIn(each, pathname))
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0 flex-1 overflow-hidden">
      <ol className="flex items-center text-sm whitespace-nowrap">
        {place ? (
          <PlaceCrumbs place={place} />
        ) : pack ? (
          <PackageCrumbs pack={pack} />
        ) : (
          <li className="truncate px-1 font-medium" aria-current="page">
            {section?.name ?? 'Not found'}
          </li>
        )}
      </ol>
    </nav>
  )
}

function placeIn(params: unknown): Place | undefined {
  const { collection, _splat: path } = Object(params) as { collection?: string; _splat?: string }
  return collection === undefined ? undefined : placeOf(collection, path)
}

/** Parts of a long way that are shown: the first and the last ones. */
const MOST = 4

function PlaceCrumbs({ place }: { readonly place: Place }) {
  const line = ancestorsOf(place)
  const shown = line.length > MOST ? [...line.slice(0, 1), ...line.slice(-(MOST - 1))] : line
  const last = shown.length - 1
  return shown.map((each, at) => {
    // Small screens have room for the place and the folder that it is in.
    const isFar = at < last - 1 && 'max-md:hidden'
    return (
      <Fragment key={placeText(each)}>
        {at > 0 && (
          <li aria-hidden className={cn('text-ink-3', at < last && 'max-md:hidden')}>
            {at === 1 && shown.length < line.length ? '/ … /' : '/'}
          </li>
        )}
        <li className={cn('min-w-6', at === last ? 'font-medium' : 'shrink-[2]', isFar)}>
          <Link
            to="/browse/$collection/$"
            params={{ collection: each.collection, _splat: each.path }}
            className={LINK}
            title={nameOf(each)}
            aria-current={at === last ? 'page' : undefined}
          >
            <Name text={nameOf(each)} />
          </Link>
        </li>
      </Fragment>
    )
  })
}

function packageIn(params: unknown): PackageAt | undefined {
  const { registry, namespace, name } = Object(params) as Partial<PackageAt>
  return registry === undefined || namespace === undefined || name === undefined
    ? undefined
    : { registry, namespace, name }
}

/** The packages, the collection that it is in, and the package. */
function PackageCrumbs({ pack }: { readonly pack: PackageAt }) {
  return (
    <>
      <li className="max-md:hidden">
        <Link to="/packages" className={LINK}>
          Packages
        </Link>
      </li>
      <li aria-hidden className="text-ink-3 max-md:hidden">
        /
      </li>
      <li className="min-w-6 shrink-[2] max-md:hidden">
        <Link to="/packages" search={{ q: `${pack.registry}/` }} className={LINK} title={pack.registry}>
          <Name text={pack.registry} />
        </Link>
      </li>
      <li aria-hidden className="text-ink-3 max-md:hidden">
        /
      </li>
      <li className="min-w-6 font-medium">
        <Link
          to="/packages/$registry/$namespace/$name"
          params={pack}
          className={LINK}
          title={`${pack.namespace}/${pack.name}`}
          aria-current="page"
        >
          <bdi>
            {pack.namespace}/{pack.name}
          </bdi>
        </Link>
      </li>
    </>
  )
}
