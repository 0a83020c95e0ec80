/** Run as a program: adds events to the log of a session, one every `everyMs` milliseconds, as a worker process does. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventType } from '../../../src/research/events.ts'
import { engineAt } from '../writes.ts'

const [options]: [{ db: string; session: string; count: number; everyMs: number }] = JSON.parse(process.argv[2] ?? '')
const { db, session, count, everyMs } = options
const engine = engineAt({ db })
const { port } = await engine.library()
const tell = (seq: number, type: EventType) => {
  const told =
    type === 'page_read' ? { url: `https://page.example/${seq}`, ok: true, sent: Date.now() } : { grade: 'full' }
  const data = JSON.stringify({ type, key: `${seq}`, told, made: {} })
  return port.runs.append(session, seq - 1, [{ seq, at: new Date().toISOString(), data }], 'running')
}
console.log('ready')
await new Promise((resolve) => process.stdin.once('data', resolve))
process.stdin.destroy()
for (let seq = 1; seq <= count; seq++) {
  await tell(seq, 'page_read')
  await sleep(everyMs)
}
await tell(count + 1, 'run_completed')
await engine.close()
