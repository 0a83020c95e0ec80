import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { PlaceContext } from '../../../src/agent/assistant/place-context.ts'
import type { AgentEvent } from '../../../src/agent/events.ts'
import { AGENT_LIMITS } from '../../../src/agent/tool.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { openWith } from '../../../src/open.ts'
import { elementsOf, type FramedElement } from '../../../src/text/elements.ts'
import type { Body, Said, Script } from '../../support/language-server.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { standing, textsOf } from './standing.ts'

const FILLER = 'Lorem ipsum dolor sit amet. '.repeat(60)

/** Calls what the question names, once, and then answers. */
function obeys({ messages }: Body): Said {
  const last = messages.at(-1)
  const asked = messages.findLast(({ role, content }) => role === 'user' && String(content).startsWith('Do '))
  if (String(last?.content).includes('Write the notes.')) return { text: 'They read some files [1].' }
  const wants = JSON.parse(/^Do (.*)$/m.exec(String(asked?.content))?.[1] ?? 'null')
  const isDone = messages.slice(messages.lastIndexOf(asked ?? {})).some(({ role }) => role === 'tool')
  return wants && !isDone ? { calls: [wants] } : { text: `Done. ${FILLER}` }
}

const CONTEXTS = ['context', 'context-file']

/** The contexts in a request, whoever told them. */
function contextsIn({ messages }: Body): FramedElement[] {
  return messages.flatMap(({ content }) => elementsOf(String(content))).filter(({ tag }) => CONTEXTS.includes(tag))
}

const read = (path: string) => ({ tool: 'read', input: { path } })
const contextFor = (place: string) => ({ tool: 'context_for', input: { place } })

it('tells each context exactly once, whatever was asked, read, changed and visited, and however often it is compacted', async () => {
  const act = fc.constantFrom(
    null,
    read('docs/errors.md'),
    read('docs/api/README.md'),
    contextFor('ambit://docs'),
    contextFor('ambit://docs/api'),
    'change' as const,
    'pkg' as const,
    'root' as const,
  )
  let compactions = 0
  await forAllAsync(12, fc.array(act, { minLength: 4, maxLength: 14 }), async (acts) => {
    const script: Script = [obeys]
    await standing(
      script,
      { parts: { limits: { ...AGENT_LIMITS, promptTokens: 6000 }, view: { navigate: () => {} } } },
      async ({ planted, server, ask, events, assistant }) => {
        let version = 0
        let looked = 0
        for (const one of acts) {
          if (one === 'change')
            writeFileSync(planted.file('AGENTS.md'), `# Root\n\nTests first, version ${++version}.\n`)
          const place = one === 'pkg' || one === 'root' ? planted.file(one === 'pkg' ? 'pkg' : '') : undefined
          const call = place === undefined ? (one === 'change' ? null : one) : { tool: 'navigate', input: { place } }
          const { reason } = await ask(`Do ${JSON.stringify(call)}\n${FILLER}`)
          expect(reason).toBe('done')
          for (const { body } of server.asked.slice(looked)) {
            const told = contextsIn(body).map(({ whole }) => whole.trimEnd())
            expect(told.length).toBe(new Set(told).size)
          }
          looked = server.asked.length
          const told = textsOf(assistant)
            .flatMap(elementsOf)
            .map(({ whole }) => whole.trimEnd())
          for (const whole of await applying(planted.home, assistant.place)) {
            expect(told.filter((other) => other === whole)).toHaveLength(1)
          }
        }
        expect(server.problems).toEqual([])
        compactions += events.filter(({ type }) => type === 'compacted').length
      },
    )
  })
  expect(compactions).toBeGreaterThan(5)
})

/** What applies at a place, to somebody who knows nothing yet. */
async function applying(home: string, place: string): Promise<string[]> {
  const engine = openWith({ db: ':memory:', home, file: undefined, unknown: [] })
  try {
    const { text } = await new PlaceContext(engine).loadUpdate(place, SILENT)
    return elementsOf(text).map(({ whole }) => whole.trimEnd())
  } finally {
    await engine.close()
  }
}

it('files that were sent keep their numbers when what is before them is shortened; those of one name get other names', () => {
  const script: Script = [
    ({ messages }) => ({ text: JSON.stringify(messages).includes('Write the notes.') ? 'Notes.' : FILLER }),
  ]
  const limits = { ...AGENT_LIMITS, promptTokens: 8000 }
  return standing(script, { parts: { limits } }, async ({ assistant, sent }) => {
    const fileOf = (text: string) => ({ name: 'plan.md', bytes: Buffer.from(text) })
    const attached = () => [...sent().matchAll(/<attachment uri=\\"(.*?)\\">/g)].map(([, uri]) => uri)
    await assistant.ask('When?', { emit: () => {}, files: [fileOf('Monday.'), fileOf('Sunday.')] })
    expect(attached()).toEqual(['attachment:plan.md', 'attachment:plan (2).md'])
    let isShort = false
    for (let count = 3; !isShort; count++) {
      const emit = ({ type }: AgentEvent) => {
        if (type === 'compacted') isShort = true
      }
      await assistant.ask('And then?', { emit, files: [fileOf(FILLER.repeat(6))] })
      expect(attached().at(-1)).toBe(`attachment:plan (${count}).md`)
      for (const uri of attached()) expect(sent()).toContain(`] ${uri}\\n`)
    }
  })
})
