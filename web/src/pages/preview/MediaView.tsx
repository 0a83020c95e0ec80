import { useState } from 'react'
import { bytesOf } from '../../api/bytes.ts'
import { nameOf, type Place } from '../../api/place.ts'
import { Empty } from '../../ui/State.tsx'
import { kindOf } from './kinds.tsx'

/** An image; or a recording, with the controls of the browser. */
export function MediaView({ place }: { readonly place: Place }) {
  const [facts, setFacts] = useState<string>()
  const [isBroken, setBroken] = useState(false)
  const name = nameOf(place)
  const kind = kindOf(name)
  const common = { src: bytesOf(place), onError: () => setBroken(true) }
  const recording = {
    ...{ ...common, controls: true, preload: 'metadata' as const, 'aria-label': name },
    onLoadedMetadata: ({ currentTarget }: { readonly currentTarget: HTMLMediaElement }) =>
      setFacts(factsOf(currentTarget)),
  }
  const frame = 'max-h-[75vh] max-w-full border border-line bg-surface'
  const isRecording = kind === 'audio' || kind === 'video'
  if (isBroken && isRecording)
    return (
      <Empty title={`The ${kind} cannot be played`}>
        This browser cannot play this format. Save the file to play it.
      </Empty>
    )
  if (isBroken) return <Empty title="The image cannot be shown">The file is missing or is not an image.</Empty>
  return (
    <figure className="stack justify-items-center gap-2 p-4">
      {kind === 'audio' && (
        <audio {...recording} className="w-full max-w-xl">
          <track kind="captions" />
        </audio>
      )}
      {kind === 'video' && (
        <video {...recording} className={frame}>
          <track kind="captions" />
        </video>
      )}
      {!isRecording && (
        <img
          {...common}
          alt={name}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setFacts(`${naturalWidth} × ${naturalHeight} pixels`)
          }
          className={`${frame} object-contain`}
        />
      )}
      <figcaption className="h-4 text-xs text-ink-3 tabular-nums">{facts}</figcaption>
    </figure>
  )
}

/** `640 × 360 pixels · 1:05`. */
function factsOf(media: HTMLMediaElement): string {
  const size = media instanceof HTMLVideoElement ? [`${media.videoWidth} × ${media.videoHeight} pixels`] : []
  const seconds = Math.round(media.duration)
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return [...size, ...(Number.isFinite(seconds) ? [clock] : [])].join(' · ')
}
