/** Links and images of a text that nobody vouches for. */

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { bytesOf } from '../../api/bytes.ts'
import { nameOf, type Place } from '../../api/place.ts'
import { BlockedImage, OutsideLink } from '../../ui/OutsideLink.tsx'
import { targetOf } from './targets.ts'

interface MarkdownLinkProps {
  readonly href: string | undefined
  readonly place: Place
  readonly children: ReactNode
}

export function MarkdownLink({ href = '', place, children }: MarkdownLinkProps) {
  const target = targetOf(href, place)
  if (target.kind === 'nowhere') return <span title="This link is not safe to open">{children}</span>
  if (target.kind === 'here') return <a href={`#${target.id}`}>{children}</a>
  if (target.kind === 'outside') {
    return (
      <OutsideLink href={target.url} host={target.host}>
        {children}
      </OutsideLink>
    )
  }
  return (
    <PlaceLink place={target.place} hash={target.hash}>
      {children}
    </PlaceLink>
  )
}

interface PlaceLinkProps {
  readonly place: Place
  /** The heading that is meant. */
  readonly hash?: string
  readonly children: ReactNode
}

/** Leads to where a file is shown: in its collection, or in its package. */
export function PlaceLink({ place: { collection, path, within }, hash = '', children }: PlaceLinkProps) {
  const [, namespace = '', name = '', revision = ''] = /^([^/]+)\/([^@]+)@(.+)$/.exec(within ?? '') ?? []
  if (within !== undefined) {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    const search = { hash: revision, ...(folder !== '' && { path: folder }), ...(path !== '' && { entry: path }) }
    return (
      <Link
        to="/packages/$registry/$namespace/$name"
        params={{ registry: collection, namespace, name }}
        search={search}
      >
        {children}
      </Link>
    )
  }
  return (
    <Link to="/browse/$collection/$" params={{ collection, _splat: path }} {...(hash !== '' && { hash })}>
      {children}
    </Link>
  )
}

interface MarkdownImageProps {
  readonly src: string
  readonly alt: string
  readonly place: Place
}

/** An image within the text itself, in a form that no browser runs. */
const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/]+={0,2}$/

/** An image of the same collection; of any other it is said that it was left out, and nothing is asked of its host. */
export function MarkdownImage({ src, alt, place }: MarkdownImageProps) {
  if (DATA_IMAGE.test(src)) return <img src={src} alt={alt || 'Image'} loading="lazy" className="bg-[white]" />
  const target = targetOf(src, place)
  if (target.kind === 'place')
    return <img src={bytesOf(target.place)} alt={alt || nameOf(target.place)} loading="lazy" />
  return <BlockedImage alt={alt} host={target.kind === 'outside' ? target.host : 'elsewhere'} />
}
