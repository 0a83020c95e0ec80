/** @module-tag long */

import { expect, it } from 'vitest'
import type { Config } from '../../../src/engine/config.ts'
import { openWith } from '../../../src/open.ts'
import { withEnvironment } from '../../files/s3-bucket.ts'
import { served } from '../../reliability/served.ts'
import { ownDatabases, withPostgres } from '../../support/postgres.ts'
import { Bucket } from '../../support/s3/bucket.ts'
import { ownS3 } from '../../support/s3/own.ts'
import { KEY, REGION, SECRET } from '../../support/s3/server.ts'
import { tree } from '../../support/tree.ts'
import { bytesOf, filesBelow } from './beside.ts'

const FERRY = '# Ferry\n\nThe last boat in winter leaves at 19:40.\nA single ticket costs 4.50 euros.\n'
const QUESTION = 'When does the last boat leave in winter, and how much is a single ticket?'
const BUCKET = 'shared-uploads'
const PLACE = `s3://${BUCKET}/of/ambit`

const [database, s3] = [ownDatabases(), ownS3()]

/** A new database and an empty bucket, which processes share that share no disk. */
async function shared() {
  const server = await s3()
  const bucket = new Bucket(REGION)
  server.buckets.set(BUCKET, bucket)
  return { url: await database(), endpoint: server.url, bucket, log: server.log }
}

withPostgres('uploads of processes that share PostgreSQL and S3, and no disk', () => {
  it('are added in one engine, and read in another', async () => {
    const { url, endpoint, bucket } = await shared()
    using at = tree({})
    const openAt = (name: string) => {
      const config: Config = {
        ...{ file: undefined, unknown: [], home: false, database: { url }, objects: PLACE },
        ...{ data: at.at(name), s3: { endpoint, region: REGION } },
      }
      return openWith(config)
    }
    await withEnvironment({ AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: SECRET }, async () => {
      const [one, other] = [openAt('one'), openAt('other')]
      try {
        const research = await one.research()
        const { session_id: id } = await research.create({ question: QUESTION })
        await research.addFile(id, { name: 'ferry.md', type: '', bytes: bytesOf(FERRY) })
        expect(bucket.keys()).toHaveLength(1)
        const elsewhere = await other.research()
        await elsewhere.run(id)
        expect((await research.report(id)).markdown).toContain('> The last boat in winter leaves at 19:40.')
        expect((await one.doctor({ emit: () => {} })).checks.find(({ name }) => name === 'uploads')).toMatchObject({
          status: 'ok',
          message: `${PLACE}: 1 file, ${FERRY.length} B.`,
        })
        await elsewhere.remove(id)
        expect(bucket.keys()).toEqual([])
      } finally {
        await Promise.all([one.close(), other.close()])
      }
      expect(filesBelow(at.base)).toEqual([])
    })
  })

  it('are added over HTTP in one process, and read by the run of another', async () => {
    const { url, endpoint, bucket } = await shared()
    using homes = tree({ 'api/': '', 'worker/': '' })
    const env = {
      ...{ AMBIT_DATABASE_URL: url, AMBIT_OBJECTS: PLACE, AWS_ENDPOINT_URL_S3: endpoint, AWS_REGION: REGION },
      ...{ AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: SECRET, AMBIT_S3_PATH_STYLE: '1' },
    }
    await using api = await served(homes.at('api'), { env, argv: ['--role', 'api'] })
    const headers = { authorization: `Bearer ${api.token}` }
    const body = JSON.stringify({ question: QUESTION })
    const init = { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } }
    const { session_id: id } = (await (await fetch(`${api.url}/api/sessions`, init)).json()) as { session_id: string }
    const data = new FormData()
    data.append('file', new File([FERRY], 'ferry.md'))
    const added = await fetch(`${api.url}/api/sessions/${id}/files`, { method: 'POST', body: data, headers })
    expect([added.status, bucket.keys().length]).toEqual([201, 1])

    await using worker = await served(homes.at('worker'), { env, argv: ['--role', 'worker'] })
    await fetch(`${api.url}/api/sessions/${id}/start`, { ...init, body: '{}' })
    const status = async () => {
      const session = await fetch(`${api.url}/api/sessions/${id}`, { headers })
      return ((await session.json()) as { status: string }).status
    }
    await expect.poll(status, { timeout: 60_000 }).toBe('completed')
    expect(worker.child.exitCode).toBeNull()

    const report = await fetch(`${api.url}/api/sessions/${id}/report`, { headers })
    expect(await report.text()).toContain('> A single ticket costs 4.50 euros.\n\n[1] ferry.md')
    const written = filesBelow(homes.base).filter((path) => !path.includes('/compiled/'))
    expect(written).toEqual([])
  })

  it('are on one machine alone where nobody says otherwise, which a server says', async () => {
    const { url } = await shared()
    using home = tree({})
    await using api = await served(home.base, { env: { AMBIT_DATABASE_URL: url } })
    const told = 'Uploads are kept on this machine alone: other machines cannot read what is added here.'
    await expect.poll(() => api.written(), { timeout: 60_000 }).toContain(`${told} Set AMBIT_OBJECTS to s3://`)
  })
})
