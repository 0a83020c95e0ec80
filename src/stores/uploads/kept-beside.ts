import type { RunStore } from '../run-store.ts'
import type { Owned, Store } from '../store.ts'
import { rowsWithUploads } from './rows-beside.ts'
import { areBytesLost, type Uploads } from './uploads.ts'

/** The store with uploads in objects beside it. Bytes in the database stay readable until they are moved. */
export function withExternalUploads(store: Store, uploads: Uploads): Store {
  const owned = (of: Owned): Owned => ({ conversations: of.conversations, runs: runsWithUploads(of.runs, uploads) })
  const close = async () => {
    await uploads.close()
    await store.close()
  }
  return withOwn(store, {
    ...owned(store),
    of: (owner) => owned(store.of(owner)),
    rows: rowsWithUploads(store.rows, uploads),
    close,
  })
}

function runsWithUploads(runs: RunStore, uploads: Uploads): RunStore {
  return withOwn(runs, {
    addFile: async (session, file, bytes) => {
      if (!(bytes instanceof Uint8Array)) return runs.addFile(session, file, bytes)
      // Fails for an unknown session before anything is written.
      await runs.files(session)
      const put = await uploads.put(file.sha256, bytes)
      const added = await runs.addFile(session, file, put).catch(async (error: unknown) => {
        // After other errors the row may exist: the sweep decides later.
        if (areBytesLost(error)) await uploads.remove(put)
        throw error
      })
      await uploads.settle(file.sha256, put)
      return added
    },
    bytes: (sha256, signal) => uploads.read(sha256, signal),
    remove: (id) => thenTidy(runs.remove(id), uploads),
    removeFile: (session, file) => thenTidy(runs.removeFile(session, file), uploads),
  })
}

/** Deletes the objects of removed rows; after a failure, the next removal or the sweep does. */
async function thenTidy(removing: Promise<boolean>, uploads: Uploads): Promise<boolean> {
  const isGone = await removing
  if (isGone) await uploads.tidy().catch(() => {})
  return isGone
}

/** An object with some members replaced. It may be an instance of a class. */
function withOwn<Part extends object>(part: Part, own: Partial<Part>): Part {
  return new Proxy(part, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name)
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
