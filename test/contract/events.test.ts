import { expect, it } from 'vitest'
import { EVENT_TYPES, narrationOf, type RunEvent } from '../../src/research/events.ts'
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

/** Fields of an event that has all of them, by their names. */
function fieldNamed(name: string, many: number): unknown {
  if (/^(?:parts|queries|evidence|children)$/.test(name))
    return Array.from({ length: many }, (_, at) => `${name} ${at}`)
  if (/^(?:is_|ok$|handed|recovered|context_available)/.test(name)) return many > 1
  if (/_(?:count|total|ready|error|proven|unproven)$|^(?:index|total)$/.test(name)) return many
  const words = {
    status: ['error', 'ready'],
    source: ['web', 'docs'],
    what: ['ms', 'pages'],
    grade: ['full', 'partial'],
  }
  return Object.entries(words).find(([word]) => word === name)?.[1][many - 1] ?? `the ${name}`
}

it('each event of a research run is told in these sentences, with all of its fields or with none', async () => {
  const lines = EVENT_TYPES.flatMap((type) =>
    [0, 1, 2].map((many) => {
      const get = (_: object, name: string) =>
        name === 'type' ? type : many === 0 ? undefined : fieldNamed(name, many)
      return `${type} ${many}: ${narrationOf(new Proxy({}, { get }) as RunEvent)}\n`
    }),
  )
  await expect(lines.join('')).toMatchFileSnapshot('snapshots/narrations.txt')
})
