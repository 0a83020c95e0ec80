import { expect, it } from 'vitest'
import { appOf, ask, operation } from '../surfaces/http/support.ts'

const steps = operation('steps', async ({ count }, { emit }) => {
  for (let tokens = 1; tokens <= count; tokens++) emit({ type: 'rendered', tokens })
  return { said: 'done' }
})

it('a short run over HTTP has these events, whose ids are that of the run and a number', async () => {
  const app = appOf({ operations: [steps] })
  const { body, headers } = await ask(app, '/api/steps?count=3', { headers: { accept: 'text/event-stream' } })
  const [, run = ''] = /^id: ([\w-]{22})\.\d+$/m.exec(body) ?? []
  expect(run).not.toBe('')
  const text = `${headers.get('content-type')}\n\n${body.replaceAll(run, 'RUN')}`
  await expect(text).toMatchFileSnapshot('snapshots/events.txt')
})
