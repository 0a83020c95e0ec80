import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, TokenLine } from '../../engine/engine.ts'
import { array, object } from '../schema.ts'
import { token, tokenLine } from './described.ts'

const input = {} as const

/** The tokens that there are, also those that let nobody in any more. */
export const listTokens: Operation<Engine, InputOf<typeof input>, { readonly tokens: readonly TokenLine[] }> = {
  name: 'token.list',
  summary: 'List the access tokens: owner, scopes and last use',
  effect: 'read',
  scope: 'admin',
  examples: [{ command: 'ambit token list', does: 'list them without their secrets' }],
  input: defineInputs(input),
  output: () => object({ tokens: array(object(token)) }),
  run: async (engine) => ({ tokens: await (await engine.tokens()).list() }),
  text: ({ tokens }) => tokens.map((one) => `${tokenLine(one)}\n`).join(''),
}
