/** The part of the port that keeps research: sessions, their files, the logs of their runs, and what was worked out of files. */

import { ContextError } from '../core/errors.ts'
import type { InObject } from './byte-store.ts'
import type { Watch } from './change-notifier.ts'

/** One research question with its files. */
export interface StoredSession {
  /** 128 random bits. */
  readonly id: string
  readonly question: string
  /** The session whose findings it begins with. */
  readonly follows?: string
  /** As its log has it, for lists. */
  readonly status: string
  /** Counts the changes of its files. */
  readonly revision: number
  /** JSON. */
  readonly settings: string
  /** What is asked of whoever runs it: `run` of all who work, `pause` and `stop` of the one that does. */
  readonly wanted?: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** What may change of a session: its log, or what is wanted of it. */
export type Watched = 'events' | 'wanted'

/** How a session is run. */
export interface RunLimits {
  /** Maximum number of sessions of the owner that all processes run at once. Default: any number. */
  readonly most?: number | undefined
  /** Called when another process has the lease. */
  readonly lost?: () => void
}

export type NewSession = Pick<StoredSession, 'id' | 'question' | 'settings'> & Partial<Pick<StoredSession, 'follows'>>

/** A file of a session. */
export interface StoredFile {
  readonly id: string
  readonly name: string
  readonly alias: string
  /** Bytes. */
  readonly size: number
  /** As whoever gave it called it. */
  readonly type: string
  /** SHA-256 of the bytes, hex. */
  readonly sha256: string
  /** The revision of the session that it came with. */
  readonly revision: number
  readonly addedAt: string
}

export type NewFile = Pick<StoredFile, 'id' | 'name' | 'size' | 'type' | 'sha256'>

/** An entry of a log. */
export interface StoredRecord {
  /** From 1, without gaps. */
  readonly seq: number
  readonly at: string
  /** JSON. */
  readonly data: string
}

export interface RunStore {
  add(session: NewSession): Promise<StoredSession>
  get(id: string): Promise<StoredSession | undefined>
  /** The newest first; those that were made before `before`, an id. */
  list(limit: number, before?: string): Promise<StoredSession[]>
  /** How many sessions the owner has, and the bytes of their files: of one that several have as often. */
  usage(): Promise<{ readonly sessions: number; readonly bytes: number }>
  /** Where it is absent, nothing changes. `wanted`: '' takes it away. Of whoever runs the session `conflict`, where another took over. */
  update(id: string, change: Partial<Pick<StoredSession, 'status' | 'settings' | 'wanted'>>): Promise<void>
  /** With its files and its log. Returns whether there was one. */
  remove(id: string): Promise<boolean>

  /**
   * Adds a file, which makes a new revision. One of the same bytes and name is kept once, one of the same name gets an
   * alias with a number. Bytes are kept by their hash, as long as a session has them; an object is one that is there
   * already, and where there were such bytes before, they stay what they were.
   *
   * @throws ContextError `not-found` for a session that there is none of.
   */
  addFile(session: string, file: NewFile, bytes: Uint8Array | InObject): Promise<StoredFile>
  /** With the files of another one, under the names by which they are cited there. */
  copyFiles(from: string, to: string): Promise<void>
  /** In the order in which they came. */
  files(session: string): Promise<StoredFile[]>
  /** Makes a new revision; once the session has begun, the bytes stay as long as it is there. Returns whether there was one. */
  removeFile(session: string, file: string): Promise<boolean>
  /** The bytes of a file. @throws ContextError `not-found`; `conflict` for what is not what it was. */
  bytes(sha256: string, signal?: AbortSignal): Promise<Uint8Array>

  /**
   * Adds to the log, all or nothing, and says what the session has come to.
   *
   * @throws ContextError `conflict` where the log does not end at `after`: another process writes it; `not-found` for a
   * session that is no more.
   */
  append(session: string, after: number, records: readonly StoredRecord[], status?: string): Promise<void>
  /** In order, from after `after`; at most `limit`. */
  records(session: string, after: number, limit: number): Promise<StoredRecord[]>

  /** What was worked out of contents: a text by its hash, a digest by what made it. */
  kept(key: string): Promise<string | undefined>
  /** As long as a session has the bytes that it was worked out of. */
  keep(key: string, value: string, sha256: string): Promise<void>

  /** Wakes whoever follows a session, whichever process changes it. */
  watch(session: string, what: Watched): Watch

  /**
   * Runs the session under its lease, as in `IndexStore`, without waiting. When another process has taken over, `append` throws
   * `conflict`.
   *
   * @throws ContextError `conflict`; `over-limit` when the owner has `most` other runs.
   */
  exclusively<Value>(session: string, work: () => Promise<Value>, options?: RunLimits): Promise<Value>
  /** Whether a living process has the lease of the session. */
  isHeld(session: string): Promise<boolean>
}

/** `report.pdf`, `report (2).pdf`: no two files of a session are cited alike. */
export function aliasFor(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf('.')
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let alias = name
  for (let count = 2; taken.has(alias); count++) alias = `${stem} (${count})${end}`
  return alias
}

export function noSession(id: string): ContextError {
  const hint = 'See "ambit research list".'
  return new ContextError('not-found', `There is no research session ${JSON.stringify(id.slice(0, 100))}.`, { hint })
}

export function writtenElsewhere(session: string): ContextError {
  const hint = 'Follow it there, or stop it: "ambit research stop".'
  return new ContextError('conflict', `Another process goes on with session ${session}.`, { hint })
}
