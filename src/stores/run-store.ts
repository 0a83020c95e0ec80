/** The part of the port for research: sessions, their files, the logs of their runs, and results derived from files. */

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
  /** From its log, for lists. */
  readonly status: string
  /** Counts the changes of its files. */
  readonly revision: number
  /** JSON. */
  readonly settings: string
  /** The command for the process that runs it: `run` for any worker, `pause` and `stop` for the one that holds it. */
  readonly wanted?: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** What may change of a session: its log, or its command. */
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
  /** The media type that the uploader gave. */
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
  /** The number of sessions of the owner, and the bytes of their files; a shared file counts for each session. */
  usage(): Promise<{ readonly sessions: number; readonly bytes: number }>
  /** An absent field stays. `wanted`: '' removes it. `conflict` within a run that another process took over. */
  update(id: string, change: Partial<Pick<StoredSession, 'status' | 'settings' | 'wanted'>>): Promise<void>
  /** With its files and its log. Returns whether there was one. */
  remove(id: string): Promise<boolean>

  /**
   * Adds a file, which makes a new revision. A file with the same bytes and name is stored once; one with the same name gets an
   * alias with a number. Bytes are stored by their hash while a session has them. An object exists already; bytes that the
   * store has stay where they are.
   *
   * @throws ContextError `not-found` for an unknown session.
   */
  addFile(session: string, file: NewFile, bytes: Uint8Array | InObject): Promise<StoredFile>
  /** Copies the files of another session, with the names by which they are cited there. */
  copyFiles(from: string, to: string): Promise<void>
  /** In the order of their upload. */
  files(session: string): Promise<StoredFile[]>
  /** Makes a new revision; once the session has begun, the bytes stay with it. Returns whether there was such a file. */
  removeFile(session: string, file: string): Promise<boolean>
  /** The bytes of a file. @throws ContextError `not-found`; `conflict` for bytes that changed. */
  bytes(sha256: string, signal?: AbortSignal): Promise<Uint8Array>

  /**
   * Adds records to the log, all or nothing, and sets the status of the session.
   *
   * @throws ContextError `conflict` when the log does not end at `after`: another process writes it; `not-found` for a deleted
   * session.
   */
  append(session: string, after: number, records: readonly StoredRecord[], status?: string): Promise<void>
  /** In order, from after `after`; at most `limit`. */
  records(session: string, after: number, limit: number): Promise<StoredRecord[]>

  /** A result derived from a file: a text by its hash, a digest by its inputs. */
  kept(key: string): Promise<string | undefined>
  /** Stored while a session has the bytes that it was derived from. */
  keep(key: string, value: string, sha256: string): Promise<void>

  /** Wakes when any process changes the session. */
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
