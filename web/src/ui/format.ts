/** Formats numbers, sizes and times. */

const NUMBER = new Intl.NumberFormat('en')

export function numberOf(value: number): string {
  return NUMBER.format(value)
}

/** `1 document`, `1,204 documents`. */
export function countOf(value: number, what: string): string {
  return `${numberOf(value)} ${what}${value === 1 ? '' : 's'}`
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** `812 B`, `8.1 kB`. */
export function sizeOf(bytes: number): string {
  let [value, unit] = [bytes, 0]
  while (value >= 1000 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1]
  const digits = unit > 0 && value < 99.95 ? 1 : 0
  return `${new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)} ${UNITS[unit]}`
}

const SPANS = [
  { ms: 60_000, unit: 's', of: 1_000 },
  { ms: 3_600_000, unit: 'min', of: 60_000 },
  { ms: 86_400_000, unit: 'h', of: 3_600_000 },
  { ms: 30 * 86_400_000, unit: 'd', of: 86_400_000 },
] as const

/** `just now`, `5 min ago`, `3 d ago`; older times as a date. */
export function ageOf(time: string, now = Date.now()): string {
  const ms = now - Date.parse(time)
  if (ms < 10_000) return 'just now'
  const span = SPANS.find(({ ms: below }) => ms < below)
  return span ? `${Math.floor(ms / span.of)} ${span.unit} ago` : dayOf(time)
}

/** `2026-11-21 10:14` in local time: the format of Sweden. */
export function momentOf(time: string): string {
  return new Date(time).toLocaleString('sv', { dateStyle: 'short', timeStyle: 'short' })
}

/** `2026-11-21`. */
export function dayOf(time: string): string {
  return momentOf(time).slice(0, 10)
}
