import { join } from 'node:path'
import { diskPlace } from './load/place.ts'
import { Workspace } from './workspace/workspace.ts'

/**
 * The workspace of a place on disk. A place that is a file means its directory, touched at that file.
 *
 * @throws ContextError `not-found` for a place that does not exist; `denied` for a directory of the operating system.
 */
export async function workspaceAt(
  place: string,
  { home, budget }: { readonly home: string | false | undefined; readonly budget: number },
): Promise<Workspace> {
  const { directory, file } = diskPlace(place)
  const workspace = await Workspace.open({ cwd: directory, budget, ...(home !== undefined && { home }) })
  if (file !== undefined) await workspace.touch(join(directory, file))
  return workspace
}

export type { Workspace }
