/** Run as a program, with a directory: writes one thing of each kind there, and says before and after each what it is. */

import { createHash } from 'node:crypto'
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { privateDirectory } from '../../src/files/disk/private-directory.ts'
import { openRoot } from '../../src/files/disk.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'

const [at = ''] = process.argv.slice(2)
const store = openSqlite(join(at, 'ambit.db'))
const objects = privateDirectory(join(at, 'objects'))
const id = 'a'.repeat(32)

const STEPS: Readonly<Record<string, () => Promise<unknown>>> = {
  session: () => store.runs.add({ id, question: 'What?', settings: '{}' }),
  object: () => objects.put(`uploads/ab/${createHash('sha256').update('x').digest('hex')}`, new Uint8Array([1, 2, 3])),
  context: () => store.contexts.set({ collection: '', pathPrefix: '' }, 'what it is for'),
  journal: () => store.runs.append(id, 0, [{ seq: 1, at: '2026-11-21T12:00:00.000Z', data: '{}' }], 'running'),
  'context again': () => store.contexts.set({ collection: '', pathPrefix: '' }, 'what it is for now'),
  read: async () => openRoot(at).read('read.md'),
  close: () => store.close(),
}

for (const [name, step] of Object.entries(STEPS)) {
  writeSync(1, `begin ${name}\n`)
  await step()
  writeSync(1, `done ${name}\n`)
}
