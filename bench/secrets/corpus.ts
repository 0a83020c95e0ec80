import { randomOf } from '../random.ts'
import { fill, type Half, SHAPES } from './shapes.ts'

export interface Sample {
  readonly text: string
  readonly isSecret: boolean
  readonly kind: 'a token' | 'a private key' | 'an assignment' | 'harmless'
  /** What it was made from: samples of one template are alike. */
  readonly template: string
}

const SEEDS: Readonly<Record<Half, number>> = { tuned: 1, 'held-out': 20_361 }

/** `each`: samples of a template; of one for assignments four times as many, because names and values are drawn. */
export function corpusOf(half: Half, each: number): readonly Sample[] {
  const random = randomOf(SEEDS[half])
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? ''
  const make = (kind: Sample['kind'], template: string, shapeOf = () => template): readonly Sample[] =>
    Array.from({ length: kind === 'an assignment' ? each * 4 : each }, () => ({
      text: `first line\n${fill(shapeOf(), random)}\nlast line\n`,
      isSecret: kind !== 'harmless',
      kind,
      template,
    }))
  const { tokens, tokenPlaces, keys, names, assignments, others, values, harmless } = SHAPES
  const ofHalf = Object.entries(tokens).filter((_, at) => (at % 2 === 0) === (half === 'tuned'))
  return [
    ...ofHalf.flatMap(([service, shape]) =>
      make('a token', service, () => pick(tokenPlaces[half]).replace('{token}', shape)),
    ),
    ...keys[half].flatMap((shape) => make('a private key', shape)),
    ...assignments[half].flatMap((shape) =>
      make('an assignment', shape, () =>
        shape.replaceAll('{name}', pick(names[half])).replace('{value}', pick(values[half])),
      ),
    ),
    ...others[half].flatMap((shape) => make('an assignment', shape)),
    ...harmless[half].flatMap((shape) => make('harmless', shape)),
  ]
}
