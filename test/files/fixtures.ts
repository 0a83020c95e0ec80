import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const SECRET = 'the secret outside'
export const INSIDE = 'the text inside'

export interface Tree extends Disposable {
  /** Holds all of it. */
  readonly base: string
  /** The root under test: AGENTS.md, docs/guide.md. */
  readonly root: string
  /** Beside the root: secret.md, deep/secret.md. */
  readonly outside: string
}

/** A root with neighbours that must not be read, on the real file system. */
export function plantTree(directory = tmpdir()): Tree {
  const base = realpathSync(mkdtempSync(join(directory, 'ambit-local-')))
  const [root, outside] = [join(base, 'proj'), join(base, 'outside')]
  for (const directory of ['proj/docs', 'proj-evil', 'projx', 'outside/deep']) {
    mkdirSync(join(base, directory), { recursive: true })
  }
  for (const file of ['proj-evil/secret.md', 'outside/secret.md', 'outside/deep/secret.md', 'outside/AGENTS.md']) {
    writeFileSync(join(base, file), SECRET)
  }
  for (const file of ['AGENTS.md', 'docs/guide.md']) writeFileSync(join(root, file), INSIDE)
  return { base, root, outside, [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }) }
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}

/** Open descriptors of this process on files below a directory. Linux only; elsewhere none are found. */
export function descriptorsBelow(directory: string): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
      return path.startsWith(directory) ? [path] : []
    } catch {
      return []
    }
  })
}
