/** Reads and writes files that a person names on a command line. */

import { basename, dirname, resolve } from 'node:path'
import { ContextError, renameInError } from '../../core/errors.ts'
import { openDirectory } from '../../files/directory.ts'
import { type Objects, objectLabel } from '../../files/objects.ts'

/** Reads a file. @throws ContextError `not-found`, `over-limit`. */
export function readUserFile(file: string, maxBytes: number): Promise<Uint8Array> {
  return withFolder(file, async (folder, name) => {
    const content = await folder.read(name, { maxBytes })
    if (content === 'unchanged') throw new Error('Nothing was compared.')
    return content.bytes
  })
}

/** Writes a file. `isNew`: throws `conflict` instead of overwriting an existing file. */
export async function writeUserFile(file: string, text: string, isNew = false): Promise<void> {
  await withFolder(file, (folder, name) => folder.put(name, Buffer.from(text), isNew ? { if: 'absent' } : {}))
}

async function withFolder<Result>(file: string, work: (folder: Objects, name: string) => Promise<Result>) {
  const path = resolve(file)
  const folder = await openDirectory(dirname(path))
  try {
    return await work(folder, basename(path))
  } catch (error) {
    throw error instanceof ContextError ? renameInError(error, objectLabel(folder.uri, basename(path)), file) : error
  } finally {
    await folder.close()
  }
}
