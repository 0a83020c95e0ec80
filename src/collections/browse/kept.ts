import { ContextError } from '../../core/errors.ts'
import { isBucketRoot, type RootAccess } from '../../files/bucket-root.ts'
import { openDirectory } from '../../files/directory.ts'
import type { Objects } from '../../files/objects.ts'
import { rootPath } from '../../files/root-path.ts'
import type { Collection } from '../../stores/store.ts'
import type { OpenObjects } from '../collections.ts'

/** Directories that are kept open: each may hold some 20 MB of names. */
const MOST = 4

/**
 * The objects of collections. A directory stays open, so that the names in a large one are not read again for each page:
 * what was read is used while it is the same. A root that was exchanged meanwhile is opened anew.
 */
export class KeptObjects {
  readonly #open: OpenObjects
  readonly #kept = new Map<string, { readonly realPath: string; readonly objects: Objects }>()

  constructor(open: OpenObjects = onlyDirectories) {
    this.#open = open
  }

  /** @throws ContextError as opening does; `not-found` for a root that is gone. */
  async at({ root, access }: Pick<Collection, 'root' | 'access'>): Promise<Objects> {
    if (isBucketRoot(root)) return this.#open(root, access)
    const { realPath } = rootPath(root, false, access?.realPath)
    const known = this.#kept.get(root)
    if (known?.realPath === realPath) return this.#keep(root, known)
    return this.#keep(root, { realPath, objects: await this.#open(root, access) })
  }

  /** The one that was not used for the longest time is let go. */
  #keep(root: string, one: { readonly realPath: string; readonly objects: Objects }): Objects {
    this.#kept.delete(root)
    this.#kept.set(root, one)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST && oldest !== undefined) this.#kept.delete(oldest)
    return one.objects
  }
}

async function onlyDirectories(root: string, access?: RootAccess): Promise<Objects> {
  if (!isBucketRoot(root)) return openDirectory(root, access)
  throw new ContextError('unavailable', 'This engine opens no buckets.', { hint: 'Make it by open().' })
}
