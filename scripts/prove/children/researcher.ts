/** Run as a program: runs a research session to its end. Prints the number of each event after it is stored. */
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
  // The previous process may have been killed after the run was completed.
  if ((await status()) !== 'completed') await research.run(session, { emit: ({ seq }) => say(`event ${seq}`) })
  const end = await status()
  say(end === 'completed' ? end : `failed ${end}`)
} catch (error) {
  say(`failed ${error instanceof ContextError ? error.code : error}`)
} finally {
  // The database server may be gone.
  await engine.close().catch(() => {})
}
