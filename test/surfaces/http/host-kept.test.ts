/** What belongs to whoever runs the server, and to no guest. */

import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { SCOPES } from '../../../src/core/choices.ts'
import { openWith } from '../../../src/open.ts'
import { operations } from '../../../src/operations/index.ts'
import { tree } from '../../support/tree.ts'
import { appOf, ask } from './support.ts'

describe('what is set up for the host', () => {
  const guest = { name: 'alice', scopes: SCOPES } as const
  const opened = (stack: AsyncDisposableStack, config: Partial<Parameters<typeof openWith>[0]> = {}) => {
    const own = openWith({ file: undefined, unknown: [], home: false, db: ':memory:', ...config })
    stack.defer(() => own.close())
    return own
  }

  it('is not opened to a guest by a bucket, in whatever way it would become a collection', async () => {
    await using stack = new AsyncDisposableStack()
    const own = opened(stack)
    const { collections, contexts } = await own.as(guest).library()
    const denied = { code: 'denied', message: expect.stringContaining('s3://private is a bucket') }
    await expect(collections.add({ name: 'lab', root: 's3://private' })).rejects.toMatchObject(denied)
    await expect(contexts.importFrom('collections:\n  lab:\n    path: s3://private\n')).rejects.toMatchObject(denied)
    expect(await (await own.library()).collections.list()).toEqual([])
  })

  it('is asked by a guest through the models that are offered, and no others', async () => {
    const model = { provider: 'openai-compatible', model: 'm', url: 'http://127.0.0.1:9' } as const
    await using stack = new AsyncDisposableStack()
    const own = opened(stack, { model })
    const engine = own.as(guest)
    expect(engine.offeredModels()).toEqual(['openai-compatible/m', 'local/extractive'])
    for (const name of engine.offeredModels()) expect((await engine.language(name)).name).toBe(name)
    const denied = { code: 'denied', hint: 'Use openai-compatible/m or local/extractive.' }
    await expect(engine.language('anthropic/claude')).rejects.toMatchObject(denied)
    // The owner may name any: this one lacks its URL.
    await expect(own.language('openai-compatible/other')).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('is asked by no stage of the research of a guest through another model', async () => {
    await using stack = new AsyncDisposableStack()
    const research = await opened(stack).as(guest).research()
    const { session_id: id } = await research.create({ question: 'What?', models: ['report=anthropic/claude'] })
    await research.start(id)
    await expect.poll(async () => (await research.show(id)).status).toBe('failed')
    expect(JSON.stringify(await research.show(id))).toContain('does not offer the model')
  })

  it('is named to a guest in no error, of whatever route', async () => {
    await using stack = new AsyncDisposableStack()
    const at = stack.use(tree({}))
    const own = opened(stack, { db: at.at('ambit.db') })
    const { token } = await (await own.tokens()).create({ name: 'alice', scopes: ['read', 'research'] })
    const { port } = await own.library()
    await port.conversations.list(1)
    const broken = new Database(at.at('ambit.db'))
    broken.exec('DROP TABLE path_contexts; DROP TABLE research_sessions; DROP TABLE conversations')
    broken.close()
    const all = appOf({ engine: own, operations })
    for (const path of ['/api/contexts.list', '/api/sessions', '/api/chat/talk-0123456789/prompt']) {
      const { status, json } = await ask(all, path, { headers: { authorization: `Bearer ${token}` } })
      expect([path, status >= 400, JSON.stringify(json).includes(at.base)]).toEqual([path, true, false])
      expect(JSON.stringify((await ask(all, path)).json)).toContain(at.base)
    }
  })
})
