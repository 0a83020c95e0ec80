import { type Fragment, type Left, namePass, type Pass } from '../../core/flow.ts'
import { utf8Length } from '../../core/tokens.ts'
import { clipBytes } from '../../text/truncate.ts'

/**
 * A cap on all texts together, counted from the least important to the most: the one that crosses it is cut there, and
 * those more important than it are left. It reproduces what tools do that read the general first and stop.
 *
 * @param maxBytes bytes of UTF-8
 * @param exempt fragments that are kept and not counted
 */
export function cap(maxBytes: number, exempt: (fragment: Fragment) => boolean): Pass {
  return namePass('cap', (selection) => {
    const kept: Fragment[] = []
    const left = [...selection.left]
    let room = maxBytes
    for (const fragment of selection.kept.toReversed()) {
      const bytes = exempt(fragment) ? 0 : utf8Length(fragment.text)
      const text = bytes <= room ? fragment.text : clipBytes(fragment.text, room)
      if (bytes <= room) kept.unshift(fragment)
      else if (text !== '') kept.unshift({ ...fragment, text, cut: { to: 'part', why: 'over-limit' } })
      else left.push(leftBy(fragment, maxBytes))
      room = Math.max(0, room - bytes)
    }
    return { ...selection, kept, left }
  })
}

function leftBy({ origin, title }: Fragment, maxBytes: number): Left {
  return { origin, title, why: 'over-limit', detail: `All files together may take ${maxBytes} bytes.` }
}
