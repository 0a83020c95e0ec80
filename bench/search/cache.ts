import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { pagePaths, unskippedPath } from '../pages.ts'
import { sampleOf } from '../random.ts'
import { corpusOf } from './corpus.ts'

/** A folder of Markdown that may be changed. */
export interface PreparedCorpus {
  readonly dir: string
  readonly files: number
  /** Bytes of its files. */
  readonly bytes: number
}

const CACHE = join(tmpdir(), 'ambit-bench')

/** Increase this number when the generator changes. */
const EDITION = 2

/** The generated corpus of this many files. It is written once, and stored in the system's directory for temporary files. */
export function generatedCorpus(files: number, cache = CACHE): PreparedCorpus {
  const dir = join(cache, `corpus-${EDITION}-${files}`)
  if (!existsSync(markOf(dir))) {
    const unfinished = `${dir}.${process.pid}`
    writeCorpus(unfinished, files)
    rmSync(dir, { recursive: true, force: true })
    renameSync(unfinished, dir)
    writeFileSync(markOf(dir), '')
  }
  return preparedOf(dir)
}

/** Copies a folder of the user, because the measurements change files. */
export function copyCorpus(from: string, cache = CACHE): PreparedCorpus {
  const dir = join(cache, `copy-${basename(resolve(from))}`)
  rmSync(dir, { recursive: true, force: true })
  for (const path of pagePaths(from)) {
    const to = join(dir, unskippedPath(path))
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(join(from, path), to)
  }
  if (!existsSync(dir)) throw new Error(`${from} holds no Markdown`)
  return preparedOf(dir)
}

function writeCorpus(dir: string, files: number): void {
  const corpus = corpusOf()
  for (let index = 0; index < files; index++) {
    const { path, text } = corpus.file(index)
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
}

function preparedOf(dir: string): PreparedCorpus {
  const paths = pagePaths(dir)
  return { dir, files: paths.length, bytes: paths.reduce((sum, path) => sum + statSync(join(dir, path)).size, 0) }
}

/** A file that exists while the corpus is unchanged. */
function markOf(dir: string): string {
  return `${dir}.complete`
}

/**
 * Adds a sentence to `percent` of the files, runs something, and restores the files. An interrupted run leaves the corpus
 * marked as incomplete, so that it is written again.
 */
export async function withChanges<T>(
  dir: string,
  { percent, seed }: { readonly percent: number; readonly seed: number },
  run: (changed: readonly string[]) => Promise<T>,
): Promise<T> {
  const paths = pagePaths(dir)
  const changed = sampleOf(paths, Math.ceil((paths.length * percent) / 100), seed)
  const before = changed.map((path) => ({ at: join(dir, path), text: readFileSync(join(dir, path)) }))
  const marked = existsSync(markOf(dir))
  rmSync(markOf(dir), { force: true })
  for (const { at } of before) appendFileSync(at, `\nThis line was added by change number ${seed}.\n`)
  const result = await run(changed)
  for (const { at, text } of before) {
    writeFileSync(at, text)
    utimesSync(at, new Date(), new Date())
  }
  if (marked) writeFileSync(markOf(dir), '')
  return result
}
