import type { VirtualItem } from '@tanstack/react-virtual'
import type { ReactNode } from 'react'

interface VirtualRowsProps {
  /** What `useVirtualizer` gives for the rows. */
  readonly virtual: { getVirtualItems(): VirtualItem[]; getTotalSize(): number }
  /** A `<tr>` with its key. */
  readonly children: (index: number) => ReactNode
}

/** The rows of a table that are seen, with as much room before and behind as the others would take. */
export function VirtualRows({ virtual, children }: VirtualRowsProps) {
  const shown = virtual.getVirtualItems()
  const [before, after] = [shown[0]?.start ?? 0, virtual.getTotalSize() - (shown.at(-1)?.end ?? 0)]
  return (
    <>
      {before > 0 && <Gap height={before} />}
      {shown.map(({ index }) => children(index))}
      {after > 0 && <Gap height={after} />}
    </>
  )
}

function Gap({ height }: { readonly height: number }) {
  return (
    <tr aria-hidden style={{ height }}>
      <td />
    </tr>
  )
}
