import type { WalkOptions } from '../file-filter.ts'
import type { FileBytes, NoText, TextOf } from './extraction.ts'
import { type FoundFile, walkTree } from './walk.ts'

/** What an update looks at: the files of a directory, or the objects of a bucket. */
export interface IndexedTree {
  readonly files: readonly FoundFile[]
  /** Files that look like secrets: they are not read. */
  readonly secrets: readonly FoundFile[]
  /** What is there and no document can be called, and why. */
  readonly odd: readonly { readonly file: FoundFile; readonly detail: string }[]
  /** Places of which nothing is known, such as directories that cannot be listed; `''` is the root. */
  readonly closed: readonly { readonly path: string; readonly detail: string }[]
  /** Files that may be read at the same time. */
  readonly wide: number
  read(file: FoundFile): Promise<FileBytes | NoText>
}

/** The files below a directory: read one by one, into the same memory. */
export async function directoryTree(options: WalkOptions, textOf: TextOf): Promise<IndexedTree> {
  const { root, files, secrets, closed } = await walkTree(options)
  return { files, secrets, closed, odd: [], wide: 1, read: ({ path }) => textOf.read(root, path) }
}
