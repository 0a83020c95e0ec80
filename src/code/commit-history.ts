/** Learns from the commits of a repository which files changed together, and why. */

import { readCacheFile, writeCacheFile } from '../files/cache-file.ts'
import { inverseFrequency } from '../retrieval/rank.ts'
import { termsOfText } from './index/identifiers.ts'

interface KnownCommit {
  /** Distinct terms (hashes of stems) of its message. */
  readonly terms: readonly number[]
  readonly paths: readonly string[]
}

/** The commits of a tree, latest first. */
export interface CommitHistory {
  /** The checked-out commit at the time of reading. */
  readonly head: string
  readonly commits: readonly KnownCommit[]
}

/** Maximum stored commits of a repository. */
export const MAX_KNOWN_COMMITS = 3000
/** Maximum files of a commit. A commit with more files does not show which files belong together, and is ignored. */
const MAX_FILES = 30
/** Maximum characters of a message that are parsed. */
const MAX_MESSAGE_LENGTH = 2000
const FORMAT_VERSION = 1

/** Reads the stored history of a repository. Undefined for another repository or format, and for a file that cannot be read. */
export function readHistory(cacheFile: string, root: string): CommitHistory | undefined {
  const bytes = readCacheFile(cacheFile)
  try {
    const stored: StoredHistory = JSON.parse(bytes?.toString() ?? 'null')
    if (stored?.format !== FORMAT_VERSION || stored.root !== root) return undefined
    const commits = stored.commits.map(([terms, ids]) => ({ terms, paths: ids.map((id) => stored.paths[id] ?? '') }))
    return { head: stored.head, commits }
  } catch {
    return undefined
  }
}

interface StoredHistory {
  readonly format: number
  readonly root: string
  readonly head: string
  readonly paths: readonly string[]
  readonly commits: readonly (readonly [terms: readonly number[], paths: readonly number[]])[]
}

export function writeHistory(cacheFile: string, root: string, { head, commits }: CommitHistory): void {
  const paths = [...new Set(commits.flatMap((commit) => commit.paths))]
  const indexByPath = new Map(paths.map((path, index) => [path, index]))
  const rows = commits.map(({ terms, paths }) => [terms, paths.flatMap((path) => indexByPath.get(path) ?? [])] as const)
  const stored: StoredHistory = { format: FORMAT_VERSION, root, head, paths, commits: rows }
  writeCacheFile(cacheFile, [Buffer.from(JSON.stringify(stored))])
}

/** Adds the new commits to the known commits, and keeps the last `MAX_KNOWN_COMMITS` commits. */
export function extendHistory(
  known: CommitHistory | undefined,
  added: { head: string; commits: readonly { readonly message: string; readonly paths: readonly string[] }[] },
): CommitHistory {
  const { head, commits } = added
  const informativeCommits = commits.filter(({ paths }) => paths.length > 0 && paths.length <= MAX_FILES)
  const newCommits = informativeCommits.map(({ message, paths }) => ({
    terms: [...termsOfText(message.slice(0, MAX_MESSAGE_LENGTH))],
    paths,
  }))
  return { head, commits: [...newCommits, ...(known?.commits ?? [])].slice(0, MAX_KNOWN_COMMITS) }
}

/** Number of the best messages whose files get a score. */
const MAX_MESSAGES = 60
/** Parameters of BM25: k1 and b. */
const SATURATION = 1.2
const LENGTH_NORM = 0.75
/** Added to a seed's number of commits, so that seeds with few commits count less. */
const COMMITS_DAMPING = 4

/** For each file by path, how well the messages of its commits match a task: 0 to 1. */
export function scoreByMessages({ commits }: CommitHistory, terms: ReadonlyMap<number, number>): Map<string, number> {
  const scores = messageScores(commits, terms)
  const commitCounts = new Map<string, number>()
  for (const { paths } of commits) for (const path of paths) commitCounts.set(path, (commitCounts.get(path) ?? 0) + 1)
  // A file that changes often is in many commits, whatever their messages say.
  const damped = new Map([...scores].map(([path, score]) => [path, score / Math.sqrt(commitCounts.get(path) ?? 1)]))
  const highest = [...damped.values()].reduce((max, score) => Math.max(max, score), 0) || 1
  return new Map([...damped].map(([path, score]) => [path, score / highest]))
}

/** Scores of files by path: each of the best messages by BM25 adds a share of its score to the files of its commit. */
function messageScores(commits: readonly KnownCommit[], terms: ReadonlyMap<number, number>): Map<string, number> {
  const frequencies = new Map<number, number>()
  for (const commit of commits) {
    for (const term of commit.terms) if (terms.has(term)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
  }
  const averageLength = commits.reduce((sum, commit) => sum + commit.terms.length, 0) / commits.length || 1
  const scoredCommits = commits.map((commit) => {
    const norm = SATURATION * (1 - LENGTH_NORM + (LENGTH_NORM * commit.terms.length) / averageLength)
    let score = 0
    for (const term of commit.terms) {
      const weight = terms.get(term) ?? 0
      if (weight > 0) score += weight * inverseFrequency(frequencies.get(term) ?? 0, commits.length)
    }
    return { paths: commit.paths, score: score / (1 + norm) }
  })
  const bestCommits = scoredCommits.sort((a, b) => b.score - a.score).slice(0, MAX_MESSAGES)
  const scoresByPath = new Map<string, number>()
  for (const { paths, score } of bestCommits) {
    const share = score ** 2 / Math.sqrt(paths.length)
    if (share > 0) for (const path of paths) scoresByPath.set(path, (scoresByPath.get(path) ?? 0) + share)
  }
  return scoresByPath
}

/**
 * The companions of the seeds (files that belong to the task; `weight`: 0 to 1): files that changed in the same
 * commits. `score`: higher for a file in a larger share of a seed's commits. `commits`: the number of common commits.
 */
export function changedTogether(
  { commits }: CommitHistory,
  seeds: readonly { readonly path: string; readonly weight: number }[],
) {
  const commitsBySeed = new Map(seeds.map(({ path }) => [path, [] as KnownCommit[]]))
  for (const commit of commits) for (const path of commit.paths) commitsBySeed.get(path)?.push(commit)
  const companions = new Map<string, { score: number; readonly commits: Set<KnownCommit> }>()
  for (const { path: seed, weight } of seeds) {
    const seedCommits = commitsBySeed.get(seed) ?? []
    const share = weight / (seedCommits.length + COMMITS_DAMPING)
    for (const commit of seedCommits) {
      for (const path of commit.paths) {
        if (path === seed) continue
        const companion = companions.get(path) ?? { score: 0, commits: new Set() }
        companions.set(path, companion)
        companion.score += share
        companion.commits.add(commit)
      }
    }
  }
  return new Map([...companions].map(([path, { score, commits }]) => [path, { score, commits: commits.size }]))
}
