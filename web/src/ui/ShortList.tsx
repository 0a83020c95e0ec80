import { type ReactNode, useState } from 'react'
import { Button } from './Button.tsx'
import { numberOf } from './format.ts'

interface ShortListProps<Item> {
  readonly items: readonly Item[]
  /** Maximum number of items before the button. */
  readonly few: number
  /** An `<li>` with its key. */
  readonly children: (item: Item) => ReactNode
}

/** The first items of a list, and a button that shows the others. */
export function ShortList<Item>({ items, few, children }: ShortListProps<Item>) {
  const [isAll, setAll] = useState(false)
  const rest = items.length - few
  return (
    <>
      <ul>{(isAll ? items : items.slice(0, few)).map(children)}</ul>
      {!isAll && rest > 0 && (
        <Button look="quiet" className="mt-1 ml-2" onClick={() => setAll(true)}>
          Show {numberOf(rest)} more
        </Button>
      )}
    </>
  )
}
