import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type PackageAt, packagePage } from '../../api/place.ts'
import { numberOf, sizeOf } from '../../ui/format.ts'

export const TABS = ['entries', 'metadata', 'revisions', 'verify'] as const
export type Tab = (typeof TABS)[number]

type Search = Readonly<Record<string, string | undefined>>

/** The package in the URL of the page: its revision, tab and path. */
export function usePackageAt() {
  const { registry = '', namespace = '', name = '' } = useParams({ strict: false }) as Readonly<Record<string, string>>
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const { hash, tab, path = '', entry, before } = search
  const at: PackageAt = { registry, namespace, name, ...(hash !== undefined && { hash }) }
  const searchWith = (next: Search): Search => {
    const whole = Object.entries({ ...search, ...next })
    return Object.fromEntries(whole.filter(([, value]) => value !== undefined && value !== ''))
  }
  /** Navigates, and adds an entry to the browser's history. */
  const go = (next: Search) => navigate(packagePage(at, searchWith(next)))
  return { at, tab: TABS.find((each) => each === tab) ?? 'entries', path, entry, before, searchWith, go }
}

export type PackagePlace = ReturnType<typeof usePackageAt>

/** The first ten digits of a hash, which people compare. */
export function shortHash(hash: string): string {
  return hash.slice(0, 10)
}

/** `1 entry`, `1,204 entries`. */
export function entriesOf(count: number): string {
  return count === 1 ? '1 entry' : `${numberOf(count)} entries`
}

/** The size of an entry; `?` if the manifest does not have it. */
export function entrySize(size: number | null | undefined): string {
  return size === null || size === undefined ? '?' : sizeOf(size)
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
