import { leave } from '../../core/assemble.ts'
import { type Fragment, namePass, type Pass } from '../../core/flow.ts'

/**
 * Keeps the first `most` fragments, in order of importance; the others are left as `over-limit`.
 * Fragments that `exempt` holds for are kept and not counted. Default: none is exempt.
 */
export function limit(most: number, exempt: (fragment: Fragment) => boolean = () => false): Pass {
  return namePass('limit', (selection) => {
    let counted = 0
    return leave(selection, (fragment) => {
      if (exempt(fragment)) return undefined
      counted += 1
      return counted <= most ? undefined : { why: 'over-limit', detail: `Number ${counted} of at most ${most}.` }
    })
  })
}
