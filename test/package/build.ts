import { execFileSync } from 'node:child_process'
import { ROOT } from '../source-files.ts'

/** Builds dist/ before the tests that use it; takes no time when it is up to date. */
export function setup(): void {
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: ROOT, stdio: 'inherit' })
}
