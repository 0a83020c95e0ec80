import type { Engine } from '../../engine/engine.ts'
import { openRoot } from '../../files/disk.ts'
import { realOf, statOf } from '../../files/file-version.ts'
import { projectRootOf, rootsAt, type ServedRoots } from '../../files/roots.ts'
import { relativeTo } from '../../text/paths.ts'

/**
 * The engine of a server that may not write: research, which is there all the same and keeps what it is given, takes files
 * of the project around the current directory and of local collections, links followed, and no others.
 */
export function keptToProject(engine: Engine): Engine {
  return {
    ...engine,
    research: async () => {
      const [research, { collections }] = await Promise.all([engine.research(), engine.library()])
      const roots = (await collections.list()).map(({ root }) => root)
      return research.within(openRoots([projectRootOf(process.cwd()), ...roots.filter((root) => !/^s3:/i.test(root))]))
    },
  }
}

/** What cannot be a root, such as that of the system, or is gone, adds nothing. */
function openRoots(directories: readonly string[]): ServedRoots {
  const opened = directories.flatMap((directory) => {
    try {
      return [openRoot(directory).path]
    } catch {
      return []
    }
  })
  return rootsAt(opened)
}

/**
 * Goes to the first of the directories that a client works in, unless the process is in one of them: paths are meant as they
 * are seen from there. What is gone, or is not a directory, counts for nothing.
 */
export function workIn(directories: readonly string[]): void {
  const real = directories.flatMap((directory) => realOf(directory) ?? [])
  if (real.some((directory) => relativeTo(directory, process.cwd()) !== undefined)) return
  const first = real.find((directory) => statOf(directory)?.isDirectory())
  if (first !== undefined) process.chdir(first)
}
