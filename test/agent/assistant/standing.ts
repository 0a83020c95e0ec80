/** An assistant in a project with a collection, whose model is a script on loopback. */

import { expect } from 'vitest'
import { Assistant, type AssistantParts } from '../../../src/agent/assistant.ts'
import type { AgentEvent } from '../../../src/agent/events.ts'
import type { Config } from '../../../src/engine/config.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { openWith } from '../../../src/open.ts'
import { operations } from '../../../src/operations/index.ts'
import { assistantTools } from '../../../src/operations/tools.ts'
import { elementsOf } from '../../../src/text/elements.ts'
import { type LanguageServer, languageServer, type Script, type Speech } from '../../support/language-server.ts'
import type { Shape } from '../../support/tree.ts'
import { type Project, project } from '../../support/workspace.ts'
import { CANARY, PROVIDERS } from '../answering.ts'

export const FILES: Shape = {
  'AGENTS.md': '# Root\n\nTests first.\n',
  '.context/CONSTITUTION.md': '# Constitution\n\n- Never log a password.\n',
  'docs/AGENTS.md': 'In docs be brief.\n',
  'docs/errors.md': '# Errors\n\nAfter a timeout a request is sent again, twice.\n',
  'docs/api/README.md': '# API\n\nThe HTTP interface.\n',
  'pkg/AGENTS.md': 'In pkg be exact.\n',
}

export interface Standing {
  readonly planted: Project
  readonly server: LanguageServer
  readonly assistant: Assistant
  readonly engine: Engine
  readonly events: AgentEvent[]
  /** Asks, and gives the answer. */
  ask(question: string): ReturnType<Assistant['ask']>
  /** What the model was sent, all together. */
  sent(): string
}

interface Around {
  readonly speech?: Speech
  readonly shape?: Shape
  readonly place?: string
  readonly canSee?: boolean
  readonly config?: Partial<Config>
  readonly parts?: Partial<AssistantParts>
}

type Work = (standing: Standing) => Promise<void>

export async function standing(script: Script, ...given: [work: Work] | [around: Around, work: Work]): Promise<void> {
  const [around, work] = given.length === 1 ? [{}, given[0]] : given
  const { speech = 'chat', shape = FILES, place = '', canSee, config, parts }: Around = around
  using planted = project(shape)
  await using server = await languageServer(speech, script)
  const model = {
    provider: PROVIDERS[speech],
    model: 'm',
    url: server.url,
    key: CANARY,
    ...(canSee !== undefined && { canSee }),
  } as const
  const engine = openWith({ db: ':memory:', home: planted.home, model, file: undefined, unknown: [], ...config })
  try {
    const { collections } = await engine.library()
    await collections.add({ name: 'docs', root: planted.file('docs') })
    await collections.index({})
    const events: AgentEvent[] = []
    const at = place.includes(':') ? place : planted.file(place)
    const assistant = new Assistant({ engine, makeTools: assistantTools(engine, operations), place: at, ...parts })
    await work({
      planted,
      server,
      assistant,
      engine,
      events,
      ask: (question) => assistant.ask(question, { emit: (event) => events.push(event) }),
      sent: () => JSON.stringify(server.asked.at(-1)?.body),
    })
  } finally {
    await engine.close()
  }
}

/** A step of a script in which the model calls a tool. */
export const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })

/** What tools gave. */
export const results = ({ messages }: Assistant) =>
  messages.flatMap((message) => (message.role === 'tool' ? message.results : []))

/** The texts that the model was given by others than the person. */
export const textsOf = ({ messages }: Assistant) =>
  messages.flatMap((message) => {
    if (message.role === 'context') return [message.text]
    return message.role === 'tool' ? message.results.map(({ text }) => text) : []
  })

/** Looks that a text is elements and nothing else. */
export function expectFramed(text: string): void {
  expect(elementsOf(text).reduce((all, { whole }) => all + whole, '')).toBe(text)
}
