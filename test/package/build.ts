import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../source-files.ts'

/** Builds dist/ before the tests that use it, and makes a cache that the programs of all tests share. */
export function setup(): () => void {
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: ROOT, stdio: 'inherit' })
  const cache = mkdtempSync(join(tmpdir(), 'ambit-cache-'))
  process.env.AMBIT_TEST_CACHE ??= cache
  return () => rmSync(cache, { recursive: true, force: true })
}
