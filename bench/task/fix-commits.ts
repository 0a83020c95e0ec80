/** Takes tasks from a history: messages of fix commits as tasks, and the definitions that they changed as gold. */

import { factorOf, languageOf } from '../../src/code/languages.ts'
import type { Commit, Repository } from './repository.ts'

const FIX =
  /\b(?:fix(?:e[sd])?|bug|crash(?:es|ed)?|regress\w*|incorrect(?:ly)?|wrong(?:ly)?|broken|leaks?|panics?|handle|avoid|prevent|should|ensure|correct(?:ly)?)\b/i
const OTHER =
  /^(?:merge|revert|release|bump|docs?|chore|ci|style|test|build|typo|deps|update dep|lint|format|\[ci\])\b|\btypos?\b|\blint|\bdependabot/i
const MOST_FILES = 8
const MOST_LINES = 200
const MIN_MESSAGE = 40
const MAX_COMMITS = 6000
/** Tasks are chosen evenly from the newest fix commits: at most this many times the number of tasks. */
const SPREAD = 6

/** A task, and the files that its fix changed. */
export interface FixTask extends Commit {
  readonly task: string
  /** All changed files that an index takes, including tests and documents. */
  readonly patch: readonly string[]
}

/** Fix commits of a history. The same history gives the same commits. */
export function fixTasks(repository: Repository, wanted: number): FixTask[] {
  const found: FixTask[] = []
  for (const commit of repository.commits(MAX_COMMITS)) {
    if (found.length >= wanted * SPREAD) break
    const task = taskOf(commit.message)
    const [subject = ''] = task.split('\n')
    if (task.length < MIN_MESSAGE || !FIX.test(subject) || OTHER.test(subject)) continue
    const changes = repository.changes(commit.parent, commit.hash)
    const patch = changes.map(({ path }) => path).filter((path) => languageOf(path))
    const files = changes.filter(({ path }) => isProduct(path))
    const lines = files.reduce((sum, file) => sum + file.lines.length, 0)
    if (files.length > 0 && files.length <= MOST_FILES && lines <= MOST_LINES)
      found.push({ ...commit, task, files, patch })
  }
  const step = Math.max(1, Math.floor(found.length / wanted))
  // The oldest first, so that only the changes between two commits are indexed.
  return found
    .filter((_, index) => index % step === 0)
    .slice(0, wanted)
    .reverse()
}

function isProduct(path: string): boolean {
  return languageOf(path)?.kind === 'code' && factorOf(path, '') >= 0.5
}

/** A message without the parts that nobody writes in a task, such as trailers and numbers of issues. */
function taskOf(message: string): string {
  return message
    .replace(
      /^(?:Signed-off-by|Co-authored-by|Reviewed-by|Change-Id|Closes|Fixes|Fix|Refs?|Resolves|See)[: ]+#?\S*\s*$/gim,
      '',
    )
    .replace(/\(?(?:#|GH-)\d+\)?/g, '')
    .replace(/^\S*\b[0-9a-f]{40}\b.*$/gm, '')
    .trim()
}
