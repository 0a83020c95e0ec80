/**
 * The side column: pages put panels into it, the frame shows one of them. From 1,200 px it is a column that can be made
 * wider, below that a sheet.
 */

import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { useMedia, WIDE } from './useMedia.ts'

interface Panel {
  readonly id: string
  readonly title: string
}

interface Side {
  readonly panels: readonly Panel[]
  /** The id of the panel that is shown. */
  readonly shown: string | undefined
  readonly isOpen: boolean
  show(id: string): void
  setOpen(isOpen: boolean): void
  /** Where panels are put; told by the frame. */
  readonly host: HTMLElement | null
  setHost(host: HTMLElement | null): void
  add(panel: Panel): () => void
}

const SideContext = createContext<Side | undefined>(undefined)

export function useSide(): Side {
  const side = use(SideContext)
  if (!side) throw new Error('useSide needs a SideProvider above it.')
  return side
}

const KEY = 'ambit-side'

export function SideProvider({ children }: { readonly children: ReactNode }) {
  const [panels, setPanels] = useState<readonly Panel[]>([])
  const [chosen, setChosen] = useState<string>()
  const isWide = useMedia(WIDE)
  const [isColumn, setColumn] = useState(() => localStorage.getItem(KEY) !== 'closed')
  const [isSheet, setSheet] = useState(false)
  const [host, setHost] = useState<HTMLElement | null>(null)
  const side = useMemo<Side>(() => {
    const setOpen = (open: boolean) => {
      if (!isWide) return setSheet(open)
      localStorage.setItem(KEY, open ? 'open' : 'closed')
      setColumn(open)
    }
    return {
      panels,
      shown: panels.some(({ id }) => id === chosen) ? chosen : panels[0]?.id,
      isOpen: (isWide ? isColumn : isSheet) && panels.length > 0,
      show: (id) => {
        setChosen(id)
        setOpen(true)
      },
      setOpen,
      host,
      setHost,
      add: (panel) => {
        setPanels((before) => [...before.filter(({ id }) => id !== panel.id), panel])
        return () => setPanels((before) => before.filter((each) => each !== panel))
      },
    }
  }, [panels, chosen, isWide, isColumn, isSheet, host])
  return <SideContext value={side}>{children}</SideContext>
}

interface SidePanelProps extends Panel {
  readonly children: ReactNode
}

/** A panel of the side column, there as long as what renders it. */
export function SidePanel({ id, title, children }: SidePanelProps) {
  const { add, host, shown, isOpen } = useSide()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `add` is another after each change that it makes.
  useEffect(() => add({ id, title }), [id, title])
  return isOpen && shown === id && host ? createPortal(children, host) : null
}
