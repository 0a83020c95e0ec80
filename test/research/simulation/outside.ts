/** What a run asks of others: a model, a search, pages. They take their time, and some of them fail. */

import { ContextError } from '../../../src/core/errors.ts'
import type { WebSearch } from '../../../src/internet/web-search.ts'
import type { LanguageModel, StepPart } from '../../../src/models/language.ts'
import type { LookupPlaces } from '../../../src/research/run/lookup.ts'
import type { Clock } from './clock.ts'
import { MODEL, STAGE_OF, usageOf, type World } from './world.ts'

export interface OutsideParts {
  readonly world: World
  readonly clock: Clock
  readonly random: () => number
  /** Of a hundred things that are asked how many fail. */
  readonly failing: number
  /** Goes on only where the process that asks is alive. */
  readonly gate: () => Promise<void>
  /** Hears of what a model is asked. */
  readonly asks: (stage: string, question: string) => void
}

/** Milliseconds: most take up to this, and some of a hundred ten times as much. */
const TAKES = 3_000
const SLOW = 4

async function taken({ clock, random }: OutsideParts, signal: AbortSignal | undefined): Promise<void> {
  const isSlow = random() * 100 < SLOW
  await clock.sleep(random() * TAKES * (isSlow ? 10 : 1), signal).catch(() => {
    throw new ContextError('cancelled', 'The call was cancelled.')
  })
}

const isFailing = ({ random, failing }: OutsideParts) => random() * 100 < failing

const AWAY = () => new ContextError('unavailable', 'The service is away.', { hint: 'Ask again later.' })

/** What goes wrong with an answer of a model. */
type Fault = (text: string, parts: OutsideParts, signal: AbortSignal | undefined) => AsyncGenerator<StepPart>

const ended = (text: string, reason: 'stop' | 'length' | 'filter'): Fault =>
  async function* () {
    yield { type: 'text', text }
    yield { type: 'finish', reason, usage: { input: 0, cached: 0, output: 0 } }
  }

const thrown = (error: () => Error): Fault =>
  async function* () {
    yield { type: 'waiting', ms: 1000, attempt: 2 }
    throw error()
  }

const FAULTS: readonly Fault[] = [
  thrown(AWAY),
  thrown(() => new ContextError('over-limit', 'Nobody pays.', { hint: 'Pay.' })),
  ended('', 'stop'),
  ended('I am sorry, but as a model', 'stop'),
  ended('{"items": 7, "children": [[]], "queries": {}, "findings": "none", "is_sufficient": "perhaps"}', 'stop'),
  ended(
    '{"items": [{"kind": "fact", "text": "x", "sources": ["S999"]}], "findings": [{"text": "x", "ref": "y"}]}',
    'stop',
  ),
  ended('[no such source::S1] “Nobody said so.” [https://nowhere.example/]', 'stop'),
  ended('', 'filter'),
  (text) => ended(text.slice(0, text.length / 2), 'length')(text, {} as OutsideParts, undefined),
  async function* (text) {
    yield { type: 'text', text: text.slice(0, text.length / 2) }
  },
  async function* (_, { clock }, signal) {
    yield { type: 'text', text: '{' }
    await clock.sleep(86_400_000, signal)
  },
]

/** Fails now and then for what a person has to mend: the run ends with that, and is begun again. */
const DENIED = () => new ContextError('denied', 'The key is wrong.', { hint: 'Give another key.' })

export function simulatedModel(parts: OutsideParts): LanguageModel {
  const { world, random, gate, asks } = parts
  return {
    name: MODEL,
    canSee: false,
    async *step({ system, messages, maxOutputTokens = 1 }, signal) {
      await gate()
      const [first] = messages
      const prompt = first?.role === 'user' ? first.text : '{}'
      const task = JSON.parse(prompt)
      const stage = STAGE_OF[system] ?? ''
      // The router is told of its question as that of a parent.
      asks(task.searched ? `${stage} again` : stage, task.question ?? task.parent_task ?? '')
      await taken(parts, signal)
      await gate()
      const whole = world.answer(system, task)
      const usage = usageOf(system, prompt, whole)
      // A service stops where it was told to.
      const isCut = usage.output > maxOutputTokens
      const text = isCut ? whole.slice(0, maxOutputTokens * 3) : whole
      if (isFailing(parts)) {
        if (random() < 0.05) throw DENIED()
        yield* (FAULTS[Math.floor(random() * FAULTS.length)] ?? ended('', 'stop'))(text, parts, signal)
        return
      }
      yield { type: 'text', text: text.slice(0, 20) }
      yield { type: 'text', text: text.slice(20) }
      const output = Math.min(usage.output, maxOutputTokens)
      yield { type: 'finish', reason: isCut ? 'length' : 'stop', usage: { ...usage, output } }
    },
  }
}

export function simulatedPlaces(parts: OutsideParts): LookupPlaces {
  const { world, gate } = parts
  const asked = async <Value>(value: () => Value, signal: AbortSignal): Promise<Value> => {
    await gate()
    await taken(parts, signal)
    await gate()
    if (isFailing(parts)) throw AWAY()
    return value()
  }
  return {
    collections: (query, _, signal) =>
      asked(() => {
        const { ref, text } = world.found(query)
        return [{ ref: `ambit://docs/${ref}.md#L1-L2`, kind: 'collections', title: 'A document', text }]
      }, signal),
    pages: { read: (url, signal) => asked(() => ({ url, title: 'A page', text: world.found(url).text }), signal) },
  }
}

export function simulatedWeb(parts: OutsideParts): WebSearch {
  const places = simulatedPlaces(parts)
  return {
    name: 'simulated',
    search: async (query, { signal }) => {
      const found = (await places.collections?.(query, [], signal)) ?? []
      return found.map(({ ref, text }) => {
        const name = ref.replace(/\D/g, '')
        return { url: `https://page.example/${name}`, title: `Page ${name}`, snippet: text.slice(0, 50) }
      })
    },
  }
}
