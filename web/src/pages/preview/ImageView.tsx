import { useState } from 'react'
import { bytesOf } from '../../api/bytes.ts'
import { nameOf, type Place } from '../../api/place.ts'
import { Empty } from '../../ui/State.tsx'

/** An image of a collection. */
export function ImageView({ place }: { readonly place: Place }) {
  const [size, setSize] = useState<string>()
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <Empty title="The image cannot be shown">The file is missing or is not an image.</Empty>
  return (
    <figure className="stack justify-items-center gap-2 p-4">
      <img
        src={bytesOf(place)}
        alt={nameOf(place)}
        onError={() => setBroken(true)}
        onLoad={({ currentTarget }) => setSize(`${currentTarget.naturalWidth} × ${currentTarget.naturalHeight} pixels`)}
        className="max-h-[75vh] max-w-full border border-line bg-surface object-contain"
      />
      <figcaption className="h-4 text-xs text-ink-3 tabular-nums">{size}</figcaption>
    </figure>
  )
}
