import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findProfile } from '../../../../src/context/profiles.ts'
import { Workspace } from '../../../../src/context/workspace/workspace.ts'
import { becomeNobody, nodeForNobody } from '../../../support/nobody.ts'

/** What a user who is not root sees in a project, a line each. */
export async function asNobody(cwd: string, profile: string, touched: readonly string[]): Promise<string[]> {
  const [node, program] = nodeForNobody(import.meta.filename)
  const { stdout } = await promisify(execFile)(node, [program, cwd, profile, ...touched], { cwd: '/' })
  return JSON.parse(stdout)
}

if (import.meta.main) {
  const [cwd = '', name = '', ...touched] = process.argv.slice(2)
  becomeNobody()
  const profile = findProfile(name)
  const workspace = await Workspace.open({ cwd, home: false, ...(profile && { profile }) })
  for (const path of touched) await workspace.touch(path)
  const rows = await workspace.ledger()
  process.stdout.write(JSON.stringify(rows.map(({ title, decision, why }) => `${title}: ${why ?? decision}`)))
}
