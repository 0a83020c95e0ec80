import type { Jobs } from '../jobs/jobs.ts'
import type { OpenResearch, ResearchOver } from './open-research.ts'
import type { Research } from './research.ts'
import type { WorkplaceParts } from './workplace.ts'

/** Research that is loaded when it is first asked for. */
function researchThrough(over: ResearchOver) {
  let opened: Promise<OpenResearch> | undefined
  let research: Research | undefined
  return {
    open: async (): Promise<Research> => {
      opened ??= import('./open-research.ts').then(({ openResearch }) => openResearch(over))
      // What failed to open may be mended, and is tried again.
      opened.catch(() => {
        opened = undefined
      })
      research = (await opened).research
      return research
    },
    /** As `Research`, where there is any. */
    leave: async (): Promise<void> => research?.leave(),
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

interface WorkOver extends Omit<ResearchOver, 'jobs'> {
  /** The queue. Where none is given, a process does what it is asked itself. */
  readonly openJobs: (() => Promise<Jobs>) | undefined
  researchOf(owner: string, only: readonly string[] | undefined): Promise<Research>
}

/** Research and its queue, each loaded when it is first asked for. */
export function workThrough({ openJobs, researchOf, ...over }: WorkOver) {
  const store = async () => (await over.library()).port
  const queue = jobsThrough(openJobs, { store, researchOf })
  const research = researchThrough({ ...over, jobs: queue.open })
  return {
    asked: { research: research.open, jobs: queue.open, work: queue.work, leave: research.leave },
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
  let looking = new AbortController()
  const alone = async () => {
    const [{ InProcessJobs }, { workOn }] = await Promise.all([
      import('../jobs/in-process.ts'),
      import('./workplace.ts'),
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
      const [{ workOn }, queue] = await Promise.all([import('./workplace.ts'), jobs()])
      await workOn(queue, { ...place, most, looking: looking.signal })
    },
    close: async (): Promise<void> => {
      looking.abort()
      const closing = opened
      opened = undefined
      await closing?.then((queue) => queue.close()).catch(() => {})
    },
  }
}

/** The queue of another, which closes it. */
export async function borrowedFrom(jobs: () => Promise<Jobs>): Promise<Jobs> {
  const { borrowed } = await import('./workplace.ts')
  return borrowed(await jobs())
}
