import { Link } from '@tanstack/react-router'
import { cn } from './cn.ts'

interface TabsProps {
  readonly label: string
  readonly tabs: readonly {
    readonly name: string
    readonly to: string
    readonly params?: object
    readonly search?: object
    readonly isCurrent: boolean
  }[]
  readonly className?: string
}

/** Tabs of a page, each with its own URL. */
export function Tabs({ label, tabs, className }: TabsProps) {
  return (
    <nav aria-label={label} className={cn('flex shrink-0 gap-1 overflow-x-auto print:hidden', className)}>
      {tabs.map(({ name, to, params, search, isCurrent }) => (
        <Link
          key={name}
          to={to}
          params={params as never}
          search={(search ?? {}) as never}
          aria-current={isCurrent ? 'page' : undefined}
          // A tab without a query is not current for URLs with a query.
          activeOptions={{ exact: true, includeSearch: true }}
          className="flex h-9 items-center border-b-2 border-transparent px-2 whitespace-nowrap text-ink-2 hover:text-ink aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-ink"
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
