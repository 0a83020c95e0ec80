import { Link } from '@tanstack/react-router'
import { buttonLook } from '../ui/Button.tsx'
import { useTitle } from '../ui/hooks.ts'
import { Empty } from '../ui/State.tsx'

export function NotFound() {
  useTitle('Not found')
  return (
    <Empty
      isPage
      title="This page does not exist"
      action={
        <nav aria-label="Where to go next" className="flex flex-wrap gap-2">
          <Link to="/" className={buttonLook({ look: 'main', size: 'md' })}>
            Collections
          </Link>
          <Link to="/search" className={buttonLook({ look: 'plain', size: 'md' })}>
            Search
          </Link>
          <Link to="/research" className={buttonLook({ look: 'plain', size: 'md' })}>
            Research
          </Link>
        </nav>
      }
    >
      The address may be mistyped, or belong to another version.
    </Empty>
  )
}
