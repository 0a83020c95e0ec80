/** Research with models on loopback that say what a script has for each stage. */

import { afterAll } from 'vitest'
import type { Config } from '../../src/engine/config.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { openWith } from '../../src/open.ts'
import type { RunEvent } from '../../src/research/events.ts'
import type { ResearchRequest } from '../../src/research/input.ts'
import type { Stage } from '../../src/research/settings.ts'
import { type Body, languageServer, type Said } from '../support/language-server.ts'
import type { Fault } from '../support/model-server.ts'

/** The task of a stage as the model got it. */
// biome-ignore lint/suspicious/noExplicitAny: what it holds is the matter of the tests.
export type Task = any

/** What a model says at a stage: a text as it is, `{ cut }` as an answer that is cut off, anything else as JSON. */
type Asked = Stage | 'sufficiency' | 'aggregate' | 'brief' | 'outline' | 'repair' | 'judge' | 'grade'

export type Script = Partial<Record<Asked, (task: Task) => unknown>>

const MARKS: readonly (readonly [Asked, string])[] = [
  ['brief', 'say what a question asks for'],
  ['outline', 'plan a report'],
  ['grade', 'judge whether a report answers'],
  ['aggregate', 'find what several files do not agree on'],
  ['digest', 'say what a part of a file says'],
  ['queries', 'write what to search for'],
  ['synthesis', 'You work on one question of a research run'],
  ['judge', 'judge whether passages bear out claims'],
  ['decompose', 'divide a question that is not answered'],
  ['router', 'divide what a question knows'],
  ['repair', 'mend paragraphs of a report'],
  ['report', 'You write the report'],
]

function stageOf({ messages }: Body): Asked {
  const system = JSON.stringify(messages[0])
  return MARKS.find(([, mark]) => system.includes(mark))?.[0] ?? 'report'
}

function taskOf({ messages }: Body): Task {
  const content = messages[1]?.content
  return JSON.parse(typeof content === 'string' ? content : String(Object(Object(content)[0]).text))
}

/** What a model that does its work would say. */
export const WELL: Script = {
  digest: ({ spans }) => ({
    items: spans.flatMap(({ id, text }: { id: string; text: string }) =>
      text
        .split(/(?<=\.)\s+/)
        .map((sentence) => ({ kind: /must/.test(sentence) ? 'constraint' : 'fact', text: sentence, sources: [id] })),
    ),
  }),
  aggregate: () => ({ conflicts: [] }),
  brief: ({ question }) => ({ parts: [question], reader: 'A sailor.', form: 'A few sentences.', missing: [] }),
  outline: () => ({ sections: [] }),
  grade: ({ parts }) => ({ parts: parts.map(({ id }: Task) => ({ id, answered: 'answered' })) }),
  repair: () => ({ paragraphs: [] }),
  judge: ({ claims }) => ({ verdicts: claims.map(({ id }: Task) => ({ id, verdict: 'supported' })) }),
  queries: ({ question }) => ({ queries: [question] }),
  synthesis: ({ items }) => ({
    findings: items.slice(0, 3).map(({ text, sources }: Task) => ({ text, ref: sources[0] })),
  }),
  sufficiency: ({ depth }) => ({
    is_sufficient: depth > 1,
    reasoning: 'The files say so.',
    gaps: depth > 1 ? [] : ['More.'],
  }),
  decompose: () => ({ children: ['What of boats?', 'What of cranes?'] }),
  router: ({ items, children }) => ({
    children: children.map(({ node_id }: Task, at: number) => ({
      node_id,
      item_ids: items.filter((_: Task, index: number) => index % children.length === at).map(({ id }: Task) => id),
      selection_reason: 'By turns.',
      coverage_note: '',
      why_relevant: { [items[at]?.id ?? 'F1']: 'It comes first.' },
    })),
  }),
  report: ({ findings }) =>
    `## Answer\n\n${findings.map(({ text, n }: Task) => `“${text}” [${n.join(', ')}]`).join('\n\n')}`,
}

/** What a model says that works on a question: its findings, and whether they are enough, as two scripts have it. */
function exploredBy(script: Script, task: Task): unknown {
  // What an item is referred to by stands where scripts look for it.
  const items = task.items.map((item: Task) => ({ ...item, sources: [item.id] }))
  const found = (script.synthesis ?? WELL.synthesis)?.({ ...task, items })
  const judged = (script.sufficiency ?? WELL.sufficiency)?.(task)
  if (typeof found === 'string' || Object(found).cut || Object(found).calls) return found
  return { ...Object(found), ...Object(judged) }
}

export interface ModelRun extends AsyncDisposable {
  readonly engine: Engine
  readonly asked: readonly { readonly stage: Asked; readonly task: Task }[]
  readonly requests: readonly unknown[]
  readonly faults: Awaited<ReturnType<typeof languageServer>>['faults']
  run(request?: Partial<ResearchRequest>, files?: Readonly<Record<string, string | Uint8Array>>): Promise<Outcome>
}

export interface Outcome {
  readonly id: string
  readonly events: readonly RunEvent[]
  readonly shown: Awaited<ReturnType<Awaited<ReturnType<Engine['research']>>['show']>>
  readonly markdown: string
}

export const FILES = {
  'harbour.md':
    '# Harbour\n\n## Boats\n\nThe ferry carries 120 passengers.\nThe pilot boat must leave first.\n\n## Cranes\n\nThe north crane lifts 40 tonnes.\nThe south crane was repaired in 2023.\n',
}

export const MODEL = 'openai-compatible/test'

/** An engine in memory for the tests of a file. */
export function memoryEngine(): Engine {
  const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
  afterAll(() => engine.close())
  return engine
}

/** What becomes of an answer on its way. */
type Alter = (said: Said, stage: Asked, body: Body) => Said | { readonly fault: Fault }

/** An engine whose model follows the script, and where it says nothing, does its work. */
export async function modelRun(
  script: Script = {},
  config: Partial<Config> = {},
  alter: Alter = (said) => said,
): Promise<ModelRun> {
  const asked: { stage: Asked; task: Task }[] = []
  const answer = (body: Body) => {
    const stage = stageOf(body)
    const task = taskOf(body)
    asked.push({ stage, task })
    const said = stage === 'synthesis' ? exploredBy(script, task) : (script[stage] ?? WELL[stage])?.(task)
    const { cut, calls } = Object(said)
    if (calls) return { calls }
    if (typeof cut === 'string') return { text: cut, finish: 'length' as const }
    return alter({ text: typeof said === 'string' ? said : JSON.stringify(said) }, stage, body)
  }
  const server = await languageServer('chat', [answer])
  const model = { provider: 'openai-compatible' as const, model: 'test', url: `${server.url}/v1`, ...config.model }
  const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:', ...config, model })
  return {
    engine,
    asked,
    get requests() {
      return server.asked
    },
    faults: server.faults,
    run: (request = {}, files = FILES) => runOf(engine, request, files),
    async [Symbol.asyncDispose]() {
      await engine.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

export async function runOf(
  engine: Engine,
  request: Partial<ResearchRequest>,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<Outcome> {
  const { research, id } = await sessionOn(engine, request, files)
  const events: RunEvent[] = []
  await research.run(id, { emit: (event) => events.push(event) })
  const shown = await research.show(id, true)
  const markdown = shown.report?.markdown ?? ''
  return { id, events, shown, markdown }
}

/** A session that has files, and is not run. */
export async function sessionOn(
  engine: Engine,
  request: Partial<ResearchRequest> = {},
  files: Readonly<Record<string, string | Uint8Array>> = FILES,
) {
  const research = await engine.research()
  const asked = { question: 'What of the harbour?', searchCollections: false, ...request }
  const { session_id: id } = await research.create(asked)
  for (const [name, text] of Object.entries(files)) {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
    await research.addFile(id, { name, type: '', bytes })
  }
  return { research, id }
}

/** The node of a run. */
export function nodeOf({ shown }: Outcome, id: string) {
  const node = shown.nodes.find((one) => one.id === id)
  if (!node) throw new Error(`There is no node ${id}.`)
  return node
}
