/**
 * Collections that a worker indexes, and who is told.
 *
 * @module-tag long
 */

import { expect, it } from 'vitest'
import type { Config } from '../../../src/engine/config.ts'
import { openWith } from '../../../src/open.ts'
import { withEnvironment } from '../../files/s3-bucket.ts'
import { asked, withPostgres } from '../../support/postgres.ts'
import { Bucket } from '../../support/s3/bucket.ts'
import { KEY, REGION, SECRET, s3Server } from '../../support/s3/server.ts'
import { eventsIn } from '../../surfaces/http/support.ts'
import { until } from './runs.ts'
import type { Team } from './team.ts'
import { teams } from './teams.ts'

const own = teams()
const { at, of: teamOf } = own

const ASKED = 'SELECT asked_at FROM ambit.index_jobs'

const CREDENTIALS = { AWS_ACCESS_KEY_ID: KEY, AWS_SECRET_ACCESS_KEY: SECRET }

/** Asks for an index by a stream; what was told so far, and how to go away. */
function indexing(team: Team, names: readonly string[]) {
  const leaving = new AbortController()
  let text = ''
  const read = async () => {
    const headers = { ...team.headers, accept: 'text/event-stream', 'content-type': 'application/json' }
    const init = { method: 'POST', body: JSON.stringify({ names }), headers, signal: leaving.signal }
    const response = await fetch(`${team.balancer.url}/api/index`, init)
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true })
  }
  const done = read().catch(() => {})
  return { told: () => eventsIn(text.slice(0, text.lastIndexOf('\n\n') + 2)), done, leave: () => leaving.abort() }
}

/** A bucket of which the last file is not given, until `heal`. */
async function bucketOf(keys: readonly string[]) {
  const server = await s3Server()
  const bucket = new Bucket(REGION)
  for (const key of keys) bucket.put(key, Buffer.from(`# ${key}\n\nA ferry.\n`), {})
  server.buckets.set('docs', bucket)
  const isLast = ({ key = '' }) => key === keys.at(-1)
  server.troubles.push({ of: isLast, times: 1000, answer: 'hang' })
  const env = {
    AWS_ACCESS_KEY_ID: KEY,
    AWS_SECRET_ACCESS_KEY: SECRET,
    AWS_ENDPOINT_URL_S3: server.url,
    AWS_REGION: REGION,
  }
  return { server, env, heal: () => server.troubles.splice(0) }
}

/** A server adds no buckets. */
async function added(database: string, root: string, endpoint: string): Promise<void> {
  const config: Config = {
    file: undefined,
    unknown: [],
    home: false,
    database: { url: database },
    s3: { endpoint, region: REGION },
  }
  const engine = openWith(config)
  const { collections } = await engine.library()
  await withEnvironment(CREDENTIALS, async () => void (await collections.add({ name: 'docs', root })))
  await engine.close()
}

withPostgres('what an API process is asked to index', () => {
  it('is told as it goes on at a worker, and what came of it at the end', async () => {
    at.plant({ 'docs/a.md': '# A\n\nA ferry.\n', 'docs/b.md': '# B\n\nA crane.\n' })
    const { team } = await teamOf(1, 1)
    await using _ = team
    await team.post('/api/collections.add', { name: 'docs', root: at.at('docs') })
    const { told, done } = indexing(team, ['docs'])
    await done
    const [last, ...others] = told().toReversed()
    expect([last?.event, ...new Set(others.map(({ event }) => event))]).toEqual(['result', 'progress'])
    expect(told().at(-2)?.data).toEqual({ type: 'progress', what: 'docs', done: 2, total: 2 })
    expect(told().at(-1)?.data).toMatchObject({ added: 2 })
  }, 600_000)

  it('is told while it is done, ended when who asked goes away, and done all the same for another who asked for it', {
    tags: 'long',
  }, async () => {
    const { server, env, heal } = await bucketOf(['a.md', 'b.md', 'c.md'])
    await using _server = server
    const { url, team } = await teamOf(1, 1, { env, heartbeat: 4 })
    await using _ = team
    await added(url, 's3://docs', server.url)
    const begun = { type: 'progress', what: 'docs', done: 0, total: 3 }
    const [one, other] = [indexing(team, ['docs']), indexing(team, ['docs'])]
    for (const { told } of [one, other]) await until(() => told().length > 0)
    expect([one, other].map(({ told }) => told()[0]?.data)).toEqual([begun, begun])
    const askedAt = async () => (await asked(url, (client) => client.query(ASKED))).rows[0]?.asked_at
    const first = await askedAt()
    one.leave()
    await until(async () => (await askedAt()) !== first)
    heal()
    await other.done
    const [end] = other.told().slice(-1)
    expect(end).toMatchObject({ event: 'result', data: { failed: 0 } })
    // What the first had done is not done again.
    expect(Number(end?.data.added) + Number(end?.data.unchanged)).toBe(3)
    expect(one.told().some(({ event }) => event === 'result')).toBe(false)
  })
})
