/**
 * The append-only log of a session. Two processes that append at the same time read the same entries in the same order,
 * so both know which process came first.
 */

import { join } from 'node:path'
import { tryToRead } from '../../core/errors.ts'
import { appendLogLines, readLogLines, removeOldLogs, replaceLogLines } from '../../files/cache-file.ts'
import { digestFiles } from '../../files/file-version.ts'
import type { ReaderSession, ReaderText } from '../session.ts'

/** A file or path context that the reader of a session has. */
export interface SentItem extends ReaderText {
  /** A digest for each part of the text, from heading to heading; empty if there are too many. */
  readonly parts: readonly string[]
  /** The name under which the reader got the item. */
  readonly name: string
  /** The touched paths that made the item apply, relative to the root; empty for files that apply in the working directory. */
  readonly by: readonly string[]
}

export type SessionEntry =
  /**
   * The session begins or restarts: discards all entries before it. `implied`: no hook announced it, and it counts only if no session has begun.
   * `cwd`: working directory of the reader, absolute. `via`: the tool whose settings name the hook; a program may run hooks from the settings of
   * another tool. `at`: milliseconds since 1970.
   */
  | { readonly type: 'begin'; readonly implied?: true; readonly cwd: string; readonly via: string; readonly at: number }
  /** The reader has this text, from the process `from`. */
  | ({ readonly type: 'has'; readonly uri: string; readonly from: string } & SentItem)
  /** The reader has a notice that this text no longer applies. */
  | { readonly type: 'gone'; readonly uri: string; readonly from: string }
  /** The reader has the code for its first task, from the process `from`. */
  | { readonly type: 'task'; readonly from: string }
  /** The reader lost the texts of its working directory, and keeps the texts of touched paths. */
  | { readonly type: 'lost' }
  /** The tool will compact the conversation: the next event restarts the session. */
  | { readonly type: 'end' }

export interface ReachState extends ReaderSession<SentItem> {
  /** The entry that began the session; undefined before the session begins. */
  readonly began: Extract<SessionEntry, { type: 'begin' }> | undefined
  /** The process that delivers the code of the first task; undefined if no process has claimed it. */
  readonly taskFrom: string | undefined
  /** The entries that changed the state. The process that added an entry delivers its text. */
  readonly effective: ReadonlySet<SessionEntry>
}

/** The state after these entries. An entry that repeats an earlier entry changes nothing. */
export function sessionAfter(entries: readonly SessionEntry[]): ReachState {
  let began: ReachState['began']
  let taskFrom: string | undefined
  const held = new Map<string, SentItem>()
  const effective = new Set<SessionEntry>()
  for (const entry of entries) {
    if (entry.type === 'end') began = undefined
    if (entry.type === 'task') taskFrom ??= entry.from
    if (entry.type === 'begin' && !(entry.implied && began)) {
      began = entry
      held.clear()
      effective.clear()
    }
    if (entry.type === 'has' && held.get(entry.uri)?.digest !== entry.digest) {
      held.set(entry.uri, entry)
      effective.add(entry)
    }
    if (entry.type === 'lost') for (const [uri, { by }] of held) if (by.length === 0) held.delete(uri)
    if (entry.type === 'gone' && held.delete(entry.uri)) effective.add(entry)
  }
  return { began, held, taskFrom, effective }
}

/** Days after which an unused session is removed. */
const MAX_IDLE_DAYS = 30

/** Identifies one reader: a session of a tool, or one agent within it, in one tree. */
export interface SessionKey {
  readonly tool: string
  readonly session: string
  /** Absent for the main agent of the session. */
  readonly subagent?: string | undefined
  /** Real path of the project's root. */
  readonly tree: string
}

/** The file with the entries of one session. */
export class SessionLog {
  readonly #folder: string
  readonly #path: string

  /** `state`: the directory of the user's state. Nothing is written yet. */
  constructor(state: string, { tool, session, subagent = '', tree }: SessionKey) {
    this.#folder = join(state, 'sessions', tool)
    const names = [session, subagent, tree].map((name) => ({ name, content: '' }))
    this.#path = join(this.#folder, `${digestFiles(names).slice(0, 32)}.jsonl`)
  }

  /** All entries; empty for a damaged file, so that the session restarts. */
  read(): readonly SessionEntry[] {
    return this.#entries() ?? []
  }

  #entries(): readonly SessionEntry[] | undefined {
    const entries = readLogLines(this.#path).map(parseEntry)
    return entries.every((entry) => entry !== undefined) ? entries : undefined
  }

  /** Appends entries. Returns all entries, including entries of other processes. */
  add(entries: readonly SessionEntry[]): readonly SessionEntry[] {
    const earlier = this.#entries()
    if (earlier === undefined) return this.restart(entries)
    appendLogLines(this.#path, entryLines(entries))
    // A line that was cut off counts as damaged only after another line was appended.
    return this.#entries() ?? this.restart([...earlier, ...entries])
  }

  /** Replaces all entries, and removes unused sessions. */
  restart(entries: readonly SessionEntry[]): readonly SessionEntry[] {
    replaceLogLines(this.#path, entryLines(entries))
    this.prune()
    return this.read()
  }

  /** Removes unused sessions. */
  prune(): void {
    removeOldLogs(this.#folder, MAX_IDLE_DAYS)
  }
}

function entryLines(entries: readonly SessionEntry[]): readonly string[] {
  return entries.map((entry) => JSON.stringify(entry))
}

/** Parses a line of the log; undefined for a line that is not an entry. */
function parseEntry(line: string): SessionEntry | undefined {
  const entry = tryToRead(() => JSON.parse(line))
  const fields = Object.entries(ENTRY_FIELDS).find(([type]) => type === entry?.type)?.[1]
  return fields && Object.entries(fields).every(([name, isValid]) => isValid(entry[name])) ? entry : undefined
}

const isText = (value: unknown) => typeof value === 'string'
const isTextList = (value: unknown) => Array.isArray(value) && value.every(isText)

const ENTRY_FIELDS: Readonly<Record<SessionEntry['type'], Readonly<Record<string, (value: unknown) => boolean>>>> = {
  begin: { cwd: isText, via: isText, at: Number.isFinite },
  has: { uri: isText, from: isText, digest: isText, name: isText, parts: isTextList, by: isTextList },
  gone: { uri: isText, from: isText },
  task: { from: isText },
  lost: {},
  end: {},
}
