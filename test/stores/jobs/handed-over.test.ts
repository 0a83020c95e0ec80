import { expect, it } from 'vitest'
import { openWith } from '../../../src/open.ts'
import { HANDED_OVER } from '../../../src/stores/jobs.ts'
import { FILES, QUESTION } from './runs.ts'

it('a run that is handed over leaves its job to be done, by whoever takes it next', async () => {
  const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' }, 'api')
  const research = await engine.research()
  const { session_id: id } = await research.create({ question: QUESTION, extractive: true, searchCollections: false })
  for (const [name, text] of Object.entries(FILES)) {
    await research.addFile(id, { name, type: 'text/markdown', bytes: new TextEncoder().encode(text) })
  }
  await research.start(id)
  const ending = new AbortController()
  const job = research.work(id, ending.signal)
  for await (const { seq } of research.events(id, 0)) if (seq >= 3) break
  ending.abort(HANDED_OVER)
  await job
  const { jobs } = (await engine.library()).port
  expect(await jobs.open()).toMatchObject([{ key: id, isHeld: false }])
  expect((await research.show(id)).status).not.toBe('completed')
  // Nothing of it is left to be done when it is.
  await research.work(id, new AbortController().signal)
  expect((await research.show(id)).status).toBe('completed')
  expect(await jobs.open()).toEqual([])
  await engine.close()
})
