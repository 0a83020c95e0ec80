import { type BigIntStats, statSync } from 'node:fs'
import { join } from 'node:path'
import { BOUNDS } from '../../core/bounds.ts'
import { throwIfAborted } from '../../core/errors.ts'
import { yieldToEvents } from '../../core/steps.ts'
import { type LocalRoot, openRoot } from '../../files/disk.ts'
import { readIgnoreRules } from '../../files/text-file.ts'
import type { FileStamp } from '../../stores/document-store.ts'
import { type IgnoreRules, isIgnored } from '../../text/gitignore.ts'
import { relativeTo } from '../../text/paths.ts'
import { describeSecret, findSecret, looksSecret } from '../../text/secrets.ts'
import type { ExtractedContent } from '../extracted.ts'
import type { Extractor } from '../extractor.ts'
import { fileFilter, type WalkOptions } from '../file-filter.ts'

/** A page of the files of a tree. */
export interface TreePage {
  readonly files: readonly TreeFile[]
  /** Existing files that are not read: possible secrets, and files with a name that no document can have. */
  readonly left: readonly { readonly file: TreeFile; readonly why: 'denied' | 'excluded'; readonly detail: string }[]
}

/** A tree to index: the files of a directory, or the objects of a bucket. */
export interface IndexedTree {
  /** All files, each path once. A directory is one page; a bucket comes page by page, to save memory. */
  pages(): AsyncIterable<TreePage>
  /** Places with unknown content, such as unreadable directories; `''` is the root. Complete after the last page. */
  readonly unknownPlaces: readonly { readonly path: string; readonly detail: string }[]
  /** Maximum concurrent reads. */
  readonly concurrency: number
  /** The real path of the root of a directory. */
  readonly realPath?: string
  read(file: TreeFile): Promise<FileBytes | NoText>
}

/** Maximum files of a directory that are read ahead while workers parse earlier files. */
const MAX_READS = 16

/** The files below a directory. */
export async function directoryTree(options: WalkOptions, reader: TextReader): Promise<IndexedTree> {
  const { root, files, secrets, unknownPlaces } = await walkTree(options)
  return {
    pages: async function* () {
      yield { files, left: secrets.map(leaveSecretFile) }
    },
    unknownPlaces,
    concurrency: MAX_READS,
    realPath: root.realPath,
    read: ({ path }) => reader.read(root, path),
  }
}

/** The entry in `left` for a file with the name of a secret. */
export function leaveSecretFile(file: TreeFile): TreePage['left'][number] {
  return { file, why: 'denied', detail: 'Its name is that of a secret.' }
}

/** A file that belongs to a collection. */
export interface TreeFile extends FileStamp {
  /** Relative to the root, with slashes. */
  readonly path: string
}

/** Number of entries between two pauses. */
const ENTRIES_PER_PAUSE = 4096

/**
 * Lists the files of a directory tree, without ignored and hidden files. Follows links to files inside the root, but
 * not links to directories, so that it finds no file twice.
 *
 * @returns `secrets`: possible secrets, which are not read. `unknownPlaces`: directories that could not be listed (`''`
 * is the root), and names that no path can have.
 *
 * @throws ContextError `not-found` for a missing directory; `denied` for a directory of the system; `cancelled`.
 */
export async function walkTree({ root: path, access, patterns, exclude, signal }: WalkOptions) {
  const root = openRoot(path, { unbounded: true, realPath: access?.realPath })
  const prefix = join(root.realPath, '/')
  const filter = fileFilter({ patterns, exclude })
  const [files, secrets]: [TreeFile[], TreeFile[]] = [[], []]
  const unknownPlaces: { path: string; detail: string }[] = []
  let entriesSincePause = 0
  /** Adds a file. A link has the size and times of its target; the read checks whether the target is inside the root. */
  const addFile = (path: string) => {
    const stat = statLink(`${prefix}${path}`)
    if (stat === undefined || (stat !== 'unknown' && !stat.isFile())) return
    const list = looksSecret(path) ? secrets : files
    list.push({ path, ...stampOf(stat) })
  }
  /** `rules`: the rules of the directories above, the nearest last. */
  const walk = async (path: string, rules: readonly IgnoreRules[]): Promise<void> => {
    throwIfAborted(signal)
    const listing = root.list(path === '' ? '.' : path)
    if (!listing.ok) {
      unknownPlaces.push({ path, detail: listing.detail })
      return
    }
    entriesSincePause += listing.entries.length
    if (entriesSincePause > ENTRIES_PER_PAUSE) {
      entriesSincePause = 0
      await yieldToEvents(signal)
    }
    const hasRules = !filter.includesIgnored && listing.entries.some(({ name }) => name === '.gitignore')
    const rulesHere = hasRules ? [...rules, { path, verdict: readIgnoreRules(root, join(path, '.gitignore')) }] : rules
    for (const { name, kind } of listing.entries) {
      const entryPath = path === '' ? name : `${path}/${name}`
      if (kind === 'directory') {
        if (!filter.excludesDirectory(entryPath) && !isIgnored(entryPath, true, rulesHere))
          await walk(entryPath, rulesHere)
      } else if (kind !== 'other') {
        if (filter.file(entryPath) && !isIgnored(entryPath, false, rulesHere)) addFile(entryPath)
        // Pipes, sockets and devices are skipped. A name that is not UTF-8 may be anything.
      } else if (/\\x[0-9a-f]{2}/.test(name) && !root.version(entryPath))
        unknownPlaces.push({ path: entryPath, detail: 'Its name is not UTF-8, so that no path leads to it.' })
    }
  }
  await walk('', [])
  return { root, files, secrets, unknownPlaces }
}

/** The state of a link's target; undefined for a dangling link or a loop; `unknown` if the state may not be read. */
function statLink(path: string): BigIntStats | 'unknown' | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    return Object(error).code === 'ELOOP' ? undefined : 'unknown'
  }
}

export const NO_STAMP: FileStamp = { size: 0, mtime: '0', ctime: '0' }

/** The stamp of a file. A file with an unknown state is read at each update, and the read reports the reason. */
function stampOf(stat: BigIntStats | 'unknown'): FileStamp {
  if (stat === 'unknown') return NO_STAMP
  return { size: Number(stat.size), mtime: `${stat.mtimeNs}`, ctime: `${stat.ctimeNs}` }
}

/** A reader whose reads are confined to the root of the tree. */
export function textReaderOf(extractor: Extractor): TextReader {
  return { read: readConfined, extract: (path, bytes, signal) => extractor.extract(path, bytes, signal) }
}

async function readConfined(root: LocalRoot, path: string): Promise<FileBytes | NoText> {
  const read = root.read(path, { maxBytes: BOUNDS.object })
  if (!read.ok) return read
  if (looksSecret(relativeTo(root.realPath, read.realPath) ?? ''))
    return { ok: false, why: 'denied', detail: 'It leads to a file whose name is that of a secret.' }
  const { size, mtimeNs, ctimeNs } = read.version
  // A file that was just written may change again within the same clock tick, so it is read again next time.
  const stamp = { size, mtime: `${mtimeNs}`, ctime: read.settled ? `${ctimeNs}` : '0' }
  return { ok: true, bytes: read.bytes, stamp }
}

/** A file's bytes, and its state at the read. */
export interface FileBytes {
  readonly ok: true
  readonly bytes: Uint8Array
  readonly stamp: FileStamp
}

export interface NoText {
  readonly ok: false
  readonly why: string
  readonly detail: string
}

/** The searchable text of a file. */
type FileText = { readonly ok: true; readonly format: string } & Pick<ExtractedContent, 'title' | 'text' | 'metadata'>

/** The hash and the text of a file that was read. */
export interface PreparedFile {
  readonly ok: true
  readonly stamp: FileStamp
  readonly hash: string
  /** Absent if the content is unchanged. */
  readonly extracted?: FileText | NoText
}

/** Refuses a text that contains a secret, as a whole, because the other lines would reveal where the secret is. */
export function withoutSecret(extracted: FileText | NoText): FileText | NoText {
  const secret = extracted.ok ? findSecret(extracted.text) : undefined
  if (secret === undefined) return extracted
  return { ok: false, why: 'denied', detail: describeSecret(secret) }
}

export interface TextReader {
  read(root: LocalRoot, path: string): Promise<FileBytes | NoText>
  extract(path: string, bytes: Uint8Array, signal?: AbortSignal): Promise<FileText | NoText>
}
