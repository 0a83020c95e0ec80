/** The types of research sessions, of their files, and of the records in their logs. */

import { ContextError, quoteValue } from '../../core/errors.ts'

/** A research session: a question with its files. */
export interface StoredSession {
  /** 128 random bits. */
  readonly id: string
  readonly question: string
  /** The id of an earlier session, with whose findings this session begins. */
  readonly follows?: string
  /** The last status in the log of the session, for lists. */
  readonly status: string
  /** Number of changes of the session's files. */
  readonly revision: number
  /** JSON. */
  readonly settings: string
  /**
   * A command: `run` for any worker; `pause` or `stop` for the process that runs the session. Absent without a command.
   */
  readonly wanted?: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** What a watcher of a session waits for: `events`, a change of its log; `wanted`, a change of its command. */
export type SessionChange = 'events' | 'wanted'

/** Options for running a session. */
export interface RunLimits {
  /** Maximum number of the owner's sessions that all processes together run at once. Default: any number. */
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
  /** The revision number of the session after the file was added. */
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
