import type { RunStore } from '../run-store.ts'
import type { Owned, Store } from '../store.ts'
import { rowsWithUploads } from './rows-beside.ts'
import { areBytesLost, type Uploads } from './uploads.ts'

/** The store, with the bytes of uploads in objects beside it. Those that are in it already are found there until they are moved. */
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
      // Of a session that there is none of nothing is written.
      await runs.files(session)
      const put = await uploads.put(file.sha256, bytes)
      const added = await runs.addFile(session, file, put).catch(async (error: unknown) => {
        // Whether anything else was written is not known for certain: the sweep looks again when it is.
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

/** What was removed is removed; an object that cannot be taken away now is by the next one, or by the sweep. */
async function thenTidy(removing: Promise<boolean>, uploads: Uploads): Promise<boolean> {
  const isGone = await removing
  if (isGone) await uploads.tidy().catch(() => {})
  return isGone
}

/** Another thing in all but some of its parts. Its methods may be those of a class. */
function withOwn<Part extends object>(part: Part, own: Partial<Part>): Part {
  return new Proxy(part, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name)
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
