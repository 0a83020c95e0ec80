import { Link } from '@tanstack/react-router'

const TAB =
  'rounded-md px-2 py-0.5 text-sm text-ink-2 hover:bg-raised hover:text-ink aria-[current]:bg-raised aria-[current]:font-medium aria-[current]:text-ink'

/** Tabs of two requests for context: of a place, and of a task. */
export function ContextTabs({ current }: { readonly current: '/context' | '/task' }) {
  return (
    <nav aria-label="Kinds of context" className="flex gap-1">
      <Link to="/context" className={TAB} aria-current={current === '/context' ? 'page' : undefined}>
        At a place
      </Link>
      <Link to="/task" className={TAB} aria-current={current === '/task' ? 'page' : undefined}>
        For a task
      </Link>
    </nav>
  )
}
