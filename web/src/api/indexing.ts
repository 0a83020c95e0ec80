/** Indexing in the background: a job of the server, which all tabs and all people who may see the collection follow. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Answer, call } from './call.ts'
import { client, operationQuery, refetchAll } from './client.ts'
import { follow, type Progress } from './follow.ts'
import { useMay } from './me.ts'

type IndexJob = Answer<'indexing.list'>['jobs'][number]

/** Milliseconds between polls for new jobs, and before a lost stream is followed again. */
const LOOK_MS = 5_000
const AGAIN_MS = 1_000

const jobsQuery = operationQuery('indexing.list', {})

function isUnfinished({ state }: IndexJob): boolean {
  return state === 'queued' || state === 'running'
}

/** Other tabs of this browser hear at once that one was begun or stopped. */
const tabs = new BroadcastChannel('ambit-indexing')
const refresh = () => client.invalidateQueries({ queryKey: jobsQuery.queryKey })
tabs.onmessage = refresh

async function changeJobs(name: 'indexing.start' | 'indexing.stop', collection: string): Promise<void> {
  await call(name, { names: [collection] })
  tabs.postMessage(name)
  await refresh()
}

/** Starts to index a collection. The server continues without the page. @throws Failure */
export function startIndexing(collection: string): Promise<void> {
  return changeJobs('indexing.start', collection)
}

let isFollowing = false

/** Hears how far the jobs are, until all of them have ended: once for all parts of the page. */
async function followJobs(): Promise<void> {
  if (isFollowing) return
  isFollowing = true
  try {
    const { signal } = new AbortController()
    const answer = await follow('indexing.list', { follow: true }, { onProgress: showProgress, signal })
    client.setQueryData(jobsQuery.queryKey, answer)
    await refetchAll()
  } catch {
    // The server is away or has restarted: its next answer shows whether there is something to follow.
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
  isFollowing = false
  await refresh()
}

function showProgress({ what, done, total }: Progress): void {
  client.setQueryData(jobsQuery.queryKey, (known) => {
    if (!known) return known
    const shown = known.jobs.map((job) => (job.name === what ? { ...job, done, total } : job))
    return { jobs: shown }
  })
  // Another page has started one since.
  const known = client.getQueryData(jobsQuery.queryKey)
  if (known && !known.jobs.some((job) => job.name === what && isUnfinished(job))) void refresh()
}

let lastOutcomes: string | undefined

/** Refetches everything when a job has ended since the last poll, followed or not. */
function noteOutcomes(jobs: readonly IndexJob[]): void {
  const outcomes = JSON.stringify(
    jobs.filter((job) => !isUnfinished(job)).map(({ name, updatedAt }) => [name, updatedAt]),
  )
  const isNews = lastOutcomes !== undefined && lastOutcomes !== outcomes
  lastOutcomes = outcomes
  if (isNews) void refetchAll()
}

/** The jobs that this person may see. */
function useIndexJobs(): readonly IndexJob[] {
  const may = useMay('indexing.list')
  const { data, dataUpdatedAt } = useQuery({ ...jobsQuery, enabled: may, refetchInterval: LOOK_MS })
  const isBusy = data?.jobs.some(isUnfinished) === true
  useEffect(() => {
    if (isBusy && dataUpdatedAt > 0) void followJobs()
  }, [isBusy, dataUpdatedAt])
  useEffect(() => {
    if (data) noteOutcomes(data.jobs)
  }, [data])
  return data?.jobs ?? []
}

/** Indexing of one collection: whether it goes on, how far it is, and what went wrong. */
export function useIndexing(name: string) {
  const job = useIndexJobs().find((each) => each.name === name)
  const start = useMutation({ mutationFn: () => startIndexing(name) })
  const stop = useMutation({ mutationFn: () => changeJobs('indexing.stop', name) })
  const isRunning = job !== undefined && isUnfinished(job)
  const problem = job?.state === 'failed' ? job.problem : undefined
  return {
    isRunning,
    /** Nobody works on it yet. */
    isQueued: job?.state === 'queued',
    /** The server ended meanwhile, and went on with it. */
    isResumed: isRunning && job.isResumed,
    done: job?.done ?? 0,
    total: job?.total ?? 0,
    problem: start.error?.message ?? stop.error?.message ?? problem,
    start: () => start.mutate(),
    stop: () => stop.mutate(),
  }
}
