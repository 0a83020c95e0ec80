/**
 * Writes the page of figures: `npm run figures [-- --since COMMIT]`. With a commit, also prints which figures became better or
 * worse since. `.ci/run full` passes the time of each of its sections, a line each on stdin, with `--check COMMIT`.
 */

import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Verdict } from './harness.ts'
import { keepResults, type Results, shownOf, writeFigures } from './report.ts'

const ROOT = join(import.meta.dirname, '..')

const { values } = parseArgs({ options: { since: { type: 'string' }, check: { type: 'string' } } })
if (values.check !== undefined) keepCheck(values.check, readFileSync(0, 'utf8'))
writeFigures()
if (values.since !== undefined) for (const line of changesSince(values.since)) console.log(line)

function keepCheck(commit: string, summary: string): void {
  const rows = summary.split('\n').flatMap((line) => {
    const [, seconds, name] = /^ *(\d+)s +(?:ok +)?(.+)$/.exec(line) ?? []
    return seconds === undefined || name === undefined ? [] : [[name, `${seconds} s`]]
  })
  const table = { title: `All passed on ${commit}`, columns: ['part', 'time'], rows }
  keepResults('check-full', '.ci/run full', { verdicts: [], tables: [table] })
}

/** A line for each figure that differs from the commit's. */
function changesSince(commit: string): readonly string[] {
  return globSync('bench/results/*.json', { cwd: ROOT })
    .sort()
    .flatMap((path) => {
      const before = verdictsOf(recordAt(commit, path))
      return verdictsOf(readFileSync(join(ROOT, path), 'utf8')).flatMap((verdict) =>
        changeOf(
          before.find(({ figure }) => figure === verdict.figure),
          verdict,
        ),
      )
    })
}

function recordAt(commit: string, path: string): string | undefined {
  try {
    return execFileSync('git', ['show', `${commit}:${path}`], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' })
  } catch {
    return undefined
  }
}

function verdictsOf(record: string | undefined): readonly Verdict[] {
  return record === undefined ? [] : (JSON.parse(record) as Results).verdicts
}

function changeOf(before: Verdict | undefined, { figure, value, unit, atLeast = false, held }: Verdict): string[] {
  const now = `${shownOf(value, unit)}${held ? '' : ' (missed)'}`
  if (!before) return [`new     ${figure}: ${now}`]
  const was = shownOf(before.value, unit)
  if (was === shownOf(value, unit)) return []
  return [`${value > before.value === atLeast ? 'better' : 'worse '}  ${figure}: ${was} → ${now}`]
}
