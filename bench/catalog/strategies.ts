/** How the files of a place can be had, beside how we do it. */

import { ContextError } from '../../src/core/errors.ts'
import type { Objects } from '../../src/files/objects.ts'

/** Bytes of a file that are wanted. */
const WANTED = 10_000

/** Whether a file is there, and then its beginning: so many files at a time. */
export async function headThenGet(objects: Objects, keys: readonly string[], atOnce: number): Promise<number> {
  let found = 0
  const rest = keys.values()
  const worker = async () => {
    for (const key of rest) {
      if (!(await isThere(objects, key))) continue
      await objects.read(key, { length: WANTED })
      found++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return found
}

async function isThere(objects: Objects, key: string): Promise<boolean> {
  try {
    return (await objects.head(key)).size > 0
  } catch (error) {
    if (error instanceof ContextError && error.code === 'not-found') return false
    throw error
  }
}
