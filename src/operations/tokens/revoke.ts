import { revokedTokens } from '../../engine/engine.ts'
import { defineOperation } from '../schema.ts'
import { tokenLine } from './described.ts'

/** Ends a token for good. */
export const revoke = defineOperation({
  name: 'token.revoke',
  summary: "Revoke a token, or all tokens of a name, for good; the owner's data stays",
  effect: 'write',
  scope: 'admin',
  positional: ['token'],
  examples: [
    { command: 'ambit token revoke 1f2e3d4c5b6a79800f1e2d3c4b5a6978', does: 'refuse the next request with it' },
    { command: 'ambit token revoke alice', does: 'revoke all tokens of a name' },
  ],
  inputs: {
    token: { is: 'text', required: true, description: 'the id of a token, or a name for all its tokens' },
  },
  output: revokedTokens,
  asks: () => false,
  run: async (engine, { token }) => ({ revoked: await (await engine.tokens()).revoke(token) }),
  text: ({ revoked }) => revoked.map((one) => `Revoked ${tokenLine(one)}\n`).join(''),
})
