import { defineInputs } from '../../core/define-inputs.ts'
import type { InputOf } from '../../core/input.ts'
import type { Operation } from '../../core/operation.ts'
import type { Engine, TokenLine } from '../../engine/engine.ts'
import { array, object } from '../schema.ts'
import { token, tokenLine } from './described.ts'

const input = {
  token: { is: 'text', required: true, description: 'its id, or a name for all that the name has' },
} as const

/** Ends a token for good. */
export const revoke: Operation<Engine, InputOf<typeof input>, { readonly revoked: readonly TokenLine[] }> = {
  name: 'token.revoke',
  summary: 'Revoke a token, or all of a name, for good; what was kept under the name stays',
  effect: 'write',
  scope: 'admin',
  positional: ['token'],
  examples: [
    { command: 'ambit token revoke 1f2e3d4c5b6a79800f1e2d3c4b5a6978', does: 'the next request with it is refused' },
    { command: 'ambit token revoke alice', does: 'all tokens of a name' },
  ],
  input: defineInputs(input),
  output: () => object({ revoked: array(object(token)) }),
  asks: () => false,
  run: async (engine, { token }) => ({ revoked: await (await engine.tokens()).revoke(token) }),
  text: ({ revoked }) => revoked.map((one) => `Revoked ${tokenLine(one)}\n`).join(''),
}
