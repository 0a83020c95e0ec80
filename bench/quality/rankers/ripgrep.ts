import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { scratch } from '../../fixtures.ts'
import type { RankerMaker } from '../measure.ts'
import { STOP_WORDS, wordsOf } from '../words.ts'
import { writeDocument } from './qmd.ts'

/** Files of a folder that have one of the words, the files with most of the words first. `rg` must be on the PATH. */
export function grepRanking(dir: string, words: readonly string[]): string[] {
  if (words.length === 0) return []
  const patterns = words.flatMap((word) => ['-e', word])
  const { stdout, status, error } = spawnSync('rg', ['-oiIF', '--null', '--with-filename', ...patterns, '.'], {
    cwd: dir,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
  // 1: nothing found.
  if (error || (status ?? 2) > 1) throw new Error('rg failed', { cause: error })
  const found = new Map<string, string[]>()
  for (const line of stdout.split('\n')) {
    const [path, word] = line.split('\0')
    if (path === undefined || word === undefined) continue
    found.set(path, [...(found.get(path) ?? []), word.toLowerCase()])
  }
  const scored = [...found].map(([path, all]) => ({
    path: path.replace(/^\.\//, ''),
    score: new Set(all).size * 1e6 + all.length,
  }))
  return scored.sort((a, b) => b.score - a.score).map(({ path }) => path)
}

/** Searches as a person or an agent greps: for every word except stop words, ignoring case. */
export const ripgrepRanker: RankerMaker = {
  name: 'ripgrep, words',
  open() {
    const folder = scratch()
    const ids = new Map<string, string>()
    return {
      async index(documents) {
        for await (const doc of documents) ids.set(writeDocument(folder, doc, ids.size), doc.id)
      },
      async search(query, k) {
        const words = wordsOf(query).filter((word) => !STOP_WORDS.has(word))
        return grepRanking(folder, words)
          .slice(0, k)
          .map((path) => ids.get(path) ?? `unknown: ${path}`)
      },
      async close() {
        rmSync(folder, { recursive: true })
      },
    }
  },
}
