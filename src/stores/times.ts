/** ISO 8601 of nanoseconds since 1970. */
export function timeOf(nanoseconds: string): string {
  const milliseconds = Number(BigInt(nanoseconds) / 1_000_000n)
  return new Date(Math.min(Math.max(milliseconds, -8.64e15), 8.64e15)).toISOString()
}
