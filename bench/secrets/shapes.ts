import { readFileSync } from 'node:fs'

/** What is tuned on and what is reported have no template in common. */
export type Half = 'tuned' | 'held-out'

type ByHalf = Readonly<Record<Half, readonly string[]>>

/**
 * Shapes of secrets and of what only looks like one. `{h40}` is 40 random characters of the alphabet `h`; `{token}`, `{name}` and
 * `{value}` are of the lists.
 */
interface Shapes {
  /** Published forms, by service: every second one is of the half that is tuned on. */
  readonly tokens: Readonly<Record<string, string>>
  readonly tokenPlaces: ByHalf
  /** Whole, and cut off. */
  readonly keys: ByHalf
  readonly names: ByHalf
  readonly assignments: ByHalf
  /** Secrets in headers and addresses. */
  readonly others: ByHalf
  readonly values: ByHalf
  readonly harmless: ByHalf
}

export const SHAPES: Shapes = JSON.parse(readFileSync(new URL('shapes.json', import.meta.url), 'utf8'))

const [UPPER, LOWER, DIGITS] = ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz', '0123456789']

const ALPHABETS: Readonly<Record<string, string>> = {
  a: UPPER + LOWER + DIGITS,
  b: `${UPPER}234567`,
  c: UPPER + LOWER,
  d: DIGITS,
  h: '0123456789abcdef',
  l: LOWER + DIGITS,
  s: `${UPPER}${LOWER}${DIGITS}+/`,
  u: UPPER + DIGITS,
  w: `${UPPER}${LOWER}${DIGITS}-_`,
}

/** The shape with random characters in it. */
export function fill(shape: string, random: () => number): string {
  return shape
    .replaceAll('{uuid}', '{h8}-{h4}-4{h3}-a{h3}-{h12}')
    .replaceAll('{RSA}', random() < 0.5 ? 'RSA ' : '')
    .replace(/\{([a-z])(\d+)\}/g, (_, name: string, count: string) => {
      const alphabet = ALPHABETS[name] ?? ''
      return Array.from({ length: Number(count) }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')
    })
}
