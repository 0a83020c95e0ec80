import { type ReactNode, useEffect, useId, useRef } from 'react'
import { cn } from './cn.ts'

interface TabsProps<Id extends string> {
  readonly label: string
  readonly tabs: readonly { readonly id: Id; readonly name: ReactNode }[]
  readonly current: Id
  readonly onShow: (id: Id) => void
  /** The content of the current tab. */
  readonly children: ReactNode
}

/** Tabs as the ARIA practices have them: arrows move, and the tab that is reached is shown. */
export function Tabs<Id extends string>({ label, tabs, current, onShow, children }: TabsProps<Id>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const isByKey = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the tab that a key has reached.
  useEffect(() => {
    if (isByKey.current) list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus()
    isByKey.current = false
  }, [current])
  const move = (step: number) => {
    const at = tabs.findIndex((tab) => tab.id === current)
    const next = tabs.at((at + step) % tabs.length)
    isByKey.current = true
    if (next) onShow(next.id)
  }
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className="flex shrink-0 gap-1 overflow-x-auto border-b border-line px-3 print:hidden"
        onKeyDown={({ key }) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
          if (step !== undefined) move(step)
        }}
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${id}-${tab.id}`}
            type="button"
            role="tab"
            aria-selected={tab.id === current}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === current ? 0 : -1}
            onClick={() => onShow(tab.id)}
            className={cn(
              'h-9 border-b-2 border-transparent px-2 whitespace-nowrap text-ink-2 hover:text-ink',
              tab.id === current && 'border-accent font-medium text-ink',
            )}
          >
            {tab.name}
          </button>
        ))}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${current}`}
        className="flex min-h-0 flex-1 flex-col print:block"
      >
        {children}
      </div>
    </>
  )
}
