import { uniqueBy } from '../../core/assemble.ts'
import { namePass, type Pass } from '../../core/flow.ts'

/** Keeps a thing once, the most important time, when it comes by several names; the others are left as `duplicate`. */
export function unique(): Pass {
  return namePass('unique', (selection) => {
    return uniqueBy(selection, ({ origin }) => origin.id ?? origin.uri)
  })
}
