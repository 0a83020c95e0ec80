/** Research sessions, their files and their logs as data. */

import { ContextError, quoteValue } from '../../core/errors.ts'

/** One research question with its files. */
export interface StoredSession {
  /** 128 random bits. */
  readonly id: string
  readonly question: string
  /** The id of an earlier session: this session begins with its findings. */
  readonly follows?: string
  /** The last status in the log of the session, for lists. */
  readonly status: string
  /** Number of changes of the session's files. */
  readonly revision: number
  /** JSON. */
  readonly settings: string
  /** The command: `run` for any worker; `pause` or `stop` for the process that runs the session. Absent if there is none. */
  readonly wanted?: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** What a watcher of a session waits for: `events`, a change of its log; `wanted`, a change of its command. */
export type SessionChange = 'events' | 'wanted'

/** Options for running a session. */
export interface RunLimits {
  /** Maximum number of sessions of the owner that all processes together run at once. Default: any number. */
  readonly maximum?: number | undefined
  /** Called when another process has the lease. */
  readonly onLost?: () => void
}

export type NewSession = Pick<StoredSession, 'id' | 'question' | 'settings'> & Partial<Pick<StoredSession, 'follows'>>

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
  /** The revision of the session that began when the file was added. */
  readonly revision: number
  readonly addedAt: string
}

export type NewFile = Pick<StoredFile, 'id' | 'name' | 'size' | 'type' | 'sha256'>

/** A record in the log of a session. */
export interface StoredRecord {
  /** From 1, without gaps. */
  readonly seq: number
  readonly at: string
  /** JSON. */
  readonly data: string
}

export function noSession(id: string): ContextError {
  const hint = 'See "ambit research list".'
  return new ContextError('not-found', `There is no research session ${quoteValue(id)}.`, { hint })
}

export function logConflict(session: string): ContextError {
  const hint = 'Follow it there, or stop it: "ambit research stop".'
  return new ContextError('conflict', `Another process continues session ${session}.`, { hint })
}
