/** Wilson's interval of a share, at 95 %. */
export function intervalOf(part: number, whole: number): readonly [low: number, high: number] {
  if (whole === 0) return [0, 1]
  const z = 1.96
  const share = part / whole
  const middle = share + z ** 2 / (2 * whole)
  const spread = z * Math.sqrt((share * (1 - share)) / whole + z ** 2 / (4 * whole ** 2))
  const scale = 1 + z ** 2 / whole
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)]
}

/** A share, and its interval in brackets. */
export function shownShare(part: number, whole: number): string {
  const [low, high] = intervalOf(part, whole)
  return whole === 0 ? '' : `${(part / whole).toFixed(3)} [${low.toFixed(3)}–${high.toFixed(3)}]`
}
