/**
 * Programs of the tests as a user who is not root. That user must be able to reach them: where the repository lies in a
 * directory that other users may not enter, they run from a copy, which `nobody-run.ts` makes for the run.
 */

import { spawnSync } from 'node:child_process'
import { realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { getuid, setgid, setgroups, setuid } from 'node:process'
import { ROOT } from '../source-files.ts'

export const NOBODY = 65534

/** The variable that names the copy to the processes of a run. */
export const COPY = 'AMBIT_TEST_COPY'

/** Gives up the rights of root, where this process has them. */
export function becomeNobody(): void {
  if (getuid?.() !== 0) return
  setgroups?.([])
  setgid?.(NOBODY)
  setuid?.(NOBODY)
}

/** The first words of a command that runs a module of the repository where another user can read it. */
export function nodeForNobody(module: string): readonly [node: string, module: string] {
  const copy = process.env[COPY]
  if (copy === undefined) return [process.execPath, module]
  return [nodeIn(copy), join(copy, relative(ROOT, module))]
}

/** Where a copy has its Node. */
export function nodeIn(copy: string): string {
  return join(copy, 'bin', 'node')
}

/** Whether all users may enter a directory, and those above it. */
export function mayAllEnter(directory: string): boolean {
  const path = realpathSync(directory)
  const above = dirname(path)
  return (statSync(path).mode & 0o001) !== 0 && (above === path || mayAllEnter(above))
}

let lacks: { readonly reason: string | undefined } | undefined

/** Why nothing can be tried as a user who is not root; undefined where it can, as by everyone but root. */
export function lacksNobody(): string | undefined {
  lacks ??= { reason: getuid?.() === 0 ? whyNot() : undefined }
  return lacks.reason
}

function whyNot(): string | undefined {
  if (!mayAllEnter(tmpdir())) return `other users may not enter the directory for temporary files, ${tmpdir()}`
  const { error } = spawnSync('true', { uid: NOBODY, gid: NOBODY, cwd: '/' })
  return error && `no process can become another user: ${error.message}`
}
