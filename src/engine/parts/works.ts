import type { IndexAnswer } from '../../collections/answers.ts'
import type { BackgroundIndex } from '../../collections/index-job.ts'
import type { IndexRequest } from '../../collections/indexing.ts'
import type { Run } from '../../core/flow.ts'
import type { WorkplaceParts } from '../../research/job-worker.ts'
import type { OpenResearch, ResearchOver } from '../../research/open-research.ts'
import type { Research } from '../../research/research.ts'
import type { Jobs } from '../../stores/jobs.ts'

/** The browser is looked for when something is to be printed. */
const print: ResearchOver['print'] = async (html) => (await import('../print/print-page.ts')).printPage(html)

/** Research that is loaded when it is first asked for. */
function researchThrough(over: Omit<ResearchOver, 'print'>) {
  let opened: Promise<OpenResearch> | undefined
  let research: Research | undefined
  return {
    open: async (): Promise<Research> => {
      opened ??= import('../../research/open-research.ts').then(({ openResearch }) => openResearch({ ...over, print }))
      // What failed to open may be mended, and is tried again.
      opened.catch(() => {
        opened = undefined
      })
      research = (await opened).research
      return research
    },
    /** Runs under way in this process. */
    running: () => research?.running ?? 0,
    close: async (): Promise<void> => {
      const closing = opened
      opened = undefined
      await closing?.then((one) => one.close()).catch(() => {})
    },
  }
}

/** Runs at once in a process that has no queue but its own. */
const MOST_ALONE = 8

/** What takes long, and who does it. */
export interface Works {
  /** Research runs over files, collections and the web. */
  research(): Promise<Research>
  /** Brings the index in step with the files; here, or where the work is done. */
  index(request: IndexRequest, run: Run): Promise<IndexAnswer>
  /** Indexing that goes on without whoever asked for it. */
  indexing(): Promise<BackgroundIndex>
  /** The queue of what other processes do, too. */
  jobs(): Promise<Jobs>
  /** Takes jobs from it until `close`, at most so many runs at once. */
  work(most: number): Promise<void>
  /** Takes no more, and puts back what is under way, for others. */
  handOver(): Promise<void>
}

interface WorkAdapters {
  /** The queue. Where none is given, a process does what it is asked itself. */
  jobs?(): Promise<Jobs>
  readonly leavesWork?: boolean
  readonly principal?: { readonly name: string; readonly collections?: readonly string[] }
}

/** Research and its queue, each loaded when it is first asked for. */
export function workByJobs(
  { jobs: openJobs, leavesWork, principal }: WorkAdapters,
  over: Pick<ResearchOver, 'library' | 'language' | 'config' | 'mayGoOn'>,
  researchOf: WorkplaceParts['researchOf'],
) {
  const { library } = over
  const { name: owner = '', collections: only } = principal ?? {}
  const indexing = () => import('../../collections/index-job.ts')
  const queue = jobsThrough(openJobs, {
    researchOf,
    store: async () => (await library()).port,
    index: async (task) => (await indexing()).indexJob(await library(), task),
  })
  const research = researchThrough({ ...over, jobs: queue.open, owner, only })
  const index: Works['index'] = async (request, run) => {
    if (!leavesWork) return (await library()).collections.index(request, run)
    const { indexElsewhere } = await indexing()
    return indexElsewhere(await queue.open(), await library(), request, { owner, run })
  }
  const asked: Works = {
    research: research.open,
    index,
    indexing: async () => new (await indexing()).BackgroundIndex({ library, jobs: queue.open, owner }),
    jobs: queue.open,
    work: queue.work,
    handOver: queue.close,
  }
  return {
    asked,
    running: research.running,
    /** Others go on with what is handed over; where there are none, it waits for whoever resumes it. */
    close: async (guests: () => Promise<void>): Promise<void> => {
      if (openJobs) await queue.close()
      await Promise.all([research.close(), guests()])
      if (!openJobs) await queue.close()
    },
  }
}

function jobsThrough(open: (() => Promise<Jobs>) | undefined, place: Omit<WorkplaceParts, 'most' | 'looking'>) {
  let opened: Promise<Jobs> | undefined
  // An AbortController takes half a millisecond to load, and few commands take jobs.
  let looking: AbortController | undefined
  const alone = async () => {
    const [{ InProcessJobs }, { workOn }] = await Promise.all([
      import('../../stores/in-process.ts'),
      import('../../research/job-worker.ts'),
    ])
    const jobs = new InProcessJobs()
    await workOn(jobs, { ...place, most: MOST_ALONE })
    return jobs
  }
  const jobs = (): Promise<Jobs> => {
    const opening = opened ?? (open ?? alone)()
    opened = opening
    opening.catch(() => {
      opened = undefined
    })
    return opening
  }
  return {
    open: jobs,
    /** Takes jobs, those of the dead too. */
    work: async (most: number): Promise<void> => {
      looking = new AbortController()
      const [{ workOn }, queue] = await Promise.all([import('../../research/job-worker.ts'), jobs()])
      await workOn(queue, { ...place, most, looking: looking.signal })
    },
    close: async (): Promise<void> => {
      looking?.abort()
      const closing = opened
      opened = undefined
      await closing?.then((queue) => queue.close()).catch(() => {})
    },
  }
}

/** The queue of another, which closes it. */
export async function borrowedFrom(jobs: () => Promise<Jobs>): Promise<Jobs> {
  const { borrowJobs: borrowed } = await import('../../research/job-worker.ts')
  return borrowed(await jobs())
}
