/** A pooler stands before PostgreSQL, as those who rent one out often have it. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openPool } from '../../../src/stores/postgres/database.ts'
import { Listener } from '../../../src/stores/postgres/listener.ts'
import { openPostgres } from '../../../src/stores/postgres/postgres.ts'
import { lacksPooler, Pooler } from '../../support/pooler.ts'
import { asked, type Databases, databases } from '../../support/postgres.ts'
import { tree } from '../../support/tree.ts'
import { filled, rowsOf } from '../everything.ts'
import { COLLECTION } from '../filled.ts'
import { Team } from '../jobs/team.ts'

const reason = lacksPooler()

describe.skipIf(reason !== undefined).each(['session', 'transaction'] as const)(
  `PgBouncer that pools by the %s${reason === undefined ? '' : ` (${reason})`}`,
  (mode) => {
    let made: Databases
    let direct: string
    let pooler: Pooler
    beforeAll(async () => {
      made = await databases()
      direct = await made.create()
      pooler = await Pooler.before(direct, mode)
    })
    afterAll(async () => {
      await pooler?.[Symbol.asyncDispose]()
      await made?.drop()
    })

    it('changes nothing of what is kept', async () => {
      const [pooled, straight] = [await openPostgres(pooler.url), await openPostgres(direct)]
      await filled(pooled)
      const rows = await rowsOf(straight)
      expect(rows.length).toBeGreaterThan(50)
      expect(await rowsOf(pooled)).toEqual(rows)
      await Promise.all([pooled.close(), straight.close()])
    })

    it.each([
      ['what hosts of poolers put there', '?pgbouncer=true&connection_limit=1&connect_timeout=10&supa=base-pooler.x'],
      ['one connection', '?pool=1'],
    ])('lets the URL have %s', async (_, query) => {
      const store = await openPostgres(`${pooler.url}${query}`)
      expect(await store.collections.list()).toEqual(expect.any(Array))
      await store.close()
    })

    it('says what it refuses of the URL', async () => {
      const opening = openPostgres(`${pooler.url}?options=-c%20search_path%3Dpublic`)
      const message = expect.stringMatching(/refuses a setting of AMBIT_DATABASE_URL: .*options/)
      await expect(opening).rejects.toMatchObject({ code: 'invalid-input', message })
    })

    it('is not blamed on the URL when it lets nobody in', async () => {
      const opening = openPostgres(Object.assign(new URL(pooler.url), { pathname: '/none' }).href)
      await expect(opening).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.not.stringContaining('setting'),
      })
    })

    it('takes no limit away: who waits for a lock too long is told', async () => {
      const hasty = await openPostgres(pooler.url, { lockMs: 200 })
      await asked(direct, async (client) => {
        await client.query('BEGIN; LOCK TABLE ambit.collections IN ACCESS EXCLUSIVE MODE')
        const told = { code: 'unavailable', message: expect.stringContaining('in use') }
        await expect(hasty.collections.add({ ...COLLECTION, name: 'x' })).rejects.toMatchObject(told)
        await client.query('ROLLBACK')
      })
      await hasty.collections.add({ ...COLLECTION, name: 'x' })
      await hasty.close()
    })

    it('hides nothing: a process knows whether it hears what others change', async () => {
      const sql = await openPool(pooler.url)
      const run = vi.spyOn(sql, 'run')
      const listener = await Listener.at(pooler.url, sql)
      using watch = listener.watch('events of nobody')
      await vi.waitUntil(() => run.mock.settledResults[0]?.type === 'fulfilled', { timeout: 60_000 })
      if (mode === 'session') await vi.waitUntil(() => listener.isListening, { timeout: 60_000 })
      // What a pooler gives to somebody else does not come later, either.
      await watch.changed()
      expect(listener.isListening).toBe(mode === 'session')
      await listener.close()
      await sql.close()
    })

    it('lets research run on a worker, and be followed at another process', { tags: 'long' }, async () => {
      using files = tree({})
      await using team = await Team.of(1, 1, { cwd: files.base, database: pooler.url, heartbeat: 'default' })
      const id = await team.session(
        { question: 'What does the ferry carry?' },
        { 'a.md': 'The ferry carries 40 cars.' },
      )
      const { heard, done } = team.follow(id)
      await team.post(`/api/sessions/${id}/start`)
      await done
      expect(heard.ids).toEqual(heard.ids.map((_, at) => at + 1))
      expect(heard.types.at(-1)).toBe('run_completed')
      expect((await team.ask(`/api/sessions/${id}/report`)).text).toContain('The ferry carries 40 cars.')
    })
  },
)
