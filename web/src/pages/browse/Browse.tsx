import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { nameOf, type Place, parentOf, placeOf } from '../../api/place.ts'
import { useDescriptions, usePlaceContent } from '../../api/places.ts'
import { useShortcuts } from '../../frame/keys.ts'
import { useTitle } from '../../ui/hooks.ts'
import { ErrorNote, Skeleton } from '../../ui/State.tsx'
import { FileView } from './FileView.tsx'
import { FolderView } from './FolderView.tsx'

/** A place in a collection: a folder with what is in it, or a file. */
export function Browse() {
  const { collection = '', _splat: path = '' } = useParams({ strict: false })
  const place = useMemo(() => placeOf(collection, path), [collection, path])
  const { data, error, refetch } = usePlaceContent(place)
  // It stands above what is found: both come at once, so that nothing moves.
  const { isPending } = useDescriptions(place)
  useTitle(nameOf(place))
  useGoingUp(place)
  if (data && !isPending)
    return data.kind === 'file' ? <FileView place={place} entry={data.entries[0]} /> : <FolderView found={data} />
  return (
    <>
      <h1 className="sr-only">{nameOf(place)}</h1>
      {error ? <MissingPlace place={place} error={error} retry={refetch} /> : <Skeleton rows={12} />}
    </>
  )
}

interface AbsentProps {
  readonly place: Place
  readonly error: unknown
  readonly retry: () => void
}

/** A place that cannot be shown, and the way to what it would be in. */
function MissingPlace({ place, error, retry }: AbsentProps) {
  const parent = parentOf(place)
  return (
    <ErrorNote error={error} retry={retry}>
      <Link
        {...(parent
          ? { to: '/browse/$collection/$', params: { collection: parent.collection, _splat: parent.path } }
          : { to: '/' })}
        className="justify-self-start wrap-anywhere text-accent underline"
      >
        {parent ? `Up to ${nameOf(parent)}` : 'All collections'}
      </Link>
    </ErrorNote>
  )
}

/** Backspace leads to the folder that a place is in; from a whole collection, to all of them. */
function useGoingUp(place: Place): void {
  const navigate = useNavigate()
  const shortcuts = useMemo(() => {
    const run = () => {
      const parent = parentOf(place)
      if (!parent) return navigate({ to: '/' })
      return navigate({ to: '/browse/$collection/$', params: { collection: parent.collection, _splat: parent.path } })
    }
    return [{ keys: 'Backspace', does: 'Go up a folder', run }]
  }, [navigate, place])
  useShortcuts(shortcuts)
}
