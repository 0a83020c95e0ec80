/** Links and images of a text that nobody vouches for. */

import { Link } from '@tanstack/react-router'
import { ExternalLink, ImageOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { nameOf, type Place } from '../../../api/place.ts'
import { bytesOf } from '../../../api/places.ts'
import { headingId } from '../../../ui/markdown-text.ts'
import { targetOf } from './targets.ts'

interface MarkdownLinkProps {
  readonly href: string | undefined
  readonly place: Place
  readonly children: ReactNode
}

export function MarkdownLink({ href = '', place, children }: MarkdownLinkProps) {
  const target = targetOf(href, place)
  if (target.kind === 'nowhere') return <span title="This link leads nowhere that is safe">{children}</span>
  if (target.kind === 'here') return <a href={`#${target.id}`}>{children}</a>
  if (target.kind === 'outside') {
    return (
      <a href={target.url} target="_blank" rel="noopener noreferrer">
        {children}
        <span className="host">
          <ExternalLink aria-hidden />
          <bdi>{target.host}</bdi>
        </span>
      </a>
    )
  }
  const { collection, path } = target.place
  return (
    <Link
      to="/browse/$collection/$"
      params={{ collection, _splat: path }}
      {...(target.hash !== '' && { hash: headingId(target.hash) })}
    >
      {children}
    </Link>
  )
}

interface MarkdownImageProps {
  readonly src: string
  readonly alt: string
  readonly place: Place
}

/** An image of the same collection; of any other it is said that it was left out, and nothing is asked of its host. */
export function MarkdownImage({ src, alt, place }: MarkdownImageProps) {
  const target = targetOf(src, place)
  if (target.kind === 'place')
    return <img src={bytesOf(target.place)} alt={alt || nameOf(target.place)} loading="lazy" />
  const where = target.kind === 'outside' ? target.host : 'elsewhere'
  return (
    <span className="inline-flex items-center gap-1.5 rounded-sm border border-line bg-surface px-1.5 text-xs text-ink-3">
      <ImageOff aria-hidden className="size-3.5" />
      {alt !== '' && <span>{alt}:</span>}
      image from <bdi>{where}</bdi>, not loaded
    </span>
  )
}
