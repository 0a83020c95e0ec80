import { X } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { IconButton } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { useIsWide, useSide } from './side.tsx'

/** Widths in pixels: minimum, maximum, default for a panel of one page, default for an ambient panel (one that every page has). */
const [MIN_WIDTH, MAX_WIDTH, PAGE_WIDTH, AMBIENT_WIDTH] = [260, 640, 320, 400]
const STEP = 16
const KEY = 'ambit-side-width'

export function SideColumn() {
  const isWide = useIsWide()
  const { isOpen, panels, shown } = useSide()
  const isAmbient = panels.some((panel) => panel.id === shown && panel.isAmbient)
  if (!isOpen) return null
  return isWide ? <Column key={String(isAmbient)} isAmbient={isAmbient} /> : <Sheet />
}

function Column({ isAmbient }: { readonly isAmbient: boolean }) {
  const [key, defaultWidth] = isAmbient ? [`${KEY}-ambient`, AMBIENT_WIDTH] : [KEY, PAGE_WIDTH]
  const [width, setWidth] = useState(() => clamped(Number(localStorage.getItem(key) ?? defaultWidth)))
  const change = (next: number) => {
    localStorage.setItem(key, String(clamped(next)))
    setWidth(clamped(next))
  }
  return (
    <aside aria-label="Side" className="relative flex min-w-0 shrink-0 flex-col border-l border-line" style={{ width }}>
      <Handle width={width} onChange={change} />
      <Panels />
    </aside>
  )
}

function clamped(width: number): number {
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Number.isFinite(width) ? width : PAGE_WIDTH))
}

/** The edge that resizes the column by dragging or by arrow keys. */
function Handle({ width, onChange }: { readonly width: number; readonly onChange: (width: number) => void }) {
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') onChange(width + STEP)
    if (key === 'ArrowRight') onChange(width - STEP)
  }
  const onPointerMove = ({ currentTarget, pointerId, clientX }: PointerEvent) => {
    if (currentTarget.hasPointerCapture(pointerId)) onChange(innerWidth - clientX)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an `<hr>` cannot be dragged.
    <div
      role="separator"
      aria-label="Width of the side column"
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={onPointerMove}
      className="absolute inset-y-0 -left-1 z-10 w-2 cursor-col-resize touch-none hover:bg-raised"
    />
  )
}

/** A sheet over the page: from below on small screens, else from the side. */
const SHEET =
  'mt-auto mr-0 mb-0 flex w-full max-w-none flex-col rounded-none border-0 border-t border-line max-md:h-[72dvh] md:mt-0 md:h-full md:max-h-none md:w-96 md:border-t-0 md:border-l'

function Sheet() {
  const { setOpen } = useSide()
  return (
    <Dialog title="Side" isOpen isBare onClose={() => setOpen(false)} className={SHEET}>
      <Panels />
    </Dialog>
  )
}

const NAME = 'h-7 rounded-md px-2 font-medium text-ink-2 hover:text-ink aria-pressed:text-ink'

/** The names of the panels, and the chosen panel. */
function Panels() {
  const { panels, shown, show, setOpen, setHost } = useSide()
  return (
    <>
      <header className="flex h-10 shrink-0 items-center gap-1 border-b border-line pr-1.5 pl-2">
        {panels.map(({ id, title }) => (
          <button key={id} type="button" aria-pressed={id === shown} onClick={() => show(id)} className={NAME}>
            {title}
          </button>
        ))}
        <span className="flex-1" />
        <IconButton icon={X} label="Close the side column" onClick={() => setOpen(false)} />
      </header>
      <div ref={setHost} className="min-h-0 flex-1 overflow-y-auto" />
    </>
  )
}
