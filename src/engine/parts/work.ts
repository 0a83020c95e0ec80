/** Long work: research and indexing, in this process or in workers. */

import type { IndexAnswer } from '../../collections/answers.ts'
import type { IndexRequest } from '../../collections/indexing.ts'
import type { Run } from '../../core/flow.ts'
import type { ResearchDependencies } from '../../research/open-research.ts'
import type { Research } from '../../research/research.ts'
import type { RunSettings } from '../../research/settings.ts'
import type { Task } from '../../stores/jobs.ts'
import type { Adapters } from './adapters.ts'

/** A value that is opened at the first call, and again after a failure or `close`. */
export function lazyValue<Value>(open: () => Promise<Value>) {
  let opened: Promise<Value> | undefined
  return {
    isOpen: () => opened !== undefined,
    get: (): Promise<Value> => {
      if (opened) return opened
      const opening = open()
      opened = opening
      opening.catch(() => {
        if (opened === opening) opened = undefined
      })
      return opening
    },
    /** Closes the value if it is open. */
    close: async (close: (value: Value) => Promise<unknown>): Promise<void> => {
      const closing = opened
      opened = undefined
      await closing?.then(close)
    },
  }
}

export type BackgroundWork = ReturnType<typeof backgroundWork>['work']

interface WorkParts extends Pick<ResearchDependencies, 'library' | 'language' | 'config' | 'mayContinue'> {
  /** The research of an owner. `only`: the collections that the owner sees. Default: all. */
  researchOf(owner: string, only: readonly string[] | undefined): Promise<Research>
}

/** Research and jobs, each loaded when it is first needed. */
export function backgroundWork(
  { jobs: hostJobs, sharesWork = false, leavesWork, principal }: Adapters,
  { researchOf, ...researchParts }: WorkParts,
) {
  const { library } = researchParts
  const { name: owner = '', collections } = principal ?? {}
  const indexing = () => import('../../collections/index-job.ts')
  const workers = (maximum: number) => ({
    research: { maximum, handler: (task: Task) => runSession(task, { library, researchOf }) },
    index: { maximum: 1, handler: async (task: Task) => (await indexing()).indexInBackground(await library(), task) },
  })
  const ownJobs = lazyValue(async () => {
    const [{ Jobs, MAX_PER_OWNER }, { port }] = await Promise.all([import('../../stores/jobs.ts'), library()])
    const jobs = new Jobs(port.jobs, !sharesWork)
    if (!sharesWork) jobs.work(workers(MAX_PER_OWNER))
    return jobs
  })
  const closeJobs = () => ownJobs.close((jobs) => jobs.close()).catch(() => {})
  const jobs = hostJobs ?? ownJobs.get
  let lastResearch: Research | undefined
  const research = lazyValue(async () => {
    const { openResearch } = await import('../../research/open-research.ts')
    const openedResearch = await openResearch({ ...researchParts, jobs, owner, only: collections, print })
    lastResearch = openedResearch.research
    return openedResearch
  })
  const work = {
    /** Opens research in files, collections and the web. */
    research: async () => (await research.get()).research,
    /** Updates the index from the files: in this process, or in a worker. */
    index: async (request: IndexRequest, run: Run): Promise<IndexAnswer> => {
      if (!leavesWork) return (await library()).collections.index(request, run)
      return (await indexing()).indexByWorkers(await library(), request, { owner, run })
    },
    /** Indexing that continues after its client disconnects. */
    indexing: async () => new (await indexing()).BackgroundIndex({ library, jobs, owner }),
    /** The jobs of this process. @throws ContextError `unavailable`. */
    jobs,
    /** Does jobs until `close`. `maximum`: maximum number of runs at once. */
    work: async (maximum: number) => (await ownJobs.get()).work(workers(maximum)),
    /** Starts no more jobs, and hands running jobs over to other processes. */
    handOver: closeJobs,
  }
  return {
    work,
    /** Number of research runs in this process. */
    running: () => lastResearch?.running ?? 0,
    /** Ends the work of this process. Other processes continue its jobs; without another process, a person can. */
    close: async (closeGuests: () => Promise<void>): Promise<void> => {
      if (sharesWork) await closeJobs()
      await Promise.all([research.close((one) => one.close()).catch(() => {}), closeGuests()])
      await closeJobs()
    },
  }
}

const print = async (html: string) => (await import('../print/print-page.ts')).printPage(html)

async function runSession(
  { key, owner, signal }: Task,
  { library, researchOf }: Pick<WorkParts, 'library' | 'researchOf'>,
): Promise<void> {
  const session = await (await library()).port.of(owner).runs.get(key)
  if (!session) return
  const { only } = JSON.parse(session.settings) as RunSettings
  await (await researchOf(owner, only)).work(key, signal)
}
