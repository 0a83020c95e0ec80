import type { IndexAnswer } from '../../collections/answers.ts'
import type { BackgroundIndex } from '../../collections/index-job.ts'
import type { IndexRequest } from '../../collections/indexing.ts'
import type { Run } from '../../core/flow.ts'
import type { OpenResearch, ResearchOver } from '../../research/open-research.ts'
import type { Research } from '../../research/research.ts'
import type { RunSettings } from '../../research/settings.ts'
import type { Jobs, Task } from '../../stores/jobs.ts'

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

/** Runs at once in a process that does only what it was asked itself. */
const MOST_ALONE = 8

/** What takes long, and who does it. */
export interface Works {
  /** Research runs over files, collections and the web. */
  research(): Promise<Research>
  /** Brings the index in step with the files; here, or where the work is done. */
  index(request: IndexRequest, run: Run): Promise<IndexAnswer>
  /** Indexing that continues without the one who asked for it. */
  indexing(): Promise<BackgroundIndex>
  /** The jobs of this process. @throws ContextError `unavailable`. */
  jobs(): Promise<Jobs>
  /** Does jobs until `close`, at most so many runs at once. */
  work(most: number): Promise<void>
  /** Does no more jobs, and leaves those under way to other processes. */
  handOver(): Promise<void>
}

interface WorkAdapters {
  /** The jobs of the host, for a guest. */
  jobs?(): Promise<Jobs>
  readonly sharesWork?: boolean
  readonly leavesWork?: boolean
  readonly principal?: { readonly name: string; readonly collections?: readonly string[] }
}

/** The research of an owner, who sees no more than these collections where some are named. */
type ResearchOf = (owner: string, only: readonly string[] | undefined) => Promise<Research>

/** Research and jobs, each loaded when it is first asked for. */
export function workByJobs(
  { jobs: hosts, sharesWork = false, leavesWork, principal }: WorkAdapters,
  over: Pick<ResearchOver, 'library' | 'language' | 'config' | 'mayGoOn'>,
  researchOf: ResearchOf,
) {
  const { library } = over
  const { name: owner = '', collections: only } = principal ?? {}
  const indexing = () => import('../../collections/index-job.ts')
  let opened: Promise<Jobs> | undefined
  const openJobs = async () => {
    const [{ Jobs }, { port }] = await Promise.all([import('../../stores/jobs.ts'), library()])
    const jobs = new Jobs(port.jobs, !sharesWork)
    if (!sharesWork) jobs.work(workersOf(MOST_ALONE))
    return jobs
  }
  const ownJobs = (): Promise<Jobs> => {
    const opening = opened ?? openJobs()
    opened = opening
    opening.catch(() => {
      opened = undefined
    })
    return opening
  }
  const closeJobs = async (): Promise<void> => {
    const closing = opened
    opened = undefined
    await closing?.then((jobs) => jobs.close()).catch(() => {})
  }
  const workersOf = (most: number) => ({
    research: { most, handler: (task: Task) => runSession(task, library, researchOf) },
    index: { most: 1, handler: async (task: Task) => (await indexing()).indexInBackground(await library(), task) },
  })
  const jobs = hosts ?? ownJobs
  const research = researchThrough({ ...over, jobs, owner, only })
  const index: Works['index'] = async (request, run) => {
    if (!leavesWork) return (await library()).collections.index(request, run)
    return (await indexing()).indexElsewhere(await library(), request, { owner, run })
  }
  const asked: Works = {
    research: research.open,
    index,
    indexing: async () => new (await indexing()).BackgroundIndex({ library, jobs, owner }),
    jobs,
    work: async (most) => (await ownJobs()).work(workersOf(most)),
    handOver: closeJobs,
  }
  return {
    asked,
    running: research.running,
    /** Others continue with what is handed over; where there are none, it waits for the person who resumes it. */
    close: async (guests: () => Promise<void>): Promise<void> => {
      if (sharesWork) await closeJobs()
      await Promise.all([research.close(), guests()])
      await closeJobs()
    },
  }
}

async function runSession(
  { key, owner, signal }: Task,
  library: ResearchOver['library'],
  researchOf: ResearchOf,
): Promise<void> {
  const session = await (await library()).port.of(owner).runs.get(key)
  if (!session) return
  const { only } = JSON.parse(session.settings) as RunSettings
  await (await researchOf(owner, only)).work(key, signal)
}
