import { describe, expect, it } from 'vitest'
import { engineFor, inBucket, inDirectory } from '../../context/catalog/labs.ts'
import { packageOf, registryV1 } from '../../quilt/packages/fixtures.ts'
import { appOf, ask, rootsOf } from './support.ts'

const made = packageOf(
  { 'a.txt': { text: 'one' }, 'b.bin': { text: 'a\0b' } },
  { message: 'first', user_meta: { by: 'Ernest' } },
)
const HELD = registryV1({ 'team/data': { 1680720300: made } })

describe('packages over HTTP', () => {
  it('give texts, and no bytes', async () => {
    await using lab = await inDirectory(HELD)
    const app = appOf({ engine: lab.engine })
    expect((await ask(app, '/api/packages.cat?package=lab/team/data&path=a.txt')).json).toMatchObject({ text: 'one' })
    const binary = await ask(app, '/api/packages.cat?package=lab/team/data&path=b.bin')
    expect([binary.status, binary.json]).toMatchObject([400, { code: 'invalid-input' }])
    const large = await ask(app, '/api/packages.cat?package=lab/team/data&path=a.txt&maxBytes=2')
    expect(large.json).toMatchObject({ code: 'over-limit' })
  })

  it('say what to ask instead, as requests', async () => {
    await using lab = await inDirectory(HELD)
    const { json } = await ask(appOf({ engine: lab.engine }), '/api/packages.show?package=lab/team/data:v9')
    expect(json).toMatchObject({ status: 404, code: 'not-found' })
    expect(json.hint).toContain('GET /api/packages.log?package=lab%2Fteam%2Fdata shows its revisions.')
  })

  it('are of collections only', async () => {
    await using lab = await inBucket(HELD)
    const stranger = engineFor(lab.server)
    const app = appOf({ engine: stranger, roots: rootsOf(import.meta.dirname) })
    const address = encodeURIComponent('quilt+s3://bucket#package=team/data')
    const refused = await ask(app, `/api/packages.show?package=${address}`)
    expect([refused.status, refused.json]).toMatchObject([403, { code: 'denied' }])
    expect((await ask(app, '/api/packages.list?registry=s3://bucket')).status).toBe(403)
    expect(lab.server.log).toEqual([])
    const known = await ask(appOf({ engine: lab.engine }), `/api/packages.show?package=${address}`)
    expect([known.status, known.json]).toMatchObject([200, { bucket: 'bucket', hash: made.hash }])
    await stranger.close()
  })
})
