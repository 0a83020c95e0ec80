import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { EmbedAnswer, Engine } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { array, count, object, text } from '../schema.ts'

const input = {
  names: { is: 'text', list: true, placeholder: 'NAME', description: 'collections; default all' },
  force: { is: 'flag', default: false, description: 'make all vectors anew' },
} as const

/** Gives vectors to the documents that have none. */
export const embedOperation: Operation<Engine, InputOf<typeof input>, EmbedAnswer> = {
  name: 'embed',
  summary: 'Send what is new to the embedding model, so that it is found by what it means',
  effect: 'write',
  positional: ['names'],
  examples: [
    { command: 'ambit embed', does: 'all that is indexed and has no vectors yet; stop it and go on at any time' },
  ],
  input: defineInputs(input),
  output: () =>
    object({
      model: text,
      embedded: count,
      chunks: count,
      failed: count,
      left: array(object({ collection: text, path: text, detail: text })),
    }),
  asks: () => false,
  hasProgress: true,
  run: async (engine, request, run) => (await engine.library()).collections.embed(request, run),
  text: ({ model, embedded, chunks, left }) => {
    const done = `${oneLine(model)}: ${countNoun(embedded, 'document')} embedded, in ${countNoun(chunks, 'chunk')}\n`
    const named = left.slice(0, MOST_NAMED)
    const lines = named.map(
      ({ collection, path, detail }) => `  ${oneLine(`${collection}/${path}`)}: ${oneLine(detail)}\n`,
    )
    const more = left.length - named.length
    return `${done}${lines.join('')}${more > 0 ? `  and ${more} more: --json has all\n` : ''}`
  },
}

/** Documents that failed which are named. */
const MOST_NAMED = 5
