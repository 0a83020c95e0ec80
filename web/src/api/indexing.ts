/** Index jobs run on the server. Every tab shows their progress to each person who may see the collection. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Answer, call } from './call.ts'
import { client, operationQuery, refetchAll } from './client.ts'
import { useMay } from './me.ts'

type IndexJob = Answer<'indexing.list'>['jobs'][number]

/** Milliseconds between polls: `busy` while a job runs, else `idle`. */
const POLL_MS = { idle: 5_000, busy: 500 }

const jobsQuery = operationQuery('indexing.list', {})

function isUnfinished({ state }: IndexJob): boolean {
  return state === 'queued' || state === 'running'
}

/** Starts or stops the index job of a collection. The job continues after the page is closed. @throws Failure */
export async function changeJobs(name: 'indexing.start' | 'indexing.stop', collection: string): Promise<void> {
  await call(name, { names: [collection] })
  await client.invalidateQueries({ queryKey: jobsQuery.queryKey })
}

let lastOutcomes: string | undefined

/** Refetches everything if any job has ended since the last poll. */
function noteOutcomes(jobs: readonly IndexJob[]): void {
  const outcomes = JSON.stringify(
    jobs.filter((job) => !isUnfinished(job)).map(({ name, updatedAt }) => [name, updatedAt]),
  )
  const hasChanged = lastOutcomes !== undefined && lastOutcomes !== outcomes
  lastOutcomes = outcomes
  if (hasChanged) void refetchAll()
}

/** Polls the jobs that this person may see. All parts of the page share one query. */
export function useIndexPolling(): void {
  const { data } = useQuery({
    ...jobsQuery,
    enabled: useMay('indexing.list'),
    refetchInterval: ({ state }) => (state.data?.jobs.some(isUnfinished) ? POLL_MS.busy : POLL_MS.idle),
  })
  useEffect(() => {
    if (data) noteOutcomes(data.jobs)
  }, [data])
}

/** Indexing of one collection: state, progress and error. */
export function useIndexing(name: string) {
  const { data } = useQuery({ ...jobsQuery, enabled: useMay('indexing.list') })
  const job = data?.jobs.find((each) => each.name === name)
  const start = useMutation({ mutationFn: () => changeJobs('indexing.start', name) })
  const stop = useMutation({ mutationFn: () => changeJobs('indexing.stop', name) })
  const isRunning = job !== undefined && isUnfinished(job)
  const problem = job?.state === 'failed' ? job.problem : undefined
  return {
    isRunning,
    /** The job waits for a worker. */
    isQueued: job?.state === 'queued',
    /** The server restarted and continues the job. */
    isResumed: isRunning && job.isResumed,
    done: job?.done ?? 0,
    total: job?.total ?? 0,
    problem: start.error?.message ?? stop.error?.message ?? problem,
    start: () => start.mutate(),
    stop: () => stop.mutate(),
  }
}
