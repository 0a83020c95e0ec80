import { describe, expect, it } from 'vitest'
import { openWith } from '../../src/open.ts'
import { endedAfterEach } from '../support/own.ts'

const keep = endedAfterEach()

/** A session whose log ends as if its process had died so often, having told these things each time. */
async function died(times: number, between: readonly string[] = []) {
  const engine = keep(openWith({ file: undefined, unknown: [], home: false, db: ':memory:' }))
  const research = await engine.research()
  const { session_id: id } = await research.create({ question: 'What does a ticket cost?', extractive: true })
  const bytes = new TextEncoder().encode('A ticket costs 4 euros.\n')
  await research.addFile(id, { name: 'a.txt', type: 'text/plain', bytes })
  const { runs } = (await engine.library()).port
  let seq = 0
  const tell = async (type: string, told: object = {}) => {
    seq++
    const data = JSON.stringify({ type, key: `${type}//${seq}`, told, made: {} })
    await runs.append(id, seq - 1, [{ seq, at: '2026-11-21T12:00:00.000Z', data }], 'running')
  }
  await runs.append(id, seq++, [{ seq, at: '2026-11-21T12:00:00.000Z', data: STARTED }], 'running')
  for (let death = 0; death < times; death++) {
    await tell('run_resumed', { recovered: true })
    for (const type of between) await tell(type)
  }
  return { research, id }
}

const STARTED = JSON.stringify({
  type: 'run_started',
  key: 'run_started//',
  told: {},
  made: { earlier: { passages: [] } },
})

describe('a run that was taken up from processes that died', () => {
  it.each([
    ['never', 0],
    ['four times', 4],
  ])('%s goes on to its end', async (_, times) => {
    const { research, id } = await died(times)
    await research.run(id)
    expect((await research.show(id)).status).toBe('completed')
  })

  it('five times, with nothing done in between, is put aside, and over', async () => {
    const { research, id } = await died(5)
    await research.run(id)
    const { status, failure, report, seq } = await research.show(id)
    expect([status, report]).toEqual(['quarantined', null])
    expect(failure).toMatchObject({ code: 'unavailable', message: expect.stringContaining('5 times') })
    expect((await research.list()).sessions[0]?.status).toBe('quarantined')
    await expect(research.run(id)).rejects.toMatchObject({ code: 'conflict' })
    await expect(research.start(id)).rejects.toMatchObject({ code: 'conflict' })
    await expect(research.stop(id)).rejects.toMatchObject({ code: 'conflict' })
    const events = await Array.fromAsync(research.events(id, 0))
    expect(events).toHaveLength(seq)
    expect(events.at(-1)).toMatchObject({ type: 'run_quarantined', reason: failure?.message })
  })

  it('forty times, with something done each time, goes on', async () => {
    const { research, id } = await died(40, ['search_completed'])
    await research.run(id)
    expect((await research.show(id)).status).toBe('completed')
  })

  it('four times, then paused by a person, counts anew', async () => {
    const { research, id } = await died(4, [])
    await research.run(id, { signal: AbortSignal.abort('pause') })
    expect((await research.show(id)).status).toBe('paused')
    await research.run(id)
    expect((await research.show(id)).status).toBe('completed')
  })
})
