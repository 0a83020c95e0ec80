import { dirname, join } from 'node:path'
import { atOnce } from '../../core/steps.ts'
import { identityOf, type LocalRoot, openRoot } from '../../files/disk.ts'
import { namesIn } from '../../files/entries.ts'
import { type FileVersion, isSettled, sameVersion, versionAt } from '../../files/file-version.ts'
import { projectRootOf } from '../../files/roots.ts'
import { findContextDir, isContextFile, openContextDir, type WalkResult } from '../sources/context-dir-walk.ts'

/** What an answer depends on. */
interface Stamp {
  readonly found: WalkResult
  /** Device and inode of the directory: another one may have taken its place. */
  readonly identity: string
  readonly projectRoot: string
  /** Names in the directory that are called like context files. */
  readonly names: readonly string[]
  /** Of what is called like a context file. */
  readonly files: readonly { readonly path: string; readonly version: FileVersion | undefined }[]
  /** Those of the files that are links, and where they lead. */
  readonly links: readonly { readonly path: string; readonly leads: string }[]
  /** Milliseconds since the epoch. */
  readonly takenAt: number
}

/** The key of an answer: a plain object. */
interface CacheQuestion {
  readonly start: string
  readonly name: string
}

interface Entry<Answer> {
  readonly stamp: Stamp
  readonly answer: Promise<Answer>
}

/** How answers are made. */
interface AnswerLoader<Question, Answer> {
  load(question: Question): Promise<Answer>
  /** Whether only a change on the disk can give another answer. */
  lasts(answer: Answer): boolean
}

const MOST_ENTRIES = 64

/** Gives the last answer to the same question while nothing that it depends on has changed. Failures are not kept. */
export class AnswerCache<Question extends CacheQuestion, Answer> {
  readonly #loader: AnswerLoader<Question, Answer>
  readonly #entries = new Map<string, Entry<Answer>>()

  constructor(loader: AnswerLoader<Question, Answer>) {
    this.#loader = loader
  }

  get(question: Question): Promise<Answer> {
    const key = Object.values(question).map(optionKey).join('\n')
    const known = this.#entries.get(key)
    if (known && isCurrent(known.stamp, question)) return known.answer
    const entry = { stamp: stampOf(question), answer: this.#loader.load(question) }
    this.#keep(key, entry)
    return entry.answer
  }

  #keep(key: string, entry: Entry<Answer>): void {
    const [oldest] = this.#entries.keys()
    this.#entries.delete(key)
    if (this.#entries.size >= MOST_ENTRIES && oldest !== undefined) this.#entries.delete(oldest)
    this.#entries.set(key, entry)
    const drop = () => this.#entries.get(key) === entry && this.#entries.delete(key)
    entry.answer.then((answer) => this.#loader.lasts(answer) || drop(), drop)
  }
}

function optionKey(value: unknown): string {
  return typeof value === 'function' ? `function ${functionId(value)}` : (JSON.stringify(value) ?? '')
}

const functionIds = new WeakMap<object, number>()
let functions = 0

function functionId(value: object): number {
  const id = functionIds.get(value) ?? ++functions
  functionIds.set(value, id)
  return id
}

function stampOf({ start, name }: CacheQuestion): Stamp {
  const takenAt = Date.now()
  const found = findContextDir(start, name)
  const nothing = { found, identity: '', projectRoot: '', names: [], files: [], links: [], takenAt }
  if (!found || !('dir' in found)) return nothing
  const { path } = found.dir
  const opened = atOnce(openContextDir(found.dir))
  if (!opened.ok) return { ...nothing, ...stampPlace(path) }
  const { root, entries } = opened
  const at = (entry: { name: string }) => join(path, entry.name)
  const links = entries.filter(({ kind }) => kind === 'link').map(at)
  return {
    ...nothing,
    ...stampPlace(path),
    files: entries.map(at).map((file) => ({ path: file, version: versionAt(file) })),
    links: links.map((link) => ({ path: link, leads: leadsTo(root, link) })),
  }
}

/** Names are only compared here, and nothing is read: that is for the confined open. */
function stampPlace(path: string): Pick<Stamp, 'identity' | 'projectRoot' | 'names'> {
  const version = versionAt(path)
  return {
    identity: version ? identityOf(version) : '',
    projectRoot: projectRootOf(dirname(path)),
    names: version ? namesIn(path, version.size, isContextFile) : [],
  }
}

/** A version cannot tell whether a link still leads to a place inside the root. */
function leadsTo(root: LocalRoot, path: string): string {
  const read = root.read(path, { maxBytes: 0, cut: true })
  return read.ok ? read.realPath : read.why
}

/** Whether nothing has changed since the stamp, and nothing can have changed unseen: by stats and one list of names. */
function isCurrent(stamp: Stamp, { start, name }: CacheQuestion): boolean {
  const found = findContextDir(start, name)
  const path = foundPath(found)
  if (path !== foundPath(stamp.found) || isDir(found) !== isDir(stamp.found)) return false
  return path === undefined || !isDir(found) || (isSamePlace(stamp, path) && areSameFiles(stamp))
}

function foundPath(found: WalkResult): string | undefined {
  if (!found) return undefined
  if ('dir' in found) return found.dir.path
  return 'untrusted' in found ? found.untrusted : found.notADirectory
}

function isDir(found: WalkResult): boolean {
  return found !== undefined && 'dir' in found
}

function isSamePlace({ identity, projectRoot, names }: Stamp, path: string): boolean {
  const now = stampPlace(path)
  if (now.identity !== identity || now.projectRoot !== projectRoot || now.names.length !== names.length) return false
  return names.every((name, index) => name === now.names[index])
}

function areSameFiles({ files, links, projectRoot, takenAt }: Stamp): boolean {
  const isSame = files.every(({ path, version }) => isUnchanged(version, versionAt(path), takenAt))
  if (!isSame || links.length === 0) return isSame
  const root = openRoot(projectRoot, { unbounded: true })
  return links.every(({ path, leads }) => leads === leadsTo(root, path))
}

function isUnchanged(then: FileVersion | undefined, now: FileVersion | undefined, takenAt: number): boolean {
  if (!then || !now) return then === now
  return sameVersion(then, now) && isSettled(then, takenAt)
}
