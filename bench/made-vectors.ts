import { randomOf } from './random.ts'

/** Vectors as a model might give them. */
export interface Shape {
  readonly count: number
  readonly dimensions: number
  /** How long what all have in common is, beside the rest, which is about 1.3. */
  readonly shift: number
}

/** Made-up vectors of length 1. */
export interface MadeVectors {
  /** One after the other. */
  readonly all: Float32Array
  /** Of the same topics. */
  readonly queries: readonly Float32Array[]
  /** Of other topics: what a model gives for texts that have nothing to do with a collection. */
  readonly samples: readonly Float32Array[]
}

/** Directions that vectors are mostly made of: those of models fill few of their dimensions. */
const LATENT = 64
/** So few that each has more vectors than are looked at closely: to find the topic is not enough. */
const TOPICS = 20
const QUERIES = 50
const SAMPLES = 24

/** The same for the same shape: each is its topic, something of its own, a little noise, and what all have in common. */
export function madeVectors({ count, dimensions, shift }: Shape): MadeVectors {
  const random = randomOf(7)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const drawn = (size: number, length: number) =>
    Float32Array.from({ length: size }, () => (normal() * length) / Math.sqrt(size))
  const basis = Array.from({ length: LATENT }, () => drawn(dimensions, 1))
  // The first directions say more than the last, as principal components do; together about `length`.
  const latent = (length: number) => drawn(LATENT, length).map((value, at) => value * 3 * (at + 1) ** -0.4)
  const common = drawn(dimensions, shift)
  // A few numbers are large in every vector of many models.
  if (shift > 0) for (const at of [3, 77, 190]) common[at] = shift / 4

  const around = (topic: Float32Array) => {
    const parts = latent(0.8).map((own, at) => own + (topic[at] ?? 0))
    const vector = common.map((value) => value + ((random() - 0.5) * 0.5) / Math.sqrt(dimensions))
    for (const [at, direction] of basis.entries()) {
      const part = parts[at] ?? 0
      for (let index = 0; index < dimensions; index++)
        vector[index] = (vector[index] ?? 0) + part * (direction[index] ?? 0)
    }
    const length = Math.hypot(...vector)
    return vector.map((value) => value / length)
  }
  const topics = Array.from({ length: TOPICS }, () => latent(1))
  const any = () => around(topics[Math.floor(random() * TOPICS)] ?? new Float32Array())
  const samples = Array.from({ length: SAMPLES }, () => around(latent(1)))
  const queries = Array.from({ length: QUERIES }, any)
  const all = new Float32Array(count * dimensions)
  for (let at = 0; at < count; at++) all.set(any(), at * dimensions)
  return { all, queries, samples }
}
