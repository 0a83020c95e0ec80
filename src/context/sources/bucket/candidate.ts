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
  /** Reads its beginning. */
  read(request: ReadRequest): Promise<ObjectRead | 'unchanged'>
  /** Why what was read is not what was promised; undefined when it is, or when that cannot be told. */
  problemOf?(read: ObjectRead): string | undefined
}

/** What is looked for in each directory, as it is printed; the other way round in importance. */
const NAMES = ['README.md', 'AGENTS.md']

/** Directories above a place that are looked into, and the place: 50 files. */
export const MOST_LEVELS = 25

/** A file of one of the directories of a place, as yet without who reads it. */
export type Expected = Pick<Candidate, 'path' | 'isRoot' | 'reason' | 'position'> & {
  /** Without a slash before it. */
  readonly key: string
}

/** The directories of a place, the nearest first, without the root: `a/b/` and `a/` of `a/b/`. Slashes are not folded. */
function levelsOf(directory: string): string[] {
  return [...directory.matchAll(/\//g)].map(({ index }) => directory.slice(0, index + 1)).reverse()
}

/** The files to look for at a place, the most important first, and those that are too far above it. */
export function expectedAt(directory: string, root: string): { near: Expected[]; far: Expected[] } {
  const levels = levelsOf(directory)
  const all = [...levels, ''].map((level, index) => {
    const isRoot = level === ''
    const reason = isRoot ? `It is at the root of the ${root}.` : index === 0 ? HERE : ABOVE
    return NAMES.map((name, at) => {
      const key = `${level}${name}`
      return { key, path: `/${key}`, isRoot, reason, position: index * NAMES.length + at }
    }).reverse()
  })
  const isFar = (index: number) => index >= MOST_LEVELS && index < levels.length
  const those = (far: boolean) => all.filter((_, index) => isFar(index) === far).flat()
  return { near: those(false), far: those(true) }
}

const HERE = 'It is at the place.'
const ABOVE = 'It is above the place.'
