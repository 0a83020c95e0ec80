import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { stopServer } from './postgres-server.ts'

/** A directory for the server that a run may start, which ends with the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), 'ambit-postgres-'))
  // The server runs as another user.
  chmodSync(directory, 0o711)
  project.provide('postgres', directory)
  return async () => {
    await stopServer(join(directory, 'server'))
    rmSync(directory, { recursive: true, force: true })
  }
}
