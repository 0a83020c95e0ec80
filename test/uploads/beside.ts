import type { Blobs } from '../../src/objects/blobs.ts'
import { directoryBlobs } from '../../src/objects/blobs-directory.ts'
import type { Store } from '../../src/stores/store.ts'
import { keptBeside, Uploads } from '../../src/uploads/loaded.ts'

export interface Beside {
  readonly store: Store
  readonly uploads: Uploads
  readonly blobs: Blobs
}

/** A store that keeps the bytes of uploads in a directory, or in other blobs. */
export function beside(raw: Store, place: string | Blobs): Beside {
  const blobs = typeof place === 'string' ? directoryBlobs(place) : place
  const uploads = new Uploads({ bytes: raw.bytes, blobs: async () => blobs })
  return { store: keptBeside(raw, uploads), uploads, blobs }
}
