/** Research as data. */

import { ContextError } from '../../core/errors.ts'

/** One research question with its files. */
export interface StoredSession {
  /** 128 random bits. */
  readonly id: string
  readonly question: string
  /** The session whose findings it begins with. */
  readonly follows?: string
  /** The status in its log, for lists. */
  readonly status: string
  /** Counts the changes of its files. */
  readonly revision: number
  /** JSON. */
  readonly settings: string
  /** The command to processes: `run` for any worker, `pause` and `stop` for the process that runs it. */
  readonly wanted?: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** Changes of a session: its log, or its command. */
export type SessionNews = 'events' | 'wanted'

/** How a session is run. */
export interface RunLimits {
  /** Maximum number of sessions of the owner that all processes run at once. Default: any number. */
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

/** A name for citations that no other file of the session has: `report.pdf`, `report (2).pdf`. */
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

export function logConflict(session: string): ContextError {
  const hint = 'Follow it there, or stop it: "ambit research stop".'
  return new ContextError('conflict', `Another process goes on with session ${session}.`, { hint })
}
