import type { OpenResearch, ResearchOver } from './open-research.ts'
import type { Research } from './research.ts'

/** Research that is loaded when it is first asked for. */
export function researchThrough(over: ResearchOver) {
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
    /** Runs under way in this process. */
    running: () => research?.running ?? 0,
    close: async (): Promise<void> => {
      const closing = opened
      opened = undefined
      await closing?.then((one) => one.close()).catch(() => {})
    },
  }
}
