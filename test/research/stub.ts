import { setTimeout as sleep } from 'node:timers/promises'
import { extractText } from '../../src/ingest/extract/text.ts'
import type { RunEvent } from '../../src/research/events.ts'
import { extractiveStages } from '../../src/research/extractive/stages.ts'
import { type ResearchRequest, settingsOf } from '../../src/research/input.ts'
import type { EvidenceItem, Sufficiency } from '../../src/research/run/evidence.ts'
import { type Journal, openJournal } from '../../src/research/run/journal.ts'
import type { LookupPlaces } from '../../src/research/run/lookup.ts'
import { continueRun } from '../../src/research/run/run.ts'
import { addUsage, type StageResult, type Stages } from '../../src/research/run/stages.ts'
import { newUpload } from '../../src/research/uploads.ts'
import type { RunStore, StoredRecord } from '../../src/stores/run-store.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'

/** Files whose sections are what the children of the stub ask about. */
export const FILES: Readonly<Record<string, string>> = {
  'harbour.md': `# Harbour

## Boats

The ferry carries 120 passengers on each crossing.
The pilot boat must leave before the ferry does.
A berth means a place where a boat may lie for a night.

## Cranes

The north crane lifts 40 tonnes at most.
The south crane was repaired in 2023.
`,
  'tides.txt':
    'High water is at noon on the first day.\n\nLow water may be later than the table says.\n\nThe crane stops when the wind is strong.\n',
}

/** What was asked of the stub, in order: `stage node`. */
export type Calls = string[]

export interface StubOptions {
  /** Milliseconds that each call takes. */
  readonly ms?: number | (() => number)
  /** Children of a node. */
  readonly children?: number
  readonly spent?: { readonly calls: number; readonly input: number; readonly output: number }
  /** Default: enough at the third level. */
  readonly judge?: (depth: number) => Sufficiency
}

function judgeByDepth(depth: number): Sufficiency {
  const is_sufficient = depth >= 3
  return { is_sufficient, reasoning: `Judged at depth ${depth}.`, gaps: is_sufficient ? [] : ['More is to be known.'] }
}

/** Models of nobody: the first two levels are divided, the third is answered. Each call is noted. */
export function stubStages(
  calls: Calls,
  { ms = 0, children = 2, spent = { calls: 1, input: 10, output: 5 }, judge = judgeByDepth }: StubOptions = {},
): Stages {
  const done = async <Value>(name: string, value: Value): Promise<StageResult<Value>> => {
    calls.push(name)
    const wait = typeof ms === 'number' ? ms : ms()
    if (wait > 0) await sleep(wait)
    return { value, spent, by: 'stub/one' }
  }
  const at = (question: string) => /\(([\d.]+)\)/.exec(question)?.[1] ?? '1'
  return {
    digest: async (task, limits) => {
      const { value } = await extractiveStages.digest(task, limits)
      return done(`digest ${task.alias}`, value)
    },
    queries: ({ question }) => done(`queries ${at(question)}`, [question]),
    explore: async ({ question, slice, passages, depth }) => {
      const own: EvidenceItem[] = slice.selected_items
        .slice(0, 3)
        .map(({ text, sources }) => ({ text, ref: sources[0] ?? '', kind: 'context' }))
      const others: EvidenceItem[] = passages
        .slice(0, 2)
        .map(({ text, ref, kind }) => ({ text: text.slice(0, 80), ref, kind }))
      const found = await done(`explore ${at(question)}`, [...own, ...others])
      return { ...found, spent: addUsage(spent, spent), sufficiency: judge(depth), passages: [] }
    },
    decompose: ({ question }) => {
      const topics = ['boats and the ferry', 'cranes that lift', 'tides and water', 'wind']
      const questions = topics
        .slice(0, children)
        .map((topic, index) => `What of ${topic} (${at(question)}.${index + 1})?`)
      return done(`decompose ${at(question)}`, questions)
    },
    router: async (task, limits) => {
      const { value } = await extractiveStages.router(task, limits)
      return done(`router ${at(task.question)}`, value)
    },
    aggregate: async () => ({ value: [], spent: { calls: 0, input: 0, output: 0 }, by: 'stub/one' }),
    report: async (task, limits) => {
      const { value } = await extractiveStages.report(task, limits)
      return done('report', value)
    },
  }
}

/** Thrown by a store whose process is as good as dead. */
export class Killed extends Error {}

/** The store of a process that dies once it has kept so many entries: nothing that comes later is kept. */
export function dyingAfter(store: RunStore, entries: number): RunStore {
  let kept = 0
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return async (...given: unknown[]) => {
        if (kept >= entries && (name === 'append' || name === 'keep')) throw new Killed()
        const result: unknown = await value.apply(target, given)
        if (name === 'append') kept += (given[2] as readonly StoredRecord[]).length
        return result
      }
    },
  })
}

/** A store with one session that has the files. */
export async function newSession(
  request: Partial<ResearchRequest> = {},
  files: Readonly<Record<string, string | Uint8Array>> = FILES,
): Promise<{ readonly store: RunStore; readonly id: string }> {
  const store = openSqlite(':memory:').runs
  const settings = settingsOf({ question: 'What of the harbour?', ...request }, {})
  const id = 'a'.repeat(32)
  await store.add({ id, question: request.question ?? 'What of the harbour?', settings: JSON.stringify(settings) })
  for (const [name, text] of Object.entries(files)) {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
    const upload = { name, type: '', bytes }
    await store.addFile(id, newUpload(upload), bytes)
  }
  return { store, id }
}

export interface Going {
  readonly stages: Stages
  readonly places?: Partial<LookupPlaces>
  readonly concurrency?: number
  readonly signal?: AbortSignal
  readonly onEvent?: (event: RunEvent) => void
  readonly now?: () => number
}

/** Goes on with a session as its log has it. */
export async function goOn(
  { store, id }: { readonly store: RunStore; readonly id: string },
  { stages, places, concurrency, signal = new AbortController().signal, onEvent, now }: Going,
): Promise<Journal> {
  const session = await store.get(id)
  if (!session) throw new Error('There is no session.')
  const journal = await openJournal(store, session, { ...(onEvent && { onEvent }), ...(now && { now }) })
  const settings = JSON.parse(session.settings)
  await continueRun({
    journal,
    store,
    settings: { ...settings, ...(concurrency !== undefined && { concurrency }) },
    stages,
    places: { pages: { read: () => Promise.reject() }, ...places },
    earlier: [],
    files: journal.state.bundle?.files ?? (await store.files(id)),
    revision: session.revision,
    extract: async (path, bytes) => extractText(path, bytes),
    signal,
  })
  return journal
}

/** The events of a session, as they are kept. */
export async function kept({ store, id }: { readonly store: RunStore; readonly id: string }) {
  const records = await store.records(id, 0, 10_000)
  return records.map(({ seq, data }) => ({
    seq,
    ...(JSON.parse(data) as { type: string; key: string; nodeId?: string; told: object; made: object }),
  }))
}
