import type { RankedFile } from '../../code/rank.ts'
import type { ShownRange } from '../answers.ts'
import type { Excerpt } from './code-fragments.ts'

/** What is shown of a file, by what it defines. Lines of an excerpt count from 0. */
export function shownRanges({ ranked }: RankedFile, { ranges, signatures }: Excerpt): ShownRange[] {
  const bodies = ranges.flatMap((range) =>
    ranked.flatMap(({ start, end, names, kind, parent }): ShownRange[] => {
      const from = Math.max(start, range.start)
      const to = Math.min(end, range.end)
      if (to <= from) return []
      const [first] = names
      const name = first === undefined || parent === undefined ? first : `${parent}.${first}`
      return [
        {
          start: from + 1,
          end: to,
          ...(name !== undefined && names.length === 1 && { name }),
          ...(kind && { kind }),
          shown: 'body',
        },
      ]
    }),
  )
  const heads = signatures.map(({ line, name, kind }): ShownRange => {
    return { start: line + 1, end: line + 1, name, kind, shown: 'signature' }
  })
  return [...bodies, ...heads].sort((a, b) => a.start - b.start)
}
