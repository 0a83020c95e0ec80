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
import type { Extractor } from '../extractor.ts'
import { fileFilter, type WalkOptions } from '../file-filter.ts'

/** Some of the files of a tree. */
export interface TreePage {
  readonly files: readonly FoundFile[]
  /** Files that exist and are not read: those that look like secrets, and those whose name no document can have. */
  readonly left: readonly { readonly file: FoundFile; readonly why: 'denied' | 'excluded'; readonly detail: string }[]
}

/** A tree to index: the files of a directory, or the objects of a bucket. */
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

/** A file that belongs to a collection. */
export interface FoundFile extends FileStamp {
  /** Relative to the root, with slashes. */
  readonly path: string
}

/** Results of a walk. */
export interface Walked {
  readonly root: LocalRoot
  readonly files: readonly FoundFile[]
  /** Files that look like secrets: they are not read. */
  readonly secrets: readonly FoundFile[]
  /**
   * Directories that could not be listed, relative to the root (`''` is the root itself): nothing is known of what they
   * hold. Also what has a name that no path can have.
   */
  readonly closed: readonly { readonly path: string; readonly detail: string }[]
}

/** Entries looked at between two pauses. */
const SLICE = 4096

/**
 * Walks a tree as git sees it: what `.gitignore` excludes is not there, nor what is hidden, nor what looks like a secret. Links to files
 * are followed inside the root; links to directories are not, so that no file comes twice.
 *
 * @throws ContextError `not-found` when there is no such directory; `denied` for one of the system; `cancelled`.
 */
export async function walkTree({ root: path, access, patterns, exclude, signal }: WalkOptions): Promise<Walked> {
  const root = openRoot(path, { unbounded: true, realPath: access?.realPath })
  const prefix = join(root.realPath, '/')
  const belongs = fileFilter({ patterns, exclude })
  const [files, secrets]: [FoundFile[], FoundFile[]] = [[], []]
  const closed: { path: string; detail: string }[] = []
  let seen = 0
  /** The state of a link is that of the file it leads to; whether that is inside is judged when it is read. */
  const addFile = (path: string) => {
    const stat = statLink(`${prefix}${path}`)
    if (stat === undefined || (stat !== 'unknown' && !stat.isFile())) return
    const found = looksSecret(path) ? secrets : files
    found.push({ path, ...stampOf(stat) })
  }
  /** `rules`: those of the directories above, the nearest last, each with where it lies. */
  const walk = async (path: string, rules: readonly IgnoreRules[]): Promise<void> => {
    throwIfAborted(signal)
    const listed = root.list(path === '' ? '.' : path)
    if (!listed.ok) {
      closed.push({ path, detail: listed.detail })
      return
    }
    seen += listed.entries.length
    if (seen > SLICE) {
      seen = 0
      await yieldToEvents(signal)
    }
    const hasRules = !belongs.takesIgnored && listed.entries.some(({ name }) => name === '.gitignore')
    const own = hasRules ? [...rules, { path, verdict: readIgnoreRules(root, join(path, '.gitignore')) }] : rules
    for (const { name, kind } of listed.entries) {
      const at = path === '' ? name : `${path}/${name}`
      if (kind === 'directory') {
        if (!belongs.isLeftOut(at) && !isIgnored(at, true, own)) await walk(at, own)
      } else if (kind !== 'other') {
        if (belongs.file(at) && !isIgnored(at, false, own)) addFile(at)
        // Pipes, sockets and devices are nothing to read; a name that is not UTF-8 may be that of anything.
      } else if (/\\x[0-9a-f]{2}/.test(name) && !root.version(at))
        closed.push({ path: at, detail: 'Its name is not UTF-8, so that no path leads to it.' })
    }
  }
  await walk('', [])
  return { root, files, secrets, closed }
}

/** Undefined for a link that leads nowhere, or round; `unknown` for what may not be looked at. */
function statLink(path: string): BigIntStats | 'unknown' | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ELOOP' ? undefined : 'unknown'
  }
}

/** An unknown state counts as none: the file is read each time, and its reader tells why that fails. */
function stampOf(stat: BigIntStats | 'unknown'): FileStamp {
  if (stat === 'unknown') return { size: 0, mtime: '0', ctime: '0' }
  return { size: Number(stat.size), mtime: `${stat.mtimeNs}`, ctime: `${stat.ctimeNs}` }
}

/** Reads files through the confined open, and takes the text out of them. */
export function textThrough(extractor: Extractor): TextOf {
  return {
    read: async (root, path) => readIn(root, path),
    extract: (path, bytes, signal) => extractor.extract(path, bytes, signal),
  }
}

function readIn(root: LocalRoot, path: string): FileBytes | NoText {
  const read = root.read(path, { maxBytes: BOUNDS.object })
  if (!read.ok) return read
  if (looksSecret(relativeTo(root.realPath, read.realPath) ?? '')) {
    return { ok: false, why: 'denied', detail: 'It leads to a file whose name is that of a secret.' }
  }
  const { size, mtimeNs, ctimeNs } = read.version
  // A file that was just written may change again within the same tick of the clock: it is read again next time.
  const stamp = { size, mtime: `${mtimeNs}`, ctime: read.settled ? `${ctimeNs}` : '0' }
  return { ok: true, bytes: read.bytes, stamp }
}

/** A file as it was read, and its state when it was. */
export interface FileBytes {
  readonly ok: true
  readonly bytes: Uint8Array
  readonly stamp: FileStamp
}

/** Why there is no text. */
export interface NoText {
  readonly ok: false
  readonly why: string
  readonly detail: string
}

/** The searchable text of a file. */
interface FileText {
  readonly ok: true
  readonly title: string
  readonly text: string
  readonly format: string
  readonly metadata: Readonly<Record<string, string>>
}

/** A file that was read. */
export interface PreparedFile {
  readonly ok: true
  readonly stamp: FileStamp
  readonly hash: string
  /** Absent where it is what is known. */
  readonly extracted?: FileText | NoText
}

/** A file that holds a secret is left out whole: whatever else it says, a part of it would show where the rest is. */
export function withoutSecret(extracted: FileText | NoText): FileText | NoText {
  const found = extracted.ok ? findSecret(extracted.text) : undefined
  if (found === undefined) return extracted
  return { ok: false, why: 'denied', detail: describeSecret(found) }
}

/** From files to text. */
export interface TextOf {
  read(root: LocalRoot, path: string): Promise<FileBytes | NoText>
  extract(path: string, bytes: Uint8Array, signal?: AbortSignal): Promise<FileText | NoText>
}
