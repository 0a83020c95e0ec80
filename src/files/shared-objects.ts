import { ContextError } from '../core/errors.ts'
import type { Objects } from './objects.ts'

/**
 * Opens objects, and keeps the connections to buckets until the end: a directory is cheap to open, and may be exchanged.
 *
 * @param open None where nothing can be opened: `unavailable` is then thrown.
 */
export function keptObjects(open: ((root: string) => Promise<Objects>) | undefined) {
  const kept = new Map<string, Promise<Objects>>()
  return {
    open: async (root: string): Promise<Objects> => {
      if (!open) throw new ContextError('unavailable', 'This engine opens no objects.', { hint: 'Make it by open().' })
      const known = kept.get(root)
      if (known) return known
      const opening = open(root)
      if (!/^s3:/.test(root)) return opening
      kept.set(root, opening)
      // What failed to open may be mended, and is tried again.
      opening.catch(() => kept.delete(root))
      return opening
    },
    close: async () => {
      const closing = [...kept.values()]
      kept.clear()
      await Promise.all(closing.map((opening) => opening.then((one) => one.close()).catch(() => {})))
    },
  }
}
