/** A part of a file: `length` bytes from `from` on. */
export interface Range {
  readonly from: number
  readonly length: number
}

/**
 * The one range of a header `Range`. Undefined where all is to be sent: there is no such header, or one that is none, or
 * several ranges, which a server may leave alone; `none` where nothing of the file is in it.
 */
export function rangeOf(header: string | undefined, size: number): Range | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  return from < end ? { from, length: end - from } : 'none'
}

/** The ETags that a header `If-None-Match` or `If-Range` lists, without their quotes; `*` is any. */
export function tagsOf(header: string | undefined): string[] {
  if (header?.trim() === '*') return ['*']
  return [...(header ?? '').matchAll(/(?:W\/)?"([^"]*)"/g)].map(([, tag = '']) => tag)
}
