import { execFile } from 'node:child_process'
import { getuid, setgid, setgroups, setuid } from 'node:process'
import { promisify } from 'node:util'
import { profileNamed } from '../../../../src/context/profiles.ts'
import { Workspace } from '../../../../src/context/workspace/workspace.ts'

const NOBODY = 65534

/** What a user who is not root sees in a project, a line each. */
export async function asNobody(cwd: string, profile: string, touched: readonly string[]): Promise<string[]> {
  const args = [import.meta.filename, cwd, profile, ...touched]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: '/' })
  return JSON.parse(stdout)
}

if (import.meta.main) {
  const [cwd = '', name = '', ...touched] = process.argv.slice(2)
  if (getuid?.() === 0) {
    setgroups?.([])
    setgid?.(NOBODY)
    setuid?.(NOBODY)
  }
  const profile = profileNamed(name)
  const workspace = await Workspace.open({ cwd, home: false, ...(profile && { profile }) })
  for (const path of touched) await workspace.touch(path)
  const rows = await workspace.ledger()
  process.stdout.write(JSON.stringify(rows.map(({ title, decision, why }) => `${title}: ${why ?? decision}`)))
}
