import type { Engine } from '../../engine/engine.ts'
import { openRoot } from '../../files/disk.ts'
import { projectRootOf } from '../../files/project-root.ts'
import { type Roots, rootsAt } from '../../files/roots.ts'

/**
 * The engine of a server that may not write: research, which is there all the same and keeps what it is given, takes files
 * of the project around `directory` and of local collections, links followed, and no others.
 */
export function keptToProject(engine: Engine, directory: string): Engine {
  return {
    ...engine,
    research: async () => {
      const [research, { collections }] = await Promise.all([engine.research(), engine.library()])
      const roots = (await collections.list()).map(({ root }) => root)
      return research.within(joined([projectRootOf(directory), ...roots.filter((root) => !/^s3:/i.test(root))]))
    },
  }
}

/** What cannot be a root, such as that of the system, or is gone, adds nothing. */
function joined(directories: readonly string[]): Roots {
  const opened = directories.flatMap((directory) => {
    try {
      return [openRoot(directory).path]
    } catch {
      return []
    }
  })
  return rootsAt(opened)
}
