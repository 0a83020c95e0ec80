import { Check, type LucideIcon } from 'lucide-react'
import type { ComponentProps, KeyboardEvent, ReactElement, ReactNode } from 'react'
import { cloneElement, useId, useRef, useState } from 'react'
import { cn } from './cn.ts'
import { moveFocus } from './hooks.ts'

const ITEMS = '[role^=menuitem]'

interface MenuProps {
  readonly trigger: ReactElement<ComponentProps<'button'>>
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
}

/** A menu under a button. The browser's popover closes it at Escape and at a click outside, and gives the focus back. */
export function Menu({ trigger, children, align = 'end' }: MenuProps) {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') ref.current?.hidePopover()
    else moveFocus(event, [...event.currentTarget.querySelectorAll<HTMLElement>(ITEMS)], { wraps: true })
  }
  return (
    <>
      {cloneElement(trigger, {
        popoverTarget: id,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          ref.current?.showPopover({ source: event.currentTarget })
        },
      })}
      <div
        ref={ref}
        id={id}
        role="menu"
        tabIndex={-1}
        popover="auto"
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
        onToggle={({ currentTarget }) => currentTarget.querySelector<HTMLElement>(ITEMS)?.focus()}
        onKeyDown={onKeyDown}
        onClick={() => ref.current?.hidePopover()}
        className={cn(
          'my-1 min-w-40 rounded-md border border-line-strong bg-canvas p-1 text-sm font-normal text-ink [position-try-fallbacks:flip-block,flip-inline]',
          align === 'end' ? '[position-area:block-end_span-inline-start]' : '[position-area:block-end_span-inline-end]',
        )}
      >
        {isOpen && children}
      </div>
    </>
  )
}

const ITEM =
  'flex h-7 w-full items-center gap-2 rounded-sm px-2 text-left whitespace-nowrap select-none hover:bg-raised focus:bg-raised [&_svg]:size-4 [&_svg]:text-ink-3'

interface ItemProps {
  readonly icon: LucideIcon
  readonly children: ReactNode
  readonly isBad?: boolean
  /** Whether the item is the chosen one; absent for items that cannot be chosen. */
  readonly isChecked?: boolean
  onSelect(): void
}

export function MenuItem({ icon: Icon, children, isBad, isChecked, onSelect }: ItemProps) {
  const role = isChecked === undefined ? 'menuitem' : 'menuitemradio'
  const look = cn(ITEM, isBad && 'text-bad [&_svg]:text-bad')
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the role is `menuitemradio` if the item can be checked.
    <button type="button" role={role} aria-checked={isChecked} tabIndex={-1} className={look} onClick={onSelect}>
      <Icon aria-hidden /> <span className="flex-1">{children}</span>
      {isChecked && <Check aria-hidden />}
    </button>
  )
}

export function MenuLine() {
  return <hr className="-mx-1 my-1 border-line" />
}

interface ChoicesProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly values: readonly { readonly value: Value; readonly name: string; readonly icon: LucideIcon }[]
  readonly onChange: (value: Value) => void
}

/** One of several values, with a tick at the current one. */
export function MenuChoices<Value extends string>({ label, value, values, onChange }: ChoicesProps<Value>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a menu has no fieldsets.
    <div role="group" aria-label={label}>
      {values.map(({ value: one, name, icon }) => (
        <MenuItem key={one} icon={icon} isChecked={one === value} onSelect={() => onChange(one)}>
          {name}
        </MenuItem>
      ))}
    </div>
  )
}
