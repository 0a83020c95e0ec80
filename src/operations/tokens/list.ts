import { tokensAnswer } from '../../engine/engine.ts'
import { defineOperation } from '../schema.ts'
import { tokenLine } from './described.ts'

/** All tokens, also revoked and expired ones. */
export const listTokens = defineOperation({
  name: 'token.list',
  summary: 'List the access tokens: owner, scopes and last use',
  effect: 'read',
  scope: 'admin',
  examples: [{ command: 'ambit token list', does: 'list them without their secrets' }],
  inputs: {},
  output: tokensAnswer,
  run: async (engine) => ({ tokens: await (await engine.tokens()).list() }),
  text: ({ tokens }) => tokens.map((one) => `${tokenLine(one)}\n`).join(''),
})
