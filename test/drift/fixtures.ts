import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { type Drift, findDrift } from '../../src/drift/drift.ts'
import { type Shape, tree } from '../support/tree.ts'

export interface Planted extends Disposable {
  /** The directory `project` in a tree of its own. */
  readonly root: string
  write(files: Shape): void
  /** Runs git in the root, as nobody in particular and without the user's own settings. */
  git(...args: readonly string[]): string
  commit(message: string): void
  /** Adds entries to the index, whatever is on disk; as `git update-index --index-info` reads them. */
  index(entries: string): void
  /** Makes an executable script beside the root that leaves a file behind, to see whether anything ran it. */
  trap(name: string): { readonly script: string; readonly sprung: string }
}

/** A project on the real file system; keys are as for `tree`, from its root. */
export function plant(files: Shape = {}): Planted {
  const planted = tree({ 'project/': '' }, 'ambit-drift-')
  const root = planted.at('project')
  const write = (more: Shape) =>
    planted.plant(Object.fromEntries(Object.entries(more).map(([key, what]) => [`project/${key}`, what])))
  write(files)
  return {
    root,
    write,
    git: (...args) => git(root, args),
    commit: (message) => {
      git(root, ['add', '--all'])
      git(root, ['commit', '--quiet', '--message', message])
    },
    index: (entries) => git(root, ['update-index', '--index-info'], entries),
    trap: (name) => {
      const [script, sprung] = [planted.at(`${name}.sh`), planted.at(`${name}.sprung`)]
      planted.plant({ [`${name}.sh`]: `#!/bin/sh\ntouch '${sprung}'\n` })
      chmodSync(script, 0o755)
      return { script, sprung }
    },
    [Symbol.dispose]: () => planted[Symbol.dispose](),
  }
}

function git(root: string, args: readonly string[], input = ''): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false']
  const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' }
  return execFileSync('git', [...identity, ...args], { cwd: root, env, input, encoding: 'utf8', stdio: 'pipe' })
}

/** What is found in one text, AGENTS.md in the root unless another name is given. */
export async function driftIn(
  { root }: Pick<Planted, 'root'>,
  text: string,
  { name = 'AGENTS.md', history = false }: { readonly name?: string; readonly history?: boolean } = {},
): Promise<readonly Drift[]> {
  const { drift, unfinished } = await findDrift({ root, files: [{ path: join(root, name), text }], history })
  if (unfinished.length > 0) throw new Error('Time was up.')
  return drift
}

/** A repository whose first commit holds the files. */
export function committed(files: Shape): Planted {
  const planted = plant(files)
  planted.git('init', '--quiet')
  planted.commit('first')
  return planted
}
