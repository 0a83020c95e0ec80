/**
 * The side column. Pages put panels into it, and `Frame` shows one of them. From a width of 1,200 px it is a resizable
 * column, below that a sheet.
 */

import { createContext, type ReactNode, use, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'

const WIDE = '(min-width: 1200px)'

/** Whether there is room for a third column. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches)
}

function subscribe(listener: () => void): () => void {
  const list = matchMedia(WIDE)
  list.addEventListener('change', listener)
  return () => list.removeEventListener('change', listener)
}

interface Panel {
  readonly id: string
  readonly title: string
  /** Whether the panel is beside every page. Such a panel opens only when a person chooses it. */
  readonly isAmbient?: boolean
}

interface Side {
  readonly panels: readonly Panel[]
  /** The id of the panel that is shown. */
  readonly shown: string | undefined
  readonly isOpen: boolean
  show(id: string): void
  setOpen(isOpen: boolean): void
  /** The element that holds the panels; set by `Frame`. */
  readonly host: HTMLElement | null
  setHost(host: HTMLElement | null): void
  /** Returns a function that removes the panel. */
  add(panel: Panel): () => void
}

const SideContext = createContext<Side | undefined>(undefined)

export function useSide(): Side {
  const side = use(SideContext)
  if (!side) throw new Error('useSide needs a SideProvider above it.')
  return side
}

const OPEN_KEY = 'ambit-side'
const PANEL_KEY = 'ambit-side-panel'

export function SideProvider({ children }: { readonly children: ReactNode }) {
  const [panels, setPanels] = useState<readonly Panel[]>([])
  const [chosen, setChosen] = useState(() => localStorage.getItem(PANEL_KEY) ?? undefined)
  const isWide = useIsWide()
  const [isColumnOpen, setColumnOpen] = useState(() => localStorage.getItem(OPEN_KEY) !== 'closed')
  const [isSheetOpen, setSheetOpen] = useState(false)
  const [host, setHost] = useState<HTMLElement | null>(null)
  const side = useMemo<Side>(() => {
    const pagePanel = panels.find(({ isAmbient }) => !isAmbient)?.id
    const shown = panels.some(({ id }) => id === chosen) ? chosen : pagePanel
    const choose = (id: string) => {
      localStorage.setItem(PANEL_KEY, id)
      setChosen(id)
    }
    const setOpen = (open: boolean) => {
      const [first] = panels
      if (open && shown === undefined && first) choose(first.id)
      if (!isWide) return setSheetOpen(open)
      localStorage.setItem(OPEN_KEY, open ? 'open' : 'closed')
      setColumnOpen(open)
    }
    return {
      panels,
      shown,
      isOpen: (isWide ? isColumnOpen : isSheetOpen) && shown !== undefined,
      show: (id) => {
        choose(id)
        setOpen(true)
      },
      setOpen,
      host,
      setHost,
      add: (panel) => {
        setPanels((before) => inOrder([...before.filter(({ id }) => id !== panel.id), panel]))
        return () => setPanels((before) => before.filter((each) => each !== panel))
      },
    }
  }, [panels, chosen, isWide, isColumnOpen, isSheetOpen, host])
  return <SideContext value={side}>{children}</SideContext>
}

/** Panels of the page first, then panels of every page. */
function inOrder(panels: readonly Panel[]): Panel[] {
  return [...panels.filter(({ isAmbient }) => !isAmbient), ...panels.filter(({ isAmbient }) => isAmbient)]
}

/** A panel of the side column, while its component is mounted. */
export function SidePanel({ id, title, isAmbient = false, children }: Panel & { readonly children: ReactNode }) {
  const { add, host, shown, isOpen } = useSide()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each call of `add` makes a new `add`; as a dependency it would loop.
  useEffect(() => add({ id, title, isAmbient }), [id, title, isAmbient])
  return isOpen && shown === id && host ? createPortal(children, host) : null
}
