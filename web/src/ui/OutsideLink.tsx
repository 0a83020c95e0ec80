/** Links in untrusted text to other sites. */

import { ExternalLink, ImageOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { legible } from './controls.ts'

/** Placeholder of an image that is not loaded. */
export function BlockedImage({ alt, host }: { readonly alt: string; readonly host: string }) {
  return (
    <span
      data-image
      className="rounded-sm border border-line bg-surface px-1.5 py-0.5 text-xs wrap-anywhere text-ink-3"
    >
      <ImageOff aria-hidden className="mr-1.5 inline size-3.5" />
      {alt !== '' && `${legible(alt)}: `}
      image from <bdi>{legible(host)}</bdi>, not loaded
    </span>
  )
}

interface OutsideProps {
  readonly href: string
  readonly host: string
  readonly children: ReactNode
}

export function OutsideLink({ href, host, children }: OutsideProps) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <span data-host className="ml-1 inline-flex items-center gap-0.5 text-xs text-ink-3">
        <ExternalLink aria-hidden className="size-3" />
        <bdi>{legible(host)}</bdi>
      </span>
    </a>
  )
}
