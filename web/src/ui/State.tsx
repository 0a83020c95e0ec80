/** Empty, failed and loading states. */

import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Failure } from '../api/call.ts'
import { browseAt } from '../api/place.ts'
import { TextButton } from './Button.tsx'
import { cn } from './cn.ts'

interface EmptyProps {
  readonly title: string
  /** Explanation. */
  readonly children?: ReactNode
  /** The action that adds the missing content. */
  readonly action?: ReactNode
  readonly className?: string
  /** Whether nothing else is on the page. */
  readonly isPage?: boolean
}

export function Empty({ title, children, action, className, isPage = false }: EmptyProps) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className={cn('stack justify-items-start gap-2 px-4 py-8', className)}>
      <Heading className="text-base font-semibold">{title}</Heading>
      {children && <div className="max-w-prose text-base text-ink-2">{children}</div>}
      {action}
    </div>
  )
}

interface ErrorNoteProps {
  readonly error: unknown
  readonly retry?: () => void
  readonly className?: string
  /** Further actions. */
  readonly children?: ReactNode
}

/** An error, and what to do about it. */
export function ErrorNote({ error, retry, className, children }: ErrorNoteProps) {
  const { message, hint } = describeError(error)
  return (
    <div role="alert" className={cn('flex max-w-prose gap-2.5 px-4 py-6', className)}>
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
      <div className="stack min-w-0 gap-1">
        <p className="text-base font-medium wrap-anywhere">{message}</p>
        {hint && <p className="text-base text-ink-2 wrap-anywhere">{withPlaces(hint)}</p>}
        {retry && (
          <TextButton className="justify-self-start" onClick={retry}>
            Try again
          </TextButton>
        )}
        {children}
      </div>
    </div>
  )
}

const SIMILAR = /^Similar: (.+)\.$/

/** A hint, with similar places as links. */
function withPlaces(hint: string): ReactNode {
  const places = SIMILAR.exec(hint)?.[1]?.split(', ')
  if (!places) return hint
  return places.map((place, at) => {
    const [collection = '', ...path] = place.split('/')
    return (
      <Fragment key={place}>
        {at === 0 ? 'Similar: ' : ', '}
        <Link {...browseAt(collection, path.join('/'))} className="text-accent underline">
          {place}
        </Link>
      </Fragment>
    )
  })
}

/** Matches hints for programs, which people do not see. */
const FOR_PROGRAMS = /\b(GET|POST) \/api\//

function describeError(error: unknown): { readonly message: string; readonly hint?: string | undefined } {
  if (!(error instanceof Failure)) return { message: error instanceof Error ? error.message : String(error) }
  if (error.isSignedOut) return { message: 'You are signed out.', hint: SIGN_IN }
  const { message, hint = '' } = error
  return { message, hint: FOR_PROGRAMS.test(hint) ? undefined : hint }
}

const SIGN_IN = 'Reload this page: it says how to sign in again.'

/** Grey bars in place of rows that load. They appear after a moment. */
export function Skeleton({ rows = 6, className }: { readonly rows?: number; readonly className?: string }) {
  return (
    <div role="status" aria-label="Loading" className={cn('stack animate-appear gap-px px-4 py-2', className)}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no other key.
        <div key={row} className="flex h-8 items-center">
          <div className={cn('h-2.5 rounded-sm bg-raised', ['w-1/2', 'w-2/3', 'w-5/12'][row % 3])} />
        </div>
      ))}
    </div>
  )
}
