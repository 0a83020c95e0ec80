import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { IndexedCollection } from '../../../src/collections/answers.ts'
import { libraryOver } from '../../../src/collections/library.ts'
import { walkTree } from '../../../src/ingest/indexing/tree.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { becomeNobody, nodeForNobody } from '../../support/nobody.ts'

/** What is done in a tree, one after the other. */
export type Step =
  | readonly ['write', path: string, text: string]
  | readonly ['chmod', path: string, mode: number]
  | readonly ['link', path: string, target: string]
  | readonly ['move', path: string, to: string]
  | readonly ['remove', path: string]
  | readonly ['walk']
  | readonly ['index']

interface Seen {
  readonly walked: { files: string[]; closed: [path: string, detail: string][] }[]
  /** Each with the documents that there are then. */
  readonly indexed: (IndexedCollection & { readonly documents: readonly string[] })[]
}

let child: ChildProcess | undefined

/** Does steps in a new tree as a user who is not root, in one process for all the tests of this one. */
export async function asNobody(steps: readonly Step[]): Promise<Seen> {
  child ??= startChild()
  child.send(steps)
  const [seen] = await once(child, 'message')
  return seen
}

/** It ends with this process, which does not wait for it. */
function startChild(): ChildProcess {
  const [execPath, program] = nodeForNobody(import.meta.filename)
  const started = fork(program, { execPath, execArgv: [], cwd: '/' })
  started.unref()
  started.channel?.unref()
  return started
}

async function done(steps: readonly Step[], root: string): Promise<Seen> {
  const store = openSqlite(':memory:')
  const collections = libraryOver(store).collections
  await collections.add({ name: 'docs', root })
  const seen: Seen = { walked: [], indexed: [] }
  for (const [what, path = '', value = ''] of steps) {
    const at = join(root, path)
    if (what === 'write') {
      mkdirSync(dirname(at), { recursive: true })
      writeFileSync(at, String(value))
    } else if (what === 'chmod') chmodSync(at, Number(value))
    else if (what === 'link') symlinkSync(String(value), at)
    else if (what === 'move') renameSync(at, join(root, String(value)))
    else if (what === 'remove') rmSync(at, { recursive: true })
    else if (what === 'walk') {
      const { files, unknownPlaces: closed } = await walkTree({ root, patterns: [], exclude: [] })
      seen.walked.push({
        files: files.map((file) => file.path),
        closed: closed.map((directory) => [directory.path, directory.detail]),
      })
    } else {
      const [answer] = (await collections.index()).collections
      const documents = (await store.documents.list({})).map((document) => document.path)
      if (answer) seen.indexed.push({ ...answer, documents })
    }
  }
  await store.close()
  return seen
}

async function doneInNewTree(steps: readonly Step[]): Promise<Seen> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-')))
  const root = join(base, 'root')
  mkdirSync(root)
  try {
    return await done(steps, root)
  } finally {
    open(root)
    rmSync(base, { recursive: true, force: true })
  }
}

/** Makes what was closed removable again. */
function open(directory: string): void {
  chmodSync(directory, 0o700)
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) open(join(directory, entry.name))
  }
}

if (import.meta.main) {
  becomeNobody()
  process.on('message', async (steps: readonly Step[]) => process.send?.(await doneInNewTree(steps)))
}
