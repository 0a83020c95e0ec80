import type { Run } from '../core/flow.ts'
import type { Objects } from '../files/objects.ts'
import type { Store } from './store.ts'
import type { UploadFinding } from './uploads/upkeep.ts'
import type { Uploads } from './uploads/uploads.ts'

/** The place of uploads outside of the database: a directory or a bucket. */
export interface UploadPlace {
  /** A directory, or `s3://bucket/prefix`. */
  readonly root: string
  /** Whether only this machine has access to the place, although other machines may use the database. */
  readonly isLocalOnly: boolean
  open(): Promise<Objects>
}

/** A warning about a place that only this machine can access. */
const LOCAL_WARNING = {
  message: 'Uploads are kept on this machine alone: other machines cannot read what is added here.',
  hint: 'Set AMBIT_OBJECTS to s3://BUCKET/PREFIX, or to a directory that all machines share.',
}

/** Opens the store if it is not open. */
type OpenStore = () => Promise<unknown>

/** Operations on uploads. Without a place, uploads are in the database. Other modules load at the first use. */
export function createUploads(place: UploadPlace | undefined) {
  let uploadsOfStore: Uploads | undefined
  const openUploads = async (open: OpenStore) => {
    if (place) await open()
    return uploadsOfStore
  }
  return {
    warnings: place?.isLocalOnly ? [`${LOCAL_WARNING.message} ${LOCAL_WARNING.hint}`] : [],

    /** Returns the store to use instead of `store`: it keeps uploads in the place. */
    async useStore(store: Store): Promise<Store> {
      if (!place) return store
      const { withExternalUploads, Uploads } = await import('./uploads/beside.ts')
      uploadsOfStore = new Uploads({ bytes: store.bytes, open: place.open })
      return withExternalUploads(store, uploadsOfStore)
    },

    /** Deletes objects that interrupted writers left. Returns their number. */
    async sweep(open: OpenStore, signal?: AbortSignal): Promise<number> {
      const uploads = await openUploads(open)
      return uploads ? (await import('./uploads/beside.ts')).sweepOrphans(uploads, signal) : 0
    },

    /** Moves files out of the database, unless other machines may lack access to the place. Returns their number. */
    async moveAll(open: OpenStore, signal?: AbortSignal): Promise<number> {
      const uploads = place?.isLocalOnly ? undefined : await openUploads(open)
      return uploads ? (await import('./uploads/beside.ts')).moveUploadsOut(uploads, signal) : 0
    },

    /** The check of "doctor". It does not create a database. */
    async check(hasStore: boolean, open: OpenStore, run: Run): Promise<UploadFinding> {
      if (place && !hasStore)
        return { status: 'ok', message: `There are no uploads yet; they would be in ${place.root}.` }
      const uploads = await openUploads(open)
      if (!uploads) return { status: 'ok', message: 'Uploads are kept in the database.' }
      const { uploadsFinding } = await import('./uploads/beside.ts')
      return uploadsFinding(uploads, place?.isLocalOnly ? LOCAL_WARNING : undefined, run)
    },
  }
}
