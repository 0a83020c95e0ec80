import { Check } from 'lucide-react'
import {
  type ComponentProps,
  cloneElement,
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  use,
  useRef,
  useState,
} from 'react'
import { cn } from './cn.ts'

type Parts = typeof import('./menu-parts.ts')['DropdownMenu']

/** Components of menus, loaded when a person comes near to one. */
async function loadParts(): Promise<Parts> {
  return (await import('./menu-parts.ts')).DropdownMenu
}

const PartsContext = createContext<Parts | undefined>(undefined)

/** An open menu has loaded them. */
function useParts(): Parts {
  const parts = use(PartsContext)
  if (!parts) throw new Error('Items are in a menu.')
  return parts
}

const FIRST_ITEM = '[role^=menuitem]:not([data-disabled])'

interface MenuProps {
  readonly trigger: ReactElement<ComponentProps<'button'>>
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
}

/** A menu under a button, in the same part of the page. The page behind it stays as it is: to lock it would take a style element. */
export function Menu({ trigger, children, align = 'end' }: MenuProps) {
  const [parts, setParts] = useState<Parts>()
  const isByKey = useRef(false)
  if (!parts) {
    const open = () => loadParts().then((loaded) => setParts(() => loaded))
    // A click without a button that was pressed comes from a key.
    const onClick = ({ detail }: MouseEvent) => {
      isByKey.current = detail === 0
      open()
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      isByKey.current = true
      open()
    }
    return cloneElement(trigger, {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onPointerEnter: () => {
        loadParts().catch(() => {})
      },
      onClick,
      onKeyDown,
    })
  }
  // The parts have not seen the key that opened the menu for the first time.
  const focusFirst = (content: HTMLElement | null) => {
    if (!content || !isByKey.current) return
    isByKey.current = false
    requestAnimationFrame(() => content.querySelector<HTMLElement>(FIRST_ITEM)?.focus())
  }
  const { Root, Trigger, Content } = parts
  return (
    <PartsContext value={parts}>
      <Root modal={false} defaultOpen>
        <Trigger asChild>{trigger}</Trigger>
        <Content
          ref={focusFirst}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-40 min-w-40 rounded-md border border-line-strong bg-canvas p-1 text-sm font-normal"
        >
          {children}
        </Content>
      </Root>
    </PartsContext>
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
  const { Item } = useParts()
  return (
    <Item className={cn(ITEM, isBad && 'text-bad [&_svg]:text-bad')} onSelect={onSelect}>
      {children}
    </Item>
  )
}

export function MenuLine() {
  const { Separator } = useParts()
  return <Separator className="-mx-1 my-1 h-px bg-line" />
}

interface ChoicesProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly values: readonly { readonly value: Value; readonly name: string; readonly icon?: ReactNode }[]
  readonly onChange: (value: Value) => void
}

/** One of several, the present one ticked. */
export function MenuChoices<Value extends string>({ label, value, values, onChange }: ChoicesProps<Value>) {
  const { RadioGroup, RadioItem, ItemIndicator } = useParts()
  return (
    <RadioGroup aria-label={label} value={value} onValueChange={(chosen) => onChange(chosen as Value)}>
      {values.map((each) => (
        <RadioItem key={each.value} value={each.value} className={ITEM}>
          {each.icon}
          <span className="flex-1">{each.name}</span>
          <ItemIndicator>
            <Check />
          </ItemIndicator>
        </RadioItem>
      ))}
    </RadioGroup>
  )
}
