import { join } from 'node:path'
import { appendLogLines, readLogLines, removeOldLogs, replaceLogLines } from '../../files/append-log.ts'
import { digestFiles } from '../../files/file-version.ts'
import type { SessionEntry } from './session.ts'

/** Days after which a session that nobody went on with is forgotten. */
const KEPT_DAYS = 30

/** Whose reading is remembered. A tool's sessions and the agents within them read apart; a tree stands for itself. */
export interface SessionKey {
  readonly tool: string
  readonly session: string
  /** Absent for the session's main agent. */
  readonly subagent?: string | undefined
  /** Real path of the project's root. */
  readonly tree: string
}

/** The entries of one session, in a file of their own. */
export class SessionLog {
  readonly #folder: string
  readonly #path: string

  /** `state`: the directory of the user's state. Nothing is written yet. */
  constructor(state: string, { tool, session, subagent = '', tree }: SessionKey) {
    this.#folder = join(state, 'sessions', tool)
    const names = [session, subagent, tree].map((name) => ({ name, content: '' }))
    this.#path = join(this.#folder, `${digestFiles(names).slice(0, 32)}.jsonl`)
  }

  /** None of a file that is not as it was written: the session begins anew. */
  read(): readonly SessionEntry[] {
    return this.#entries() ?? []
  }

  #entries(): readonly SessionEntry[] | undefined {
    const entries = readLogLines(this.#path).map(entryIn)
    return entries.every((entry) => entry !== undefined) ? entries : undefined
  }

  /** Adds entries. Gives all that there are then, also those that other processes added meanwhile. */
  add(entries: readonly SessionEntry[]): readonly SessionEntry[] {
    if (this.#entries() === undefined) return this.restart(entries)
    appendLogLines(this.#path, entries.map(lineOf))
    return this.read()
  }

  /** Forgets all entries but these; and sessions that nobody went on with. */
  restart(entries: readonly SessionEntry[]): readonly SessionEntry[] {
    replaceLogLines(this.#path, entries.map(lineOf))
    this.prune()
    return this.read()
  }

  /** Forgets sessions that nobody went on with. */
  prune(): void {
    removeOldLogs(this.#folder, KEPT_DAYS)
  }
}

function lineOf(entry: SessionEntry): string {
  return JSON.stringify(entry)
}

/** Undefined for a line that is none of ours. */
function entryIn(line: string): SessionEntry | undefined {
  try {
    const entry = JSON.parse(line)
    return isEntry(entry) ? entry : undefined
  } catch {
    return undefined
  }
}

const isText = (value: unknown) => typeof value === 'string'
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)

const SHAPES: { readonly [Type in SessionEntry['type']]: Readonly<Record<string, (value: unknown) => boolean>> } = {
  begin: { cwd: isText, via: isText, at: Number.isFinite },
  has: { uri: isText, from: isText, digest: isText, name: isText, parts: isTexts, by: isTexts },
  gone: { uri: isText, from: isText },
  task: { from: isText },
  lost: {},
  end: {},
}

function isEntry(value: unknown): value is SessionEntry {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false
  const shape = Object.entries(SHAPES).find(([type]) => type === value.type)?.[1]
  const fields: Readonly<Record<string, unknown>> = { ...value }
  return shape !== undefined && Object.entries(shape).every(([name, fits]) => fits(fields[name]))
}
