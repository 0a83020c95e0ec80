import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import {
  hasContext,
  type LoadedContext,
  loadContext,
  loadContextFile,
} from '../../../../src/context/context-dir/load-context.ts'
import { becomeNobody, nodeForNobody } from '../../../support/nobody.ts'

/** What a user who is not root gets, as JSON would tell it. */
export interface Unprivileged {
  readonly loaded: LoadedContext
  /** With `cache`, asked twice. */
  readonly cached: LoadedContext
  readonly has: boolean
  /** The code of the error that loading the file by itself gives. */
  readonly code: string
}

/** Loads a context directory, and a file, in a process of a user who is not root. */
export async function asNobody(rootDir: string, file: string): Promise<Unprivileged> {
  const [node, program] = nodeForNobody(import.meta.filename)
  const { stdout } = await promisify(execFile)(node, [program, rootDir, file], { cwd: '/' })
  return JSON.parse(stdout)
}

if (import.meta.main) {
  const [rootDir = '', file = ''] = process.argv.slice(2)
  becomeNobody()
  await loadContext({ rootDir, cache: true })
  const answer = {
    loaded: await loadContext({ rootDir }),
    cached: await loadContext({ rootDir, cache: true }),
    has: await hasContext(rootDir),
    code: await loadContextFile(file).catch(({ code }) => code),
  }
  process.stdout.write(JSON.stringify(answer))
}
