import { setTimeout as sleep } from 'node:timers/promises'
import { type AnswerOf, array, count, flag, object, oneOf, text } from '../../core/answer.ts'
import { ContextError, throwIfAborted } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { type Engine, type IndexAnswer, type IndexJob, indexAnswer, rebuildAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { collectionNames, defineOperation, offByDefault } from '../schema.ts'

const inputs = {
  names: { ...collectionNames, description: 'collections; default all' },
  force: offByDefault('read every file, even if its size and times have not changed'),
} as const

const COUNT_NAMES = ['added', 'changed', 'moved', 'removed', 'unchanged', 'skipped', 'failed'] as const

export const index = defineOperation({
  name: 'index',
  summary: 'Update the index of collections: read the files that changed',
  effect: 'write',
  positional: ['names'],
  examples: {
    'ambit index': 'update all collections; only files that changed are read',
    'ambit index docs': 'update one collection',
  },
  tool: {
    name: 'index',
    set: 'search',
    about: 'Update the index of collections: read the files that changed',
    inputs: { names: 'collections; default all', force: 'read every file' },
  },
  inputs,
  output: indexAnswer,
  hasProgress: true,
  failed: ({ collections }) => collections.some(({ problem }) => problem !== undefined),
  run: (engine, request, run) => engine.index(request, run),
  text: ({ collections }) => {
    const lines = collections.map((one) => {
      const reportedFiles = one.left.filter(({ why }) => why !== 'binary' && why !== 'empty')
      return `${oneLine(one.name)}: ${one.problem ?? sumCounts(one)}\n${leftLines(reportedFiles)}`
    })
    return lines.join('') || 'There are no collections yet. Add one: ambit collection add NAME PATH\n'
  },
})

type IndexedCollection = IndexAnswer['collections'][number]

/** Maximum number of omitted files that a text names. */
const MAX_NAMED = 5

/** The words for the reasons that are counted among the omitted files. */
const REASONS = { empty: 'empty', binary: 'binary', denied: 'with secrets' } as const

function reasonCounts(left: IndexedCollection['left']): string {
  const counts = Object.entries(REASONS).flatMap(([why, words]) => {
    const number = left.filter((one) => one.why === why).length
    return number > 0 ? [`${number} ${words}`] : []
  })
  return counts.length > 0 ? ` (${counts.join(', ')})` : ''
}

function sumCounts(collection: IndexedCollection): string {
  const counts = COUNT_NAMES.flatMap((name) => {
    const number = collection[name]
    return number > 0 ? [`${number} ${name}${name === 'skipped' ? reasonCounts(collection.left) : ''}`] : []
  })
  return counts.length === 0 ? 'no files' : counts.join(', ')
}

/** A line for each omitted file, up to `MAX_NAMED`, and a line with the number of the others. */
export function leftLines(left: readonly { readonly path: string; readonly detail: string }[]): string {
  const lines = left.slice(0, MAX_NAMED).map(({ path, detail }) => `  ${oneLine(path)}: ${oneLine(detail)}\n`)
  const hiddenCount = left.length - lines.length
  return `${lines.join('')}${hiddenCount > 0 ? `  and ${hiddenCount} more: --json has all\n` : ''}`
}

const JOB_STATES = ['queued', 'running', 'done', 'failed', 'stopped'] as const

/** `isResumed`: a process ended during the job, and another process continued it. */
const indexJobsAnswer = () =>
  object({
    jobs: array(
      object({
        name: text,
        state: oneOf(...JOB_STATES),
        done: count,
        total: count,
        isResumed: flag,
        'problem?': text,
        askedAt: text,
        updatedAt: text,
      }),
    ),
  })
type IndexJobsAnswer = AnswerOf<typeof indexJobsAnswer>

function toJobsAnswer(jobs: readonly IndexJob[]): IndexJobsAnswer {
  return {
    jobs: jobs.map(({ collection: name, owner: _, isForced: __, answer: ___, attempts, ...rest }) => ({
      name,
      ...rest,
      isResumed: attempts > 1,
    })),
  }
}

const common = { positional: ['names'], output: indexJobsAnswer } as const

/** Milliseconds between two reads of the state of the jobs. */
const POLL_MS = 400

const NOT_DAMAGED = 'Nothing is wrong with the database.'

/** Indexing in the background: start, list and stop. */
export const indexing = {
  start: defineOperation({
    ...common,
    name: 'indexing.start',
    summary: 'Index collections in the background: the server continues after a restart, too',
    effect: 'write',
    examples: { 'ambit indexing start docs': 'start it; on the command line, wait until it is done' },
    inputs,
    hasProgress: true,
    run: async (engine, request) => toJobsAnswer(await (await engine.indexing()).start(request)),
    // A command line has no background: it does the work itself.
    runTyped: async (engine, request, run) => {
      const indexing = await engine.indexing()
      const { jobs } = toJobsAnswer(await indexing.start(request))
      const names = jobs.map(({ name }) => name)
      return names.length === 0 ? { jobs } : followJobs(engine, names, run)
    },
    text: jobLines,
  }),

  list: defineOperation({
    ...common,
    name: 'indexing.list',
    summary: 'List indexing in the background: its progress, or how it ended',
    effect: 'read',
    examples: {
      'ambit indexing list': 'show what is queued, running and done',
      'ambit indexing list docs --follow': 'wait until it has ended',
    },
    inputs: {
      names: { ...collectionNames, description: 'collections; default all that were indexed in the background' },
      follow: offByDefault('report progress until all of them have ended'),
    },
    hasProgress: true,
    run: async (engine, { names, follow }, run) =>
      follow ? followJobs(engine, names, run) : toJobsAnswer(await (await engine.indexing()).list(names)),
    text: jobLines,
  }),

  stop: defineOperation({
    ...common,
    name: 'indexing.stop',
    summary: 'Stop indexing in the background; what was indexed stays',
    effect: 'write',
    examples: { 'ambit indexing stop docs': 'stop it, whichever process runs it' },
    inputs: { names: { ...collectionNames, required: true, description: 'collections' } },
    run: async (engine, { names }) => toJobsAnswer(await (await engine.indexing()).stop(names)),
    text: jobLines,
  }),
}

/** Reports the progress of all jobs until the last has ended. */
async function followJobs(
  engine: Engine,
  names: readonly string[] | undefined,
  { signal, emit }: Run,
): Promise<IndexJobsAnswer> {
  const indexing = await engine.indexing()
  const reportedProgress = new Map<string, string>()
  for (;;) {
    const { jobs } = toJobsAnswer(await indexing.list(names))
    const openJobs = jobs.filter(({ state }) => state === 'queued' || state === 'running')
    for (const { name: collection, done, total } of openJobs) {
      if (reportedProgress.get(collection) === `${done}/${total}`) continue
      reportedProgress.set(collection, `${done}/${total}`)
      emit({ type: 'progress', what: collection, done, total })
    }
    if (openJobs.length === 0) return { jobs }
    await sleep(POLL_MS, undefined, { signal }).catch(() => {})
    throwIfAborted(signal)
  }
}

function jobLines({ jobs }: IndexJobsAnswer): string {
  const lines = jobs.map(({ name, state, done, total, problem, isResumed }) => {
    const progress = total > 0 ? `, ${done} of ${total} files` : ''
    const resumedNote = isResumed ? ', continued after an interruption' : ''
    return `${oneLine(name)}: ${state}${progress}${resumedNote}${problem === undefined ? '' : `: ${oneLine(problem)}`}\n`
  })
  return lines.join('') || 'Nothing is indexed in the background.\n'
}

export const rebuild = defineOperation({
  name: 'index.rebuild',
  command: 'index --rebuild',
  summary: 'Rebuild a damaged database: keep what can be read, and index the files again',
  effect: 'write',
  scope: 'admin',
  examples: {
    'ambit index --rebuild': 'move the old file aside, and read all files again',
    'ambit index --rebuild --yes': 'without a question, even if nothing is wrong',
  },
  inputs: { yes: offByDefault('rebuild it even if nothing is wrong with it') },
  output: rebuildAnswer,
  hasProgress: true,
  isAlone: true,
  confirms: async (engine, { yes }) =>
    !yes && (await engine.isWhole()) ? `${NOT_DAMAGED} Rebuild it anyway, and read all files again?` : undefined,
  run: async (engine, { yes }, run) => {
    if (yes || !(await engine.isWhole())) return engine.rebuild(run)
    throw new ContextError('conflict', NOT_DAMAGED, { hint: 'To rebuild it anyway: ambit index --rebuild --yes' })
  },
  text: ({ aside, lost, index: indexed, problems, ...keptCounts }) => {
    const { collections, contexts, conversations, research, tokens } = keptCounts
    const lines = [
      `The old database is now ${oneLine(aside)}`,
      `Kept: ${countNoun(collections, 'collection')}, ${countNoun(contexts, 'context')}, ${countNoun(conversations, 'conversation')}, ${countNoun(research, 'session')} of research, ${countNoun(tokens, 'token')}`,
      ...(lost.length > 0
        ? [`Not recovered: ${lost.map(oneLine).join(', ')}. The old database still has what can be read of it.`]
        : []),
      ...problems.map(oneLine),
    ]
    return `${lines.join('\n')}\n${indexed ? index.text(indexed) : ''}`
  },
  failed: ({ lost, problems }) => lost.length + problems.length > 0,
})
