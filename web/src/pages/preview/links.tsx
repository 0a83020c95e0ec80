/** Links and images of untrusted text. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { bytesUrl } from '../../api/bytes.ts'
import { operationQuery } from '../../api/client.ts'
import { browseAt, decodePart, nameOf, type Place, packagePage } from '../../api/place.ts'
import { fragmentOf } from '../../ui/markdown/ids.ts'
import type { LinkRenderers } from '../../ui/markdown/Rendered.tsx'
import { WIKI_PREFIX } from '../../ui/markdown/remark-wiki-links.ts'
import { BlockedImage, OutsideLink } from '../../ui/OutsideLink.tsx'
import { targetOf } from './targets.ts'

/** Resolves links and images of a text, relative to its place. */
export function useLinkRenderers(place: Place): LinkRenderers {
  return useMemo(
    () => ({
      link: (href, children) => <MarkdownLink {...{ href, place, children }} />,
      image: (src, alt) => <MarkdownImage {...{ src, alt, place }} />,
    }),
    [place],
  )
}

interface MarkdownLinkProps {
  readonly href: string | undefined
  readonly place: Place
  readonly children: ReactNode
}

function MarkdownLink({ href = '', place, children }: MarkdownLinkProps) {
  if (href.startsWith(WIKI_PREFIX)) {
    return <WikiLink {...{ page: href.slice(WIKI_PREFIX.length), place, children }} />
  }
  const target = targetOf(href, place)
  if (target.kind === 'nowhere') return <span title="This link is not safe to open">{children}</span>
  if (target.kind === 'here') return <a href={`#${target.id}`}>{children}</a>
  if (target.kind === 'outside') return <OutsideLink {...{ href: target.url, host: target.host, children }} />
  return <PlaceLink {...{ place: target.place, hash: target.hash, children }} />
}

/** Maximum number of documents to compare with the name in a wiki link. */
const MOST_PAGES = 20

/**
 * `[[Page#Heading]]`: a link to the nearest document of that name, or the text alone if there is no such document. `page` is
 * URL-encoded.
 */
function WikiLink({ page, place, children }: Omit<MarkdownLinkProps, 'href'> & { readonly page: string }) {
  const [name = '', hash = ''] = decodePart(page).split('#')
  const input = { place: place.collection, match: name, limit: MOST_PAGES }
  const { data } = useQuery({
    ...operationQuery('ls', input),
    enabled: place.within === undefined && name !== '',
    staleTime: 60_000,
  })
  if (name === '') return <a href={`#${fragmentOf(hash)}`}>{children}</a>
  const path = findPage(name, data?.documents.map((one) => one.path) ?? [], place.path)
  if (path === undefined) return children
  return <PlaceLink {...{ place: { ...place, path }, hash: fragmentOf(hash), children }} />
}

/** The document with a name: in the same folder if there is one, else the one with the shortest path. */
function findPage(name: string, paths: readonly string[], from: string): string | undefined {
  const wanted = name.toLowerCase().replace(/\.md$/, '')
  const isNamed = (path: string) => `/${path.toLowerCase().replace(/\.(md|markdown)$/, '')}`.endsWith(`/${wanted}`)
  const folder = from.slice(0, from.lastIndexOf('/') + 1)
  const named = paths.filter(isNamed).toSorted((a, b) => a.length - b.length)
  return named.find((path) => path.startsWith(folder) && !path.slice(folder.length).includes('/')) ?? named[0]
}

interface PlaceLinkProps {
  readonly place: Place
  /** The heading in the URL. */
  readonly hash?: string
  readonly children: ReactNode
}

/** A link to a file in its collection or package. */
export function PlaceLink({ place: { collection, path, within }, hash = '', children }: PlaceLinkProps) {
  const [, namespace = '', name = '', revision = ''] = /^([^/]+)\/([^@]+)@(.+)$/.exec(within ?? '') ?? []
  if (within !== undefined) {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    const search = { ...(folder !== '' && { path: folder }), ...(path !== '' && { entry: path }) }
    return <Link {...packagePage({ registry: collection, namespace, name, hash: revision }, search)}>{children}</Link>
  }
  return (
    <Link {...browseAt(collection, path)} {...(hash !== '' && { hash })}>
      {children}
    </Link>
  )
}

/** An image inside the text, in a format without scripts. */
const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/]+={0,2}$/

/** Shows an image of the same collection or inside the text. Requests no other image, and shows its host instead. */
function MarkdownImage({ src, alt, place }: { readonly src: string; readonly alt: string; readonly place: Place }) {
  if (DATA_IMAGE.test(src)) return <img src={src} alt={alt || 'Image'} loading="lazy" className="bg-[white]" />
  const target = targetOf(src, place)
  if (target.kind === 'place')
    return <img src={bytesUrl(target.place)} alt={alt || nameOf(target.place)} loading="lazy" />
  return <BlockedImage alt={alt} host={target.kind === 'outside' ? target.host : 'elsewhere'} />
}
