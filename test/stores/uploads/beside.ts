import { createHash } from 'node:crypto'
import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { privateDirectory } from '../../../src/files/disk/private-directory.ts'
import type { Objects } from '../../../src/files/objects.ts'
import type { NewFile, RunStore, StoredFile } from '../../../src/stores/run-store.ts'
import type { Store } from '../../../src/stores/store.ts'
import { Uploads, withExternalUploads } from '../../../src/stores/uploads/beside.ts'

export interface Beside {
  readonly store: Store
  readonly uploads: Uploads
  readonly blobs: Objects
}

/** A store that keeps the bytes of uploads in a directory, or in other objects. */
export function beside(raw: Store, place: string | Objects): Beside {
  const blobs = typeof place === 'string' ? privateDirectory(place) : place
  const uploads = new Uploads({ bytes: raw.bytes, open: async () => blobs })
  return { store: withExternalUploads(raw, uploads), uploads, blobs }
}

export const bytesOf = (text: string) => new TextEncoder().encode(text)
export const hashOf = (text: string) => createHash('sha256').update(bytesOf(text)).digest('hex')

export function fileOf(name: string, text: string): NewFile {
  return { id: `${name}-${text.length}`, name, size: bytesOf(text).length, type: 'text/plain', sha256: hashOf(text) }
}

export const ID = (letter: string) => letter.repeat(32)

/** A session with files. */
export async function given(
  runs: RunStore,
  id: string,
  files: Readonly<Record<string, string>>,
): Promise<StoredFile[]> {
  if (!(await runs.get(id))) await runs.add({ id, question: 'What?', settings: '{}' })
  const added: StoredFile[] = []
  for (const [name, text] of Object.entries(files)) {
    added.push(await runs.addFile(id, fileOf(name, text), bytesOf(text)))
  }
  return added
}

export async function textIn(runs: RunStore, text: string): Promise<string> {
  return Buffer.from(await runs.bytes(hashOf(text))).toString()
}

export { keysIn } from '../../files/objects.contract.ts'

/** As if they had been written so many hours ago. */
export function aged(directory: string, keys: readonly string[], hours: number): void {
  const at = new Date(Date.now() - hours * 3_600_000)
  for (const key of keys) utimesSync(join(directory, key), at, at)
}

/** All files below a directory, and what writers left behind. */
export function filesBelow(directory: string): string[] {
  if (!existsSync(directory)) return []
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}
