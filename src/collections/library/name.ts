/** Names that can stand before a slash, and be no path on the disk. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.@ +-]{0,127}$/u

/** Whether a collection may be called so. */
export function isCollectionName(name: string): boolean {
  return NAME.test(name)
}
