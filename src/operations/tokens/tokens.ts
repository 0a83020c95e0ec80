import { SCOPES } from '../../core/choices.ts'
import { createdToken, revokedTokens, type TokenLine, tokensAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { defineOperation } from '../schema.ts'

/** `1f2e3d4c5b6a79800f1e2d3c4b5a6978  alice  read,write  docs  good, expires 2027-01-01, never used`. */
function tokenLine({ id, name, scopes, collections, state, expiresAt, usedAt }: TokenLine): string {
  const expiryText = state === 'good' && expiresAt !== undefined ? `, expires ${expiresAt.slice(0, 10)}` : ''
  const useText = usedAt === undefined ? 'never used' : `used ${usedAt.slice(0, 16).replace('T', ' ')}`
  const collectionText = collections === undefined ? 'all collections' : collections.join(',')
  return oneLine([id, name, scopes.join(','), collectionText, `${state}${expiryText}, ${useText}`].join('  '))
}

export const tokens = {
  create: defineOperation({
    name: 'token.create',
    summary: 'Create an access token for the server; its secret is shown once',
    effect: 'write',
    scope: 'admin',
    positional: ['name'],
    examples: {
      'ambit token create alice': 'allow reading all collections',
      'ambit token create bot --scope read --scope research --collection docs --expires 90':
        'allow reading and researching one collection for 90 days',
    },
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
      collection: { is: 'text', list: true, description: 'the collections that it may see (default: all)' },
      expires: {
        is: 'integer',
        minimum: 1,
        maximum: 36_500,
        placeholder: 'DAYS',
        description: 'days until it expires (default: never)',
      },
    },
    output: createdToken,
    run: async (engine, { name, scope, collection, expires }) =>
      (await engine.tokens()).create({ name, scopes: scope, collections: collection, expires }),
    text: ({ token, ...about }) => `${token}\n${tokenLine(about)}\n`,
    notices: () => ['The secret is shown this once. Send it as "Authorization: Bearer SECRET".'],
  }),

  list: defineOperation({
    name: 'token.list',
    summary: 'List the access tokens: owner, scopes and last use',
    effect: 'read',
    scope: 'admin',
    examples: { 'ambit token list': 'list them without their secrets' },
    inputs: {},
    output: tokensAnswer,
    run: async (engine) => ({ tokens: await (await engine.tokens()).list() }),
    text: ({ tokens }) => tokens.map((one) => `${tokenLine(one)}\n`).join(''),
  }),

  revoke: defineOperation({
    name: 'token.revoke',
    summary: "Revoke a token, or all tokens of a name, for good; the owner's data stays",
    effect: 'write',
    scope: 'admin',
    positional: ['token'],
    examples: {
      'ambit token revoke 1f2e3d4c5b6a79800f1e2d3c4b5a6978': 'refuse the next request with it',
      'ambit token revoke alice': 'revoke all tokens of a name',
    },
    inputs: { token: { is: 'text', required: true, description: 'the id of a token, or a name for all its tokens' } },
    output: revokedTokens,
    run: async (engine, { token }) => ({ revoked: await (await engine.tokens()).revoke(token) }),
    text: ({ revoked }) => revoked.map((one) => `Revoked ${tokenLine(one)}\n`).join(''),
  }),
}
