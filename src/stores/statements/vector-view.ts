import type { VectorView } from '../vector-store.ts'

/** All vectors of a model as a search reads them. */
export interface PackedView {
  readonly view: VectorView
  /** Where each id stands in the view. */
  readonly places: ReadonlyMap<number, number>
}

/** Puts the bits of vectors one after the other. `rows`: by ascending ids. */
export function packedView(
  rows: readonly { readonly id: number; readonly bits: Uint8Array }[],
  centre: Float32Array,
): PackedView {
  const words = (centre.length + 31) >> 5
  const bits = new Uint8Array(4 * words * rows.length)
  for (const [at, row] of rows.entries()) bits.set(row.bits, 4 * words * at)
  const ids = Uint32Array.from(rows, (row) => row.id)
  const places = new Map(rows.map((row, at) => [row.id, at]))
  return { view: { centre, ids, bits: new Uint32Array(bits.buffer) }, places }
}
