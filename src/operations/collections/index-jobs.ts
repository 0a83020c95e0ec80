/** Indexing in the background: asked for, looked at and stopped. */

import { setTimeout as sleep } from 'node:timers/promises'
import { type AnswerOf, array, count, flag, object, oneOf, text } from '../../core/answer.ts'
import { throwIfAborted } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import type { Engine, IndexJob } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { defineOperation } from '../schema.ts'

const states = ['queued', 'running', 'done', 'failed', 'stopped'] as const

/** `isResumed`: a process ended before it did, and another one went on with it. */
const schema = () =>
  object({
    jobs: array(
      object({
        name: text,
        state: oneOf(...states),
        done: count,
        total: count,
        isResumed: flag,
        'problem?': text,
        askedAt: text,
        updatedAt: text,
      }),
    ),
  })
type IndexJobsAnswer = AnswerOf<typeof schema>

function answerOf(jobs: readonly IndexJob[]): IndexJobsAnswer {
  return {
    jobs: jobs.map(({ collection: name, owner: _, isForced: __, answer: ___, attempts, ...rest }) => ({
      name,
      ...rest,
      isResumed: attempts > 1,
    })),
  }
}

const names = { is: 'text', list: true, placeholder: 'NAME', names: 'collections' } as const

const common = { output: schema, asks: () => false } as const

/** Begins it, and does not wait for its end. */
export const startIndexing = defineOperation({
  ...common,
  name: 'indexing.start',
  summary: 'Index collections in the background: the server goes on with it, also after a restart',
  effect: 'write',
  positional: ['names'],
  examples: [{ command: 'ambit indexing start docs', does: 'ask for it; on the command line, wait until it is done' }],
  inputs: {
    names: { ...names, description: 'collections; default all' },
    force: { is: 'flag', default: false, description: 'read every file, even if its size and times have not changed' },
  },
  hasProgress: true,
  run: async (engine, request) => answerOf(await (await engine.indexing()).start(request)),
  // A command line has no background: it does the work itself.
  runTyped: async (engine, request, run) => {
    const indexing = await engine.indexing()
    const { jobs } = answerOf(await indexing.start(request))
    const asked = jobs.map(({ name }) => name)
    return asked.length === 0 ? { jobs } : followJobs(engine, asked, run)
  },
  text: jobLines,
})

/** How far it is. */
export const listIndexing = defineOperation({
  ...common,
  name: 'indexing.list',
  summary: 'List what is indexed in the background: how far it is, or how it ended',
  effect: 'read',
  positional: ['names'],
  examples: [
    { command: 'ambit indexing list', does: 'show what is queued, running and done' },
    { command: 'ambit indexing list docs --follow', does: 'wait until it has ended' },
  ],
  inputs: {
    names: { ...names, description: 'collections; default all that were indexed in the background' },
    follow: { is: 'flag', default: false, description: 'report progress until all of them have ended' },
  },
  hasProgress: true,
  run: async (engine, { names, follow }, run) =>
    follow ? followJobs(engine, names, run) : answerOf(await (await engine.indexing()).list(names)),
  text: jobLines,
})

/** Ends it. */
export const stopIndexing = defineOperation({
  ...common,
  name: 'indexing.stop',
  summary: 'Stop indexing in the background; what was indexed stays',
  effect: 'write',
  positional: ['names'],
  examples: [{ command: 'ambit indexing stop docs', does: 'end it, whichever process does it' }],
  inputs: {
    names: { ...names, required: true, description: 'collections' },
  },
  run: async (engine, { names }) => answerOf(await (await engine.indexing()).stop(names)),
  text: jobLines,
})

/** How often a follower looks. Milliseconds. */
const LOOK_MS = 400

/** Reports the progress of each until all have ended. */
async function followJobs(
  engine: Engine,
  names: readonly string[] | undefined,
  { signal, emit }: Run,
): Promise<IndexJobsAnswer> {
  const indexing = await engine.indexing()
  const reported = new Map<string, string>()
  for (;;) {
    const { jobs } = answerOf(await indexing.list(names))
    const open = jobs.filter(({ state }) => state === 'queued' || state === 'running')
    for (const { name: what, done, total } of open) {
      if (reported.get(what) === `${done}/${total}`) continue
      reported.set(what, `${done}/${total}`)
      emit({ type: 'progress', what, done, total })
    }
    if (open.length === 0) return { jobs }
    await sleep(LOOK_MS, undefined, { ...(signal && { signal }) }).catch(() => {})
    throwIfAborted(signal)
  }
}

function jobLines({ jobs }: IndexJobsAnswer): string {
  const lines = jobs.map(({ name, state, done, total, problem, isResumed }) => {
    const far = total > 0 ? `, ${done} of ${total} files` : ''
    const again = isResumed ? ', continued after an interruption' : ''
    return `${oneLine(name)}: ${state}${far}${again}${problem === undefined ? '' : `: ${oneLine(problem)}`}\n`
  })
  return lines.join('') || 'Nothing is indexed in the background.\n'
}
