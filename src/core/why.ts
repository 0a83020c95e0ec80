/** Why nothing, or not all, of a fragment is shown. The list is part of the product's contract. */
export const WHYS = [
  'missing',
  'empty',
  'binary',
  'unreadable',
  'denied',
  'untrusted',
  'excluded',
  'shadowed',
  'duplicate',
  'irrelevant',
  'failed',
  'over-limit',
  'over-budget',
] as const

/** One of `WHYS`. */
export type Why = (typeof WHYS)[number]
