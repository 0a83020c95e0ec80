/**
 * Prints what each budget shows of this repository for ten tasks, and whether a person would cut the same. Names the rows that
 * have changed since a person read them. Read these rows, correct their verdicts in scripts/docs/task-cuts.json, and run the
 * command with `--read`.
 */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TaskAnswer } from '../src/context/answers.ts'
import { selectTaskContext } from '../src/context/task.ts'

interface Cut {
  readonly task: string
  /** Whether a person would cut the same, in words. */
  readonly verdict: string
  /** A digest of what was shown when the person read it. */
  readonly read: string
}

const ROOT = dirname(import.meta.dirname)
const CUTS = 'scripts/docs/task-cuts.json'
const BUDGETS = [1000, 2000, 4000, 8000]
const MOST_NAMES = 8

/** Copies the files of the repository, except the file with the tasks. */
function copyProject(to: string): void {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 })
  for (const path of listed.split('\0')) {
    if (path === '' || path === CUTS) continue
    mkdirSync(dirname(join(to, path)), { recursive: true })
    cpSync(join(ROOT, path), join(to, path), { verbatimSymlinks: true })
  }
  mkdirSync(join(to, '.git'))
}

async function answersFor(task: string, place: string, cache: string): Promise<readonly TaskAnswer[]> {
  const answers: TaskAnswer[] = []
  for (const budget of BUDGETS) answers.push(await selectTaskContext({ task, place, budget, precise: true }, { cache }))
  return answers
}

/** What an answer shows: for each file, the names of its parts. Parts without a name are named by their lines. */
function shownIn({ files, ledger }: TaskAnswer): string[] {
  const named = files.flatMap(({ path, ranges }) => {
    const names = ranges.map(({ name, start, end }) => (name === undefined ? `lines ${start}-${end}` : `\`${name}\``))
    return names.length === 0 ? [] : [`${path.split('/').slice(-2).join('/')}: ${[...new Set(names)].join(', ')}`]
  })
  const passages = ledger.filter(({ kind, decision }) => kind === 'passage' && decision !== 'left').length
  return passages === 0 ? named : [...named, `${passages} ${passages === 1 ? 'passage' : 'passages'}`]
}

function cellOf(answer: TaskAnswer, before: TaskAnswer | undefined): string {
  if (before?.text === answer.text) return 'the same'
  const known = new Set(before ? shownIn(before) : [])
  const added = shownIn(answer).filter((part) => !known.has(part))
  const hiddenCount = added.length - MOST_NAMES
  const shownNames = [...added.slice(0, MOST_NAMES), ...(hiddenCount > 0 ? [`and ${hiddenCount} more`] : [])].join('; ')
  return `${answer.tokenCount.toLocaleString('en')}: ${shownNames.replaceAll('|', '\\|')}`
}

function digestOf(answers: readonly TaskAnswer[]): string {
  const hash = createHash('sha256')
  for (const answer of answers) hash.update(`${shownIn(answer).join('\n')}\n\n`)
  return hash.digest('hex').slice(0, 12)
}

const isRead = process.argv.includes('--read')
const scratch = mkdtempSync(join(tmpdir(), 'ambit-cuts-'))
try {
  const place = join(scratch, 'project')
  copyProject(place)
  const cuts: readonly Cut[] = JSON.parse(readFileSync(join(ROOT, CUTS), 'utf8'))
  const rows: string[] = []
  const seen: Cut[] = []
  for (const cut of cuts) {
    const answers = await answersFor(cut.task, place, join(scratch, 'cache'))
    const now = digestOf(answers)
    const isNew = now !== cut.read && !isRead
    if (isNew) console.error(`Not read since it changed: ${cut.task}\n${answers.at(-1)?.text ?? ''}\n`)
    seen.push(isRead ? { ...cut, read: now } : cut)
    const cells = answers.map((answer, at) => cellOf(answer, answers[at - 1]))
    const task = cut.task.trim().startsWith('at ') || cut.task.startsWith('diff') ? `\`${cut.task}\`` : cut.task
    rows.push(`| ${[task, ...cells, `${cut.verdict}${isNew ? ' (not read since it changed)' : ''}`].join(' | ')} |`)
  }
  const heads = ['task', ...BUDGETS.map((budget) => budget.toLocaleString('en')), 'would you cut so?']
  const table = [`| ${heads.join(' | ')} |`, `|${' --- |'.repeat(heads.length)}`, ...rows].join('\n')
  console.log(table)
  if (isRead) writeFileSync(join(ROOT, CUTS), `${JSON.stringify(seen, undefined, 2)}\n`)
} finally {
  rmSync(scratch, { recursive: true })
}
