import type { ObjectRead, ReadRequest } from '../../../files/objects.ts'

/** A file that may say what a place is for, whether it is there or not. */
export interface Candidate {
  /** Stable and openable. */
  readonly uri: string
  readonly title: string
  readonly scope: 'bucket' | 'package'
  /** With a slash before it; in a package, as it is called there. */
  readonly path: string
  /** At the root of a bucket or of a package: it does not count where there are too many. */
  readonly isRoot: boolean
  /** Why it applies: a sentence. */
  readonly reason: string
  /** Where it is printed among the files of its scope. */
  readonly position: number
  /** The number of the batch of requests that it is in, from 0. */
  readonly wave: number
  /** Reads its beginning. */
  read(request: ReadRequest): Promise<ObjectRead | 'unchanged'>
  /** Why a file differs from its package; undefined where it does not, and where that cannot be checked. */
  problemOf?(read: ObjectRead): string | undefined
}

/** What is looked for in each directory, as it is printed; the other way round in importance. */
const NAMES = ['README.md', 'AGENTS.md']

/** Directories that are looked into at once, the nearest and the root first: 50 files. */
const WAVE = 25

/** A file of one of the directories of a place, as yet without who reads it. */
export type Expected = Pick<Candidate, 'path' | 'isRoot' | 'reason' | 'position' | 'wave'> & {
  /** Without a slash before it. */
  readonly key: string
}

/** The directories of a place, the nearest first, without the root: `a/b/` and `a/` of `a/b/`. Slashes are not folded. */
function levelsOf(directory: string): string[] {
  return [...directory.matchAll(/\//g)].map(({ index }) => directory.slice(0, index + 1)).reverse()
}

/** The files to look for at a place, the most important first. */
export function expectedAt(directory: string, root: string): Expected[] {
  return [...levelsOf(directory), ''].flatMap((level, index) => {
    const isRoot = level === ''
    const reason = isRoot ? `It is at the root of the ${root}.` : index === 0 ? HERE : ABOVE
    const wave = isRoot ? 0 : Math.floor(index / WAVE)
    return NAMES.map((name, at) => {
      const key = `${level}${name}`
      return { key, path: `/${key}`, isRoot, reason, position: index * NAMES.length + at, wave }
    }).reverse()
  })
}

const HERE = 'It is at the place.'
const ABOVE = 'It is above the place.'
