import { useState } from 'react'
import { bytesOf } from '../../api/bytes.ts'
import { nameOf, type Place } from '../../api/place.ts'
import { Empty } from '../../ui/State.tsx'

interface MediaProps {
  readonly place: Place
  readonly kind: 'audio' | 'video'
}

/** A recording, with the controls of the browser. */
export function MediaView({ place, kind }: MediaProps) {
  const [facts, setFacts] = useState<string>()
  const [isBroken, setBroken] = useState(false)
  if (isBroken) {
    return (
      <Empty title={`The ${kind} cannot be played`}>
        This browser cannot play this format. Save the file to play it.
      </Empty>
    )
  }
  const own = {
    src: bytesOf(place),
    controls: true,
    preload: 'metadata' as const,
    'aria-label': nameOf(place),
    onError: () => setBroken(true),
    onLoadedMetadata: ({ currentTarget }: { readonly currentTarget: HTMLMediaElement }) =>
      setFacts(factsOf(currentTarget)),
  }
  return (
    <figure className="stack justify-items-center gap-2 p-4">
      {kind === 'audio' ? (
        <audio {...own} className="w-full max-w-xl">
          <track kind="captions" />
        </audio>
      ) : (
        <video {...own} className="max-h-[75vh] max-w-full border border-line bg-surface">
          <track kind="captions" />
        </video>
      )}
      <figcaption className="h-4 text-xs text-ink-3 tabular-nums">{facts}</figcaption>
    </figure>
  )
}

/** `640 × 360 pixels · 1:05`. */
function factsOf(media: HTMLMediaElement): string {
  const size = media instanceof HTMLVideoElement ? [`${media.videoWidth} × ${media.videoHeight} pixels`] : []
  const length = Number.isFinite(media.duration) ? [clockOf(media.duration)] : []
  return [...size, ...length].join(' · ')
}

function clockOf(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
