import { SCOPES } from '../../core/choices.ts'
import { createdToken } from '../../engine/engine.ts'
import { defineOperation } from '../schema.ts'
import { tokenLine } from './described.ts'

/** Creates a token; only this answer has its secret. */
export const create = defineOperation({
  name: 'token.create',
  summary: 'Create an access token for the server; its secret is shown once',
  effect: 'write',
  scope: 'admin',
  positional: ['name'],
  examples: [
    { command: 'ambit token create alice', does: 'allow reading all collections' },
    {
      command: 'ambit token create bot --scope read --scope research --collection docs --expires 90',
      does: 'allow reading and researching one collection for 90 days',
    },
  ],
  inputs: {
    name: {
      is: 'text',
      required: true,
      description: 'the name of the owner; tokens with the same name share their data',
    },
    scope: {
      is: 'choice',
      of: SCOPES,
      list: true,
      description: 'what the token allows; no scope implies another (default: read)',
    },
    collection: {
      is: 'text',
      list: true,
      description: 'the collections that it may see (default: all)',
    },
    expires: {
      is: 'integer',
      minimum: 1,
      maximum: 36_500,
      placeholder: 'DAYS',
      description: 'days until it expires (default: never)',
    },
  },
  output: createdToken,
  asks: () => false,
  run: async (engine, { name, scope, collection, expires }) =>
    (await engine.tokens()).create({ name, scopes: scope, collections: collection, expires }),
  text: ({ token, ...about }) => `${token}\n${tokenLine(about)}\n`,
  notices: () => ['The secret is shown this once. Send it as "Authorization: Bearer SECRET".'],
})
