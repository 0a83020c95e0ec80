/** What the processes that read documents may do: nothing but read what they are sent. */

import { spawnSync } from 'node:child_process'
import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'

/** What keeps a reader from the network: a namespace of its own, or nothing, and why. */
export type NetworkIsolation = { readonly by: 'namespace' } | { readonly by: 'nothing'; readonly why: string }

/** Milliseconds after which `unshare` is taken for one that does not answer. */
const PATIENCE_MS = 2_000

/**
 * Starts a program where there is no network, not even this machine's. Who is not root needs a namespace of users for that;
 * in one, root could not read what belongs to others, such as a program that another user installed.
 */
const UNSHARE = [...(process.getuid?.() === 0 ? [] : ['--user']), '--net', '--']

let known: NetworkIsolation | undefined

/** Tried once in a process. */
export function networkIsolation(): NetworkIsolation {
  known ??= tryIsolation()
  return known
}

function tryIsolation(): NetworkIsolation {
  if (process.platform !== 'linux') return { by: 'nothing', why: `${process.platform} has no network namespaces` }
  const { status, error, stderr } = spawnSync('unshare', [...UNSHARE, 'true'], {
    timeout: PATIENCE_MS,
    encoding: 'utf8',
    env: PATH,
  })
  if (status === 0) return { by: 'namespace' }
  const why = error
    ? 'the program unshare (util-linux) is not installed'
    : stderr.trim() || `unshare ended with ${status}`
  return { by: 'nothing', why }
}

const PATH = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }

/** How a reader is started. */
export interface ConfinedStart {
  readonly execPath: string
  readonly execArgv: string[]
}

/**
 * Starts Node without an environment, so that it reads the files of the program alone, writes none, starts no program and
 * evaluates no text; without a network where the system lets one have that. Its guard is a thread. `worker`: its program.
 */
export function confinedStart(worker: URL, memoryMiB: number): ConfinedStart {
  const program = dirname(findPackageJSON(worker.href) ?? worker.pathname)
  const node = [
    `--max-old-space-size=${memoryMiB}`,
    '--disallow-code-generation-from-strings',
    '--permission',
    `--allow-fs-read=${program}/*`,
    '--allow-worker',
  ]
  if (networkIsolation().by === 'nothing') return { execPath: process.execPath, execArgv: node }
  return { execPath: 'unshare', execArgv: [...UNSHARE, process.execPath, ...node] }
}
