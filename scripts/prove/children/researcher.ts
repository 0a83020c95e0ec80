/** Run as a program: goes on with a session of research to its end, and says the number of each event when it is kept. */
import { writeSync } from 'node:fs'
import { ContextError } from '../../../src/core/errors.ts'
import { engineAt } from '../writes.ts'

const [{ db, session }]: [{ db: string; session: string }] = JSON.parse(process.argv[2] ?? '')
const say = (line: string) => writeSync(1, `${line}\n`)
const engine = engineAt({ db })
try {
  const research = await engine.research()
  const status = async () => (await research.show(session)).status
  say('ready')
  // The one before may have been killed when all was done, and not said so.
  if ((await status()) !== 'completed') await research.run(session, { emit: ({ seq }) => say(`event ${seq}`) })
  const end = await status()
  say(end === 'completed' ? end : `failed ${end}`)
} catch (error) {
  say(`failed ${error instanceof ContextError ? error.code : error}`)
} finally {
  // A server that is gone need not be told.
  await engine.close().catch(() => {})
}
