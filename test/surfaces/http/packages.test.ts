import { describe, expect, it } from 'vitest'
import { engineFor, inBucket } from '../../context/catalog/labs.ts'
import { packageOf, registryV1 } from '../../quilt/packages/fixtures.ts'
import { appOf, ask, rootsOf } from './support.ts'

const made = packageOf(
  { 'a.txt': { text: 'one' }, 'b.bin': { text: 'a\0b' } },
  { message: 'first', user_meta: { by: 'Ernest' } },
)
const HELD = registryV1({ 'team/data': { 1680720300: made } })

describe('packages over HTTP', () => {
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
