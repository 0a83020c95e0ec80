/** A number with its noun: `1 file`, `2 files`. */
export function countNoun(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** The first `limit` texts of a list for a message, and the number of further texts: `a, b, and 3 more`. */
export function listFirst(texts: readonly string[], limit = 10): string {
  const rest = texts.length > limit ? [`and ${texts.length - limit} more`] : []
  return [...texts.slice(0, limit), ...rest].join(', ')
}

/** A number of bytes for people: `1.5 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), units.length)
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`
}
