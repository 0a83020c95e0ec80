/**
 * A pattern with Unicode classes, built when it is first asked for. The classes take milliseconds, even as literals in
 * functions that are never called, and most texts need none of them.
 */
export function laterPattern(source: string, flags: string): () => RegExp {
  let pattern: RegExp | undefined
  return () => {
    pattern ??= new RegExp(source, flags)
    return pattern
  }
}
