import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES, type Scope } from '../../../src/core/choices.ts'
import { scopeOf } from '../../../src/core/operation.ts'
import type { CreatedToken } from '../../../src/engine/engine.ts'
import { openWith } from '../../../src/open.ts'
import { type AnyOperation, operations } from '../../../src/operations/index.ts'
import { mcpHttp } from '../../../src/surfaces/mcp/http.ts'
import { exchange } from '../../stores/conversations.contract.ts'
import { type Tree, tree } from '../../support/tree.ts'
import { appOf, ask, echo, eventsIn, post, rootsOf, waiter } from './support.ts'

const CANARY = 'xylophone'
const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
const parts = { engine, version: '0.0.0', debug: false }
const mcp: NonNullable<Parameters<typeof appOf>[0]>['mcp'] = (all, seen) =>
  mcpHttp({ ...parts, ...seen, operations: all })

let files: Tree
const made = new Map<string, CreatedToken>()
beforeAll(async () => {
  files = tree({
    'docs/guide.md': '# Guide\n\nThe token is checked.\n',
    'secret/plan.md': `# Plan\n\nThe ${CANARY} token.\n`,
    'secret/picture.png': CANARY,
    'AGENTS.md': `On disk: ${CANARY}\n`,
  })
  const { collections, contexts } = await engine.library()
  for (const name of ['docs', 'secret']) await collections.add({ name, root: files.at(name) })
  await contexts.set('secret', `About the ${CANARY}`)
  await collections.index()
  const tokens = await engine.tokens()
  for (const scope of SCOPES) made.set(scope, await tokens.create({ name: `only-${scope}`, scopes: [scope] }))
  for (const name of ['alice', 'bob']) {
    made.set(name, await tokens.create({ name, scopes: ['read', 'write', 'research'] }))
  }
  made.set('some', await tokens.create({ name: 'some', scopes: ['read', 'write', 'research'], collections: ['docs'] }))
  made.set('revoked', await tokens.create({ name: 'revoked', scopes: SCOPES }))
  await tokens.revoke('revoked')
})
afterAll(async () => {
  await engine.close()
  files[Symbol.dispose]()
})

const as = (who: string) => ({ authorization: `Bearer ${made.get(who)?.token}` })
const app = () => appOf({ engine, mcp, roots: rootsOf(files.at('.')), operations })

/** Which scope each operation takes. A new one without a row fails. */
const TABLE: Readonly<Record<Scope, readonly string[]>> = {
  read: [
    ...['load', 'task', 'explain', 'check', 'diff', 'search', 'get', 'multi-get', 'ls', 'browse'],
    ...['status', 'indexing.list', 'collections.list', 'collections.show'],
    ...['contexts.list', 'contexts.check', 'contexts.export'],
    ...['packages.list', 'packages.show', 'packages.log', 'packages.diff', 'packages.ls', 'packages.cat'],
    ...['packages.verify', 'packages.search', 'conversations.list', 'conversations.show', 'conversations.export'],
    ...['conversations.rename', 'conversations.remove'],
  ],
  write: [
    ...['collections.set', 'index', 'embed'],
    ...['indexing.start', 'indexing.stop'],
    ...['contexts.add', 'contexts.remove', 'packages.push'],
  ],
  research: ['start', 'list', 'show', 'resume', 'stop', 'export', 'plan', 'redo'].map((name) => `research.${name}`),
  admin: [
    ...['init', 'doctor', 'doctor.repair', 'embed.get', 'index.rebuild', 'contexts.import'],
    ...['add', 'rename', 'remove'].map((name) => `collections.${name}`),
    ...['settings.show', 'settings.set', 'sync'],
    ...['token.create', 'token.list', 'token.revoke', 'migrate', 'export', 'import', 'packages.get'],
  ],
}

/** The operation without what it does. */
function hollow(operation: AnyOperation): AnyOperation {
  const input = { fields: {}, parse: (value: unknown) => value, json: () => ({ type: 'object' }) }
  return { ...operation, input, run: async () => ({ done: operation.name }) }
}

describe('whoever asks', () => {
  it.each(SCOPES)('is told what they may, by the scope %s', async (scope) => {
    const { status, json } = await ask(app(), '/api/me', { headers: as(scope) })
    expect(status).toBe(200)
    expect(json).toMatchObject({ name: `only-${scope}`, isOwner: false, scopes: [scope], collections: null })
    const served = new Set(operations.map(({ name }) => name))
    expect(json.operations.toSorted()).toEqual(TABLE[scope].filter((name) => served.has(name)).toSorted())
  })

  it('is told which collections there are for them, and the owner that all is theirs', async () => {
    expect((await ask(app(), '/api/me', { headers: as('some') })).json).toMatchObject({ collections: ['docs'] })
    const { json } = await ask(app(), '/api/me')
    expect(json).toMatchObject({ name: '', isOwner: true, scopes: SCOPES, collections: null })
    expect(json.operations).toEqual(operations.map(({ name }) => name))
  })
})

it('a link that signs a browser in is made by the owner alone, whatever others may', async () => {
  const all = app()
  const made = await ask(all, '/api/link', post({}))
  expect([made.status, made.json.path]).toEqual([200, expect.stringMatching(/^\/login\?code=[\w-]{43}$/)])
  for (const scope of SCOPES) {
    expect((await ask(all, '/api/link', post({}, as(scope)))).json.code).toBe('denied')
  }
  expect((await ask(all, '/api/link')).status).toBe(405)
})

describe('what the owner sets', () => {
  it.each([
    ['settings.set', { model: 'local/extractive' }],
    ['collections.add', { name: 'lab', root: 's3://lab-results' }],
    ['collections.add', { name: 'lab', root: 's3://lab-results', endpoint: 'http://127.0.0.1:9' }],
    ['settings.set', { modelUrl: 'http://127.0.0.1:9' }],
  ])('is not for administrators to set: %s', async (name, input) => {
    const { status, json } = await ask(app(), `/api/${name}`, post(input, as('admin')))
    expect([status, json.code]).toEqual([403, 'denied'])
  })

  it('is told to administrators without the place of the file, and the folders that are served', async () => {
    const { json } = await ask(app(), '/api/settings.show', { headers: as('admin') })
    expect(json).toMatchObject({ file: null, model: { hasKey: false } })
    const rootsFor = async (who: string) => (await ask(app(), '/api/me', { headers: as(who) })).json.roots
    expect(await rootsFor('admin')).toEqual([files.at('.')])
    for (const who of ['read', 'write', 'research', 'some']) expect(await rootsFor(who)).toEqual([])
  })
})

it('indexing in the background is told to those alone who see the collection, and stopped by none else', async () => {
  const all = app()
  expect((await ask(all, '/api/indexing.start', post({ names: ['docs', 'secret'] }))).status).toBe(200)
  const namesFor = async (who: string) =>
    (await ask(all, '/api/indexing.list', { headers: as(who) })).json.jobs.map((job: { name: string }) => job.name)
  expect(await namesFor('read')).toEqual(['docs', 'secret'])
  expect(await namesFor('some')).toEqual(['docs'])
  for (const name of ['indexing.start', 'indexing.stop']) {
    const { status, body } = await ask(all, `/api/${name}`, post({ names: ['secret'] }, as('some')))
    expect([name, status]).toEqual([name, 404])
    expect(body).not.toContain(CANARY)
  }
  expect((await ask(all, '/api/indexing.start', post({ names: ['docs'] }, as('read')))).status).toBe(403)
})

describe('scopes', () => {
  it('are told of every operation', () => {
    const found = SCOPES.map((scope) => [
      scope,
      operations
        .filter((one) => scopeOf(one) === scope)
        .map(({ name }) => name)
        .sort(),
    ])
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.entries(TABLE).map(([scope, names]) => [scope, [...names].sort()])),
    )
  })

  it.each(SCOPES)('with %s alone', async (scope) => {
    const hollowApp = appOf({ engine, operations: operations.map(hollow) })
    for (const { name } of operations) {
      const { status, json } = await ask(hollowApp, `/api/${name}`, post({}, as(scope)))
      const may = TABLE[scope].includes(name)
      expect([name, status, json.code ?? json.done]).toEqual([name, ...(may ? [200, name] : [403, 'denied'])])
      if (!may) expect(json.detail).toMatch(/^The request needs a token with the scope (read|write|research|admin)\.$/)
    }
  })

  it.each([
    ['/api/chat/models', 'read'],
    ['/api/chat/12345678/prompt', 'read'],
    ['/api/chat/12345678/stream', 'read'],
    ['/api/sessions', 'research'],
    ['/api/sessions/12345678', 'research'],
    ['/api/sessions/12345678/events', 'research'],
    ['/files/docs/guide.md', 'read'],
    ['/entries?package=docs/a/b', 'read'],
    ['/metrics', 'admin'],
  ])('of %s: %s', async (path, needed) => {
    const all = app()
    for (const scope of SCOPES) {
      const { status, json } = await ask(all, path, { headers: as(scope) })
      expect([scope, status === 403 && json.code === 'denied']).toEqual([scope, scope !== needed])
    }
  })

  it.each(SCOPES)('of the tools and resources of MCP: %s', async (scope) => {
    const listed = await rpc(app(), as(scope), 'tools/list')
    const names: string[] = (listed.result?.tools ?? []).map((tool: { name: string }) => tool.name)
    const has = (name: string) => names.includes(name)
    expect([has('search'), has('get'), has('research_start'), has('context_add')]).toEqual([
      scope === 'read',
      scope === 'read',
      scope === 'research',
      false,
    ])
    const called = await rpc(app(), as(scope), 'tools/call', { name: 'search', arguments: { query: 'token' } })
    expect(called.error === undefined).toBe(scope === 'read')
    const read = await rpc(app(), as(scope), 'resources/read', { uri: 'ambit://docs/guide.md' })
    expect(read.error === undefined).toBe(scope === 'read')
  })

  it('offer tools that write to those with write alone, where the server does', async () => {
    const all = appOf({ engine, mcp, operations, allowWrite: true })
    for (const [who, may] of [
      ['alice', true],
      ['read', false],
      ['write', true],
      ['admin', false],
    ] as const) {
      const { result } = await rpc(all, as(who), 'tools/list')
      expect([who, JSON.stringify(result).includes('"context_add"')]).toEqual([who, may])
    }
  })
})

/** Asks the MCP of an app. */
async function rpc(on: ReturnType<typeof app>, headers: object, method: string, params: object = {}) {
  const body = { jsonrpc: '2.0', id: 1, method, params }
  const accept = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18', ...headers }
  const answer = await ask(on, '/mcp', post(body, accept))
  const data = /^data: (.*)$/m.exec(answer.body)?.[1]
  return data === undefined ? (answer.json ?? { error: { message: answer.body } }) : JSON.parse(data)
}

const ROUTES = [
  ...['/', '/nothing', '/openapi.json', '/metrics', '/mcp', '/api/search?query=token', '/api/nothing'],
  ...['/api/chat/models', '/api/chat/12345678/stream', '/api/sessions', '/api/sessions/12345678/events'],
  '/files/docs/guide.md',
]

describe('every route', () => {
  it.each(ROUTES)('%s is shut without a token, and with one that is wrong, revoked or in the address', async (path) => {
    const all = app()
    const good = made.get('alice')?.token ?? ''
    const headers = [{ authorization: '' }, { authorization: `Bearer ${good.slice(0, -1)}_` }, as('revoked')]
    for (const one of headers) expect((await ask(all, path, { headers: one })).status).toBe(401)
    const withToken = `${path}${path.includes('?') ? '&' : '?'}token=${good}&access_token=${good}`
    expect((await ask(all, withToken, { headers: { authorization: '' } })).status).toBe(401)
  })

  it.each(['/healthz', '/readyz'])('%s is open, and says nothing but how it is', async (path) => {
    const { status, body } = await ask(app(), path, { headers: { authorization: '' } })
    expect([status, body.length < 30]).toEqual([200, true])
  })
})

/** A word stands for the collection: hidden, or one that never was. */
const LOOKS: readonly (readonly [path: string, body?: object])[] = [
  ['/api/search?query=token&collections=NAME'],
  ['/api/get?path=NAME/plan.md'],
  ['/api/get?path=ambit://NAME/plan.md'],
  ['/api/multi-get?pattern=NAME/*.md'],
  ['/api/ls?place=NAME'],
  ['/api/browse?place=NAME'],
  ['/api/collections.show?name=NAME'],
  ['/api/load?place=ambit://NAME/plan.md'],
  ['/api/explain?place=ambit://NAME/plan.md'],
  ['/api/packages.list?bucket=NAME'],
  ['/api/packages.show?package=NAME/team/data'],
  ['/api/packages.ls?package=NAME/team/data'],
  ['/files/NAME/plan.md'],
  ['/files/NAME/picture.png'],
  ['/entries?package=NAME/team/data&path=a'],
  ['/api/index', { names: ['NAME'] }],
  ['/api/contexts.add', { path: 'ambit://NAME', text: 'x' }],
  ['/api/contexts.remove', { path: 'ambit://NAME' }],
  ['/api/collections.set', { name: 'NAME', paused: true }],
]

describe('a token of some collections', () => {
  it.each(LOOKS.map(([path, body]) => ({ path, body })))(
    'sees at $path what there is where nothing ever was',
    async ({ path, body }) => {
      const all = app()
      const told = async (name: string) => {
        const init = body ? post(JSON.stringify(body).replaceAll('NAME', name), as('some')) : { headers: as('some') }
        const answer = await ask(all, path.replaceAll('NAME', name), init)
        return [answer.status, answer.body.replaceAll(name, 'NAME')]
      }
      const hidden = await told('secret')
      expect(hidden).toEqual(await told('nothin'))
      expect(hidden[1]).not.toContain(CANARY)
      expect(hidden[1]).not.toContain('secret')
    },
  )

  it.each(
    (
      '/api/search?query=token /api/search?query=xylofone /api/ls /api/browse /api/collections.list ' +
      '/api/contexts.list /api/contexts.export /api/contexts.check /api/status ' +
      '/api/multi-get?pattern=**/*.md /api/packages.list /api/load /api/load?place=. /api/conversations.list ' +
      '/api/sessions'
    ).split(' '),
  )('finds nothing of others at %s', async (path) => {
    const { body } = await ask(app(), path, { headers: as('some') })
    expect((await ask(app(), '/api/search?query=xylophone', { headers: as('alice') })).body).toContain('secret')
    expect(body).not.toContain(CANARY)
    expect(body).not.toContain('secret')
  })

  it('sees nothing of the directories of the server', async () => {
    expect((await ask(app(), '/api/load?place=.', { headers: as('alice') })).body).toContain(CANARY)
    const { status, body } = await ask(app(), `/api/load?place=${files.at('.')}`, { headers: as('some') })
    expect([status, body.includes(CANARY)]).toEqual([403, false])
  })

  it('stands in its collections: by their names, and in the first one where it names no place', async () => {
    expect((await ask(app(), '/api/load?place=docs', { headers: as('some') })).json.place).toBe('ambit://docs')
    for (const place of ['docs', 'ambit://docs/guide.md', '.', undefined]) {
      const messages = [
        { id: 'message-1', role: 'user', parts: [{ type: 'text', text: `What of the ${CANARY} token?` }] },
      ]
      const body = { id: `talk-at-${String(place).replace(/\W/g, '-')}`, messages, ...(place && { place }) }
      const { status, body: told } = await ask(app(), '/api/chat', post(body, as('some')))
      expect([place, status, /"type":"error"/.test(told)]).toEqual([place, 200, false])
      expect(told).not.toContain('secret')
    }
  })

  it('chats at no place of others', async () => {
    const told = async (name: string) => {
      const messages = [{ id: 'message-1', role: 'user', parts: [{ type: 'text', text: 'What is planned?' }] }]
      const asked = { id: `talk-about-${name}`, messages, place: `ambit://${name}/plan.md` }
      const { body } = await ask(app(), '/api/chat', post(asked, as('some')))
      return body.replaceAll(name, 'NAME').replaceAll(/"(askedAt|time)":"[^"]*"/g, '')
    }
    const hidden = await told('secret')
    expect(hidden).toBe(await told('nothin'))
    expect(hidden).not.toContain(CANARY)
  })

  it('reads no resource of others by MCP', async () => {
    const told = async (name: string) =>
      JSON.stringify(await rpc(app(), as('some'), 'resources/read', { uri: `ambit://${name}/plan.md` })).replaceAll(
        name,
        'NAME',
      )
    expect(await told('secret')).toBe(await told('nothin'))
    const called = await rpc(app(), as('some'), 'tools/call', { name: 'get', arguments: { path: 'secret/plan.md' } })
    expect(called.result.isError).toBe(true)
    expect(JSON.stringify(called)).not.toContain(CANARY)
  })

  it('researches its own collections alone', async () => {
    const all = app()
    const asked = { question: 'What is the xylophone token?', extractive: true }
    const { json } = await ask(all, '/api/sessions', post(asked, as('some')))
    await ask(all, `/api/sessions/${json.session_id}/start`, post({}, as('some')))
    const { body } = await ask(all, `/api/sessions/${json.session_id}/events`, { headers: as('some') })
    expect(body).toContain('run_completed')
    expect(body).not.toContain('secret/plan.md')
    const report = await ask(all, `/api/sessions/${json.session_id}/report`, { headers: as('some') })
    expect(report.body).not.toContain('ambit://secret')
  })
})

describe('what belongs to somebody', () => {
  /** Of alice: a session with a file, and a conversation. */
  const owned = async (all: ReturnType<typeof app>) => {
    const { json } = await ask(all, '/api/sessions', post({ question: 'Whose?', extractive: true }, as('alice')))
    const id = String(json.session_id)
    const data = new FormData()
    data.append('file', new File([CANARY], 'a.md'))
    await ask(all, `/api/sessions/${id}/files`, { method: 'POST', body: data, headers: as('alice') })
    const talk = `talk-${id}`
    const { conversations } = (await engine.library()).port.of('alice')
    await conversations.begin({ id: talk, title: CANARY, place: '.', model: 'm' })
    await conversations.put(talk, 0, exchange('question-1'))
    return { id, talk }
  }

  let alices: Awaited<ReturnType<typeof owned>>
  beforeAll(async () => {
    alices = await owned(app())
  })

  it.each([
    ['GET', '/api/sessions/ID'],
    ['DELETE', '/api/sessions/ID'],
    ['GET', '/api/sessions/ID/files'],
    ['POST', '/api/sessions/ID/files'],
    ['DELETE', '/api/sessions/ID/files/a.md'],
    ['GET', '/api/sessions/ID/files/a.md/text'],
    ['POST', '/api/sessions/ID/start'],
    ['POST', '/api/sessions/ID/pause'],
    ['POST', '/api/sessions/ID/stop'],
    ['POST', '/api/sessions/ID/resume'],
    ['GET', '/api/sessions/ID/report'],
    ['GET', '/api/sessions/ID/events'],
    ['GET', '/api/research.show?session=ID'],
    ['GET', '/api/research.export?session=ID'],
    ['GET', '/api/chat/TALK/prompt'],
    ['GET', '/api/chat/TALK/stream'],
    ['POST', '/api/chat/TALK/stop'],
    ['GET', '/api/conversations.show?id=TALK'],
    ['GET', '/api/conversations.export?id=TALK'],
  ])('is to others as if it were not: %s %s', async (method, path) => {
    const [all, { id, talk }] = [app(), alices]
    const other = { ID: 'f'.repeat(32), TALK: `talk-${'f'.repeat(32)}` }
    for (const who of ['bob', 'some']) {
      const told = async (names: { ID: string; TALK: string }) => {
        const init = method === 'POST' ? post({}, as(who)) : { method, headers: as(who) }
        const answer = await ask(all, path.replace('ID', names.ID).replace('TALK', names.TALK), init)
        return [answer.status, answer.body.replaceAll(names.TALK, 'TALK').replaceAll(names.ID, 'ID')]
      }
      expect(await told({ ID: id, TALK: talk })).toEqual(await told(other))
    }
    expect((await ask(all, `/api/sessions/${id}`, { headers: as('alice') })).json.files).toHaveLength(1)
    expect((await ask(all, `/api/conversations.show?id=${talk}`, { headers: as('alice') })).status).toBe(200)
  })

  it('is in the lists of its owner alone, the local one apart', async () => {
    const [all, { id, talk }] = [app(), alices]
    for (const [who, sees] of [
      ['alice', true],
      ['bob', false],
      ['some', false],
    ] as const) {
      for (const [path, what] of [
        ['/api/sessions', id],
        ['/api/research.list', id],
        ['/api/conversations.list', talk],
      ] as const) {
        expect([who, path, (await ask(all, path, { headers: as(who) })).body.includes(what)]).toEqual([who, path, sees])
      }
    }
    expect((await ask(all, '/api/sessions')).body).not.toContain(id)
    expect((await ask(all, '/api/conversations.list')).body).not.toContain(talk)
  })

  it('cannot be begun from what is of another', async () => {
    const [all, { id }] = [app(), alices]
    for (const follows of [id, id.slice(0, 8)]) {
      const { status } = await ask(all, '/api/sessions', post({ question: 'What else?', follows }, as('bob')))
      expect(status).toBe(404)
    }
    expect((await ask(all, `/api/sessions/last`, { headers: as('bob') })).body).not.toContain(id)
  })

  it('is not gone on with by the id of an event', async () => {
    const all = appOf({ engine, operations: [echo] })
    const stream = { accept: 'text/event-stream' }
    const first = await ask(all, '/api/echo?word=a', { headers: { ...stream, ...as('alice') } })
    const id = eventsIn(first.body)[0]?.id ?? ''
    const again = (who: string, last: string) =>
      ask(all, '/api/echo', { headers: { ...stream, ...as(who), 'last-event-id': last } })
    expect((await again('alice', id)).status).toBe(204)
    const { status, body } = await again('bob', id)
    expect([status, body]).toEqual([404, (await again('bob', `${'0'.repeat(id.split('.')[0]?.length ?? 0)}.1`)).body])
    expect((await ask(all, '/api/echo', { headers: { ...stream, 'last-event-id': id } })).status).toBe(404)
  })
})

it('a token that is revoked ends what it began: streams, and what they wait for; that of others goes on', async () => {
  const tokens = await engine.tokens()
  const { token, id } = await tokens.create({ name: 'dave', scopes: ['read', 'research'] })
  const { seen, wait } = waiter()
  const all = appOf({ engine, operations: [wait], limits: { sweep: 20 } })
  const stream = { accept: 'text/event-stream' }
  const mine = await all.fetch(
    new Request('http://127.0.0.1:7377/api/wait', {
      headers: { host: '127.0.0.1:7377', authorization: `Bearer ${token}`, ...stream },
    }),
  )
  const other = ask(all, '/api/wait', { headers: as('bob') })
  await expect.poll(() => seen.started).toBe(2)
  await tokens.revoke(id)
  expect(await mine.text()).toContain('event: problem')
  expect(seen.stopped).toBe(1)
  expect((await ask(all, '/openapi.json', { headers: { authorization: `Bearer ${token}` } })).status).toBe(401)
  expect((await ask(all, '/openapi.json', { headers: as('bob') })).status).toBe(200)
  void other
})

describe('where things lie on the machine', () => {
  it.each(['status', 'collections.list', 'collections.show?name=docs', 'contexts.export'])(
    'is told to the owner and to no guest by %s',
    async (path) => {
      const all = app()
      const owner = await ask(all, `/api/${path}`)
      const guest = await ask(all, `/api/${path}`, { headers: as('alice') })
      expect([owner.status, guest.status]).toEqual([200, 200])
      expect(owner.body).toContain(files.base)
      expect(guest.body).not.toContain(files.base)
      expect(guest.body).toContain('ambit://docs')
    },
  )

  it.each(['get?path=', 'get?path=docs', 'ls?place=', 'browse?place=', 'collections.show?name='])(
    'is not confirmed to a guest who guesses it, by %s',
    async (path) => {
      const all = appOf({ engine, mcp, operations })
      const told = async (guess: string, more: string) => {
        const { json } = await ask(all, `/api/${path}${encodeURIComponent(guess)}${more}`, { headers: as('alice') })
        return [json.status, String(json.detail).replaceAll(guess, 'GUESS').replace('dxcs', 'docs')]
      }
      const forms = ['docs', 'docs/no.md', 'docsx'].map((name) => files.at(name))
      for (const guess of [...forms, `file://${files.at('%64ocs')}`]) {
        // The second input has an escape that cannot be decoded.
        for (const more of ['', '&after=100%25'])
          expect(await told(guess, more)).toEqual(await told(guess.replace('ocs', 'xcs'), more))
      }
    },
  )

  it('is told in no error', async () => {
    using gone = tree({ 'gone/a.md': 'a' })
    const { collections } = await engine.library()
    await collections.add({ name: 'gone', root: gone.at('gone') })
    gone[Symbol.dispose]()
    const { body: text } = await ask(app(), '/api/index', {
      ...post({ names: ['gone'] }),
      headers: { ...post({}).headers, ...as('alice') },
    })
    await collections.remove('gone')
    expect(text).toContain('does not exist')
    expect(text).not.toContain(gone.base)
  })
})

describe('a browser', () => {
  const decoded = (text = '') => text.replaceAll('&amp;', '&')
  const signIn = (token: string, headers: Record<string, string> = {}, to = '') => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', authorization: '', ...headers }
    const body = new URLSearchParams({ token, ...(to !== '' && { to }) }).toString()
    return { method: 'POST', body, headers: { ...form, 'content-length': String(body.length) } }
  }

  it('signs in with a token, as whom it is, until that is revoked', async () => {
    const tokens = await engine.tokens()
    const { token, id } = await tokens.create({ name: 'carol', scopes: ['read'], collections: ['docs'] })
    const all = app()
    const answer = await ask(all, '/login', signIn(token))
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/'])
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
    expect(cookie).not.toContain(token)
    const listed = () => ask(all, '/api/collections.list', { headers: { authorization: '', cookie } })
    expect((await listed()).json.collections.map(({ name }: { name: string }) => name)).toEqual(['docs'])
    await tokens.revoke(id)
    expect((await listed()).status).toBe(401)
  })

  it('comes to what it asked for, though the first token be wrong', async () => {
    const { token } = await (await engine.tokens()).create({ name: 'carol', scopes: ['read'] })
    const all = app()
    const html = { authorization: '', accept: 'text/html' }
    const next = async (answer: Promise<{ body: string }>) =>
      decoded(/name="to" type="hidden" value="([^"]*)"/.exec((await answer).body)?.[1])
    const wanted = await next(ask(all, '/search?q=berths&mode=any', { headers: html }))
    expect(wanted).toBe('/search?q=berths&mode=any')
    const again = await next(ask(all, '/login', signIn('ambit_x', html, wanted)))
    expect((await ask(all, '/login', signIn(token, html, again))).headers.get('location')).toBe(wanted)
    expect((await ask(all, '/login', signIn(token, html, 'https://evil.example'))).headers.get('location')).toBe('/')
  })
})
