import { join } from 'node:path'
import { type FileVersion, type LocalRoot, sameVersion } from '../../objects/local.ts'
import { isSettled } from '../../objects/version.ts'
import { findContextDir, openContextDir } from '../../sources/context-dir.ts'

/** What an answer depends on. */
interface Stamp {
  /** What the walk finds, the project's root, the names in the directory, and where links lead. */
  readonly facts: readonly string[]
  /** Of each file in the directory. */
  readonly versions: readonly (FileVersion | undefined)[]
  /** Milliseconds since the epoch. */
  readonly takenAt: number
}

/** What one answer is asked for with; a plain object whose values tell two questions apart. */
interface Question {
  readonly start: string
  readonly name: string
}

interface Entry<Answer> {
  readonly stamp: Stamp
  readonly answer: Promise<Answer>
}

/** How answers are made. */
interface Maker<Asked, Answer> {
  load(question: Asked): Promise<Answer>
  /** Whether only a change on the disk can give another answer. */
  lasts(answer: Answer): boolean
}

const MOST_ENTRIES = 64

/** Gives the last answer to the same question while nothing that it depends on has changed. Failures are not kept. */
export class AnswerCache<Asked extends Question, Answer> {
  readonly #maker: Maker<Asked, Answer>
  readonly #entries = new Map<string, Entry<Answer>>()

  constructor(maker: Maker<Asked, Answer>) {
    this.#maker = maker
  }

  get(question: Asked): Promise<Answer> {
    const key = JSON.stringify(question, (_, value) => (typeof value === 'function' ? idOf(value) : value))
    const stamp = stampOf(question)
    const known = this.#entries.get(key)
    if (known && same(known.stamp, stamp)) return known.answer
    const entry = { stamp, answer: this.#maker.load(question) }
    this.#keep(key, entry)
    return entry.answer
  }

  #keep(key: string, entry: Entry<Answer>): void {
    const [oldest] = this.#entries.keys()
    this.#entries.delete(key)
    if (this.#entries.size >= MOST_ENTRIES && oldest !== undefined) this.#entries.delete(oldest)
    this.#entries.set(key, entry)
    const drop = () => this.#entries.get(key) === entry && this.#entries.delete(key)
    entry.answer.then((answer) => this.#maker.lasts(answer) || drop(), drop)
  }
}

const functionIds = new WeakMap<object, number>()
let functions = 0

function idOf(value: object): number {
  const id = functionIds.get(value) ?? ++functions
  functionIds.set(value, id)
  return id
}

function stampOf({ start, name }: Question): Stamp {
  const takenAt = Date.now()
  const found = findContextDir(start, name)
  const opened = found && 'dir' in found ? openContextDir(found.dir) : undefined
  if (!found || !('dir' in found) || !opened?.ok) return { facts: facts(found, opened), versions: [], takenAt }
  const { root, entries } = opened
  const paths = entries.map((entry) => join(found.dir.path, entry.name))
  const links = paths.map((path, index) => (entries[index]?.kind === 'link' ? leadsTo(root, path) : ''))
  return {
    facts: facts(found, root.realPath, entries, links),
    versions: paths.map((path) => root.version(path)),
    takenAt,
  }
}

function facts(...values: readonly unknown[]): string[] {
  return values.map((value) => JSON.stringify(value) ?? '')
}

/** A version cannot tell whether a link still leads to a place inside the root. */
function leadsTo(root: LocalRoot, path: string): string {
  const read = root.read(path, { maxBytes: 0, cut: true })
  return read.ok ? read.realPath : read.why
}

/** Whether nothing changed between two stamps, and nothing can have changed unseen since the first. */
function same(before: Stamp, now: Stamp): boolean {
  if (before.versions.length !== now.versions.length) return false
  return (
    before.facts.every((fact, index) => fact === now.facts[index]) &&
    before.versions.every((then, index) => unchanged(then, now.versions[index], before.takenAt))
  )
}

function unchanged(then: FileVersion | undefined, now: FileVersion | undefined, takenAt: number): boolean {
  if (!then || !now) return then === now
  return sameVersion(then, now) && isSettled(then, takenAt)
}
