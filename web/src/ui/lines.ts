/** Lines of a file that an address names. */

/** The first and the last line, from 1. */
export interface Lines {
  readonly from: number
  readonly to: number
}

/** `10` or `10-20`; undefined for anything else. */
export function linesOf(text = ''): Lines | undefined {
  const [, from, to] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? []
  return from === undefined ? undefined : { from: Number(from), to: Number(to ?? from) }
}

/** `L10`, `L10-L20` or `L10-20`, as code hosts write them behind `#`; as `linesOf` reads it. */
export function linesInHash(hash: string): string | undefined {
  const [, from, to] = /^L(\d{1,9})(?:C\d{1,9})?(?:-L?(\d{1,9})(?:C\d{1,9})?)?$/.exec(hash) ?? []
  return from === undefined ? undefined : `${from}-${to ?? from}`
}
