import { Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from './cn.ts'

interface MenuProps {
  /** A button. */
  readonly trigger: ReactNode
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
}

/** A menu under a button, in the same part of the page. The page behind it stays as it is: to lock it would take a style element. */
export function Menu({ trigger, children, align = 'end' }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        align={align}
        sideOffset={4}
        collisionPadding={8}
        className="z-40 min-w-40 rounded-md border border-line-strong bg-canvas p-1 text-sm font-normal"
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

const ITEM =
  'flex h-7 cursor-default items-center gap-2 rounded-sm px-2 outline-none select-none data-highlighted:bg-raised data-disabled:text-ink-3 [&_svg]:size-4 [&_svg]:text-ink-3'

interface ItemProps {
  readonly onSelect: () => void
  readonly children: ReactNode
  readonly isBad?: boolean
}

export function MenuItem({ onSelect, children, isBad }: ItemProps) {
  return (
    <DropdownMenu.Item className={cn(ITEM, isBad && 'text-bad [&_svg]:text-bad')} onSelect={onSelect}>
      {children}
    </DropdownMenu.Item>
  )
}

export function MenuLine() {
  return <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-line" />
}

interface ChoicesProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly values: readonly { readonly value: Value; readonly name: string; readonly icon?: ReactNode }[]
  readonly onChange: (value: Value) => void
}

/** One of several, the present one ticked. */
export function MenuChoices<Value extends string>({ label, value, values, onChange }: ChoicesProps<Value>) {
  return (
    <DropdownMenu.RadioGroup aria-label={label} value={value} onValueChange={(chosen) => onChange(chosen as Value)}>
      {values.map((each) => (
        <DropdownMenu.RadioItem key={each.value} value={each.value} className={ITEM}>
          {each.icon}
          <span className="flex-1">{each.name}</span>
          <DropdownMenu.ItemIndicator>
            <Check />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}
