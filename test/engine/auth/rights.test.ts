import { describe, expect, it } from 'vitest'
import { accessOver, mayResearch } from '../../../src/engine/auth/access.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'

type Given = Parameters<Awaited<ReturnType<ReturnType<typeof accessOver>['tokens']>>['create']>[0]

const RESEARCH = { name: 'alice', scopes: ['read', 'research'] }
const OIDC = 'oidc:id.example:1'

/** Whether research goes on of who has these tokens, the first of them revoked where that is said. */
async function goesOn(
  principal: Parameters<typeof mayResearch>[0],
  tokens: readonly Given[],
  { isRevoked = false, scopes = undefined as readonly 'research'[] | undefined } = {},
): Promise<boolean> {
  const store = openSqlite(':memory:')
  for (const name of ['docs', 'notes']) await store.collections.add({ name, root: '/', patterns: [], exclude: [] })
  const access = accessOver(async () => store)
  for (const [index, token] of tokens.entries()) {
    const { id } = await (await access.tokens()).create(token)
    if (isRevoked && index === 0) await (await access.tokens()).revoke(id)
  }
  if (scopes) {
    const person = { principal: { name: OIDC, scopes }, lastsMs: 600_000, began: 's' }
    await (await access.signIns()).signInPerson(person, { token: '', rules: 'r' })
  }
  try {
    return await mayResearch(principal, access)
  } finally {
    await store.close()
  }
}

describe('research of somebody', () => {
  it.each<[string, Parameters<typeof goesOn>, boolean]>([
    ['of the local owner', [{ name: '' }, []], true],
    ['of whom a program vouches for that has the library', [{ name: 'alice' }, [{ name: 'bob' }]], true],
    ['by a good token', [{ name: 'alice' }, [RESEARCH]], true],
    ['by one that is revoked', [{ name: 'alice' }, [RESEARCH], { isRevoked: true }], false],
    ['by another one of the name', [{ name: 'alice' }, [RESEARCH, RESEARCH], { isRevoked: true }], true],
    ['by another one, which may not', [{ name: 'alice' }, [RESEARCH, { name: 'alice' }], { isRevoked: true }], false],
    ['by another name', [{ name: 'alice' }, [RESEARCH, { ...RESEARCH, name: 'alic' }], { isRevoked: true }], false],
    ['by one that may read alone', [{ name: 'alice' }, [{ name: 'alice' }]], false],
    [
      'in its collections',
      [{ name: 'alice', collections: ['notes', 'docs'] }, [{ ...RESEARCH, collections: ['docs', 'notes'] }]],
      true,
    ],
    ['in fewer', [{ name: 'alice', collections: ['docs', 'notes'] }, [{ ...RESEARCH, collections: ['docs'] }]], false],
    ['in all, where there are some by now', [{ name: 'alice' }, [{ ...RESEARCH, collections: ['docs'] }]], false],
    ['in some, where there are all by now', [{ name: 'alice', collections: ['docs'] }, [RESEARCH]], false],
    ['of whom a provider vouches for, and who is in', [{ name: OIDC }, [], { scopes: ['research'] }], true],
    ['of the same, who may do it no more', [{ name: OIDC }, [], { scopes: [] }], false],
    ['of the same, who is out', [{ name: OIDC }, []], false],
    ['of another', [{ name: `${OIDC}1` }, [], { scopes: ['research'] }], false],
  ])('goes on %s', async (_, given, isSo) => {
    expect(await goesOn(...given)).toBe(isSo)
  })
})
