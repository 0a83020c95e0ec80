import { Link } from '@tanstack/react-router'
import { buttonLook } from '../ui/Button.tsx'
import { Empty } from '../ui/State.tsx'
import { useTitle } from '../ui/useTitle.ts'

export function NotFound() {
  useTitle('Not found')
  return (
    <Empty
      isPage
      title="There is nothing at this address"
      action={
        <Link to="/" className={buttonLook({ look: 'plain', size: 'md' })}>
          Collections
        </Link>
      }
    >
      It may have been typed wrong, or be of another version.
    </Empty>
  )
}
