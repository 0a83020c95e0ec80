import type { WalkOptions } from '../file-filter.ts'
import type { FileBytes, NoText, TextOf } from './extraction.ts'
import { type FoundFile, walkTree } from './walk.ts'

/** Some of the files of a tree. */
export interface TreePage {
  readonly files: readonly FoundFile[]
  /** What is there and is not read: what looks like a secret, and what no document can be called. */
  readonly left: readonly { readonly file: FoundFile; readonly why: 'denied' | 'excluded'; readonly detail: string }[]
}

/** What an update looks at: the files of a directory, or the objects of a bucket. */
export interface IndexedTree {
  /** All of it, each path once: of a directory at once, of a bucket as its lists come, so that only a few are held. */
  pages(): AsyncIterable<TreePage>
  /** Places of which nothing is known, such as directories that cannot be listed; `''` is the root. Whole after the pages. */
  readonly closed: readonly { readonly path: string; readonly detail: string }[]
  /** Files that may be read at the same time. */
  readonly wide: number
  /** Of a directory: where its root led. */
  readonly realPath?: string
  read(file: FoundFile): Promise<FileBytes | NoText>
}

/** Files of a directory that are read ahead: while workers parse some, those behind them are at hand. */
const WIDE = 16

/** The files below a directory. */
export async function directoryTree(options: WalkOptions, textOf: TextOf): Promise<IndexedTree> {
  const { root, files, secrets, closed } = await walkTree(options)
  return {
    pages: async function* () {
      yield { files, left: secrets.map(leaveSecret) }
    },
    closed,
    wide: WIDE,
    realPath: root.realPath,
    read: ({ path }) => textOf.read(root, path),
  }
}

/** A file that looks like a secret, as it is left. */
export function leaveSecret(file: FoundFile): TreePage['left'][number] {
  return { file, why: 'denied', detail: 'Its name is that of a secret.' }
}
