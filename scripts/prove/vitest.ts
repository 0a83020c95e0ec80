/** Tests that are a part of the proof, run as they are. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const ROOT = dirname(dirname(import.meta.dirname))

/** A test and what came of it. */
interface Tested {
  readonly fullName: string
  readonly status: 'passed' | 'failed' | 'skipped' | 'pending' | 'todo'
  readonly failureMessages?: readonly string[]
}

/** Runs files of tests, of which only those whose title matches, where that is told. */
export async function tested(
  files: readonly string[],
  { title, env = {} }: { readonly title?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<readonly Tested[]> {
  const place = mkdtempSync(join(tmpdir(), 'ambit-prove-'))
  // Where CI is set, the tests write the report that is counted there.
  const { CI: _, ...own } = process.env
  const report = join(place, 'report.json')
  const args = [
    'run',
    '--project',
    'unit',
    '--reporter=json',
    `--outputFile=${report}`,
    ...(title ? ['-t', title] : []),
  ]
  const program = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  try {
    const child = spawn(process.execPath, [program, ...args, ...files], {
      cwd: ROOT,
      env: { ...own, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await once(child, 'exit')
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
    return testResults.flatMap(({ assertionResults }: { assertionResults: Tested[] }) => assertionResults)
  } finally {
    rmSync(place, { recursive: true })
  }
}
