import type { ReactNode } from 'react'
import { useTitle } from '../ui/hooks.ts'

interface PageProps {
  readonly title: string
  /** Content beside the title, on one line. */
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** Content above the title. */
  readonly lead?: ReactNode
}

/** A page that scrolls as a whole, under its title. */
export function Page({ title, about, actions, children, lead }: PageProps) {
  useTitle(title)
  return (
    <div className="h-full overflow-y-auto">
      {lead}
      <header className="flex min-h-12 items-center gap-3 px-4 pt-2">
        <h1 className="text-lg font-semibold">{title}</h1>
        <p className="min-w-0 flex-1 text-xs text-ink-3 tabular-nums">{about}</p>
        {actions}
      </header>
      {children}
    </div>
  )
}
