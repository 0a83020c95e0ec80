/** A program that reads context, as far as it matters what reaches it. */
export interface ContextReader {
  /** Of the tool. */
  readonly name: string
  /** How the tool itself finds instruction files: a name in `PROFILES`. */
  readonly profile: string
  /** Most bytes of UTF-8 that one answer may have; the tool cuts longer ones, or puts them into a file. */
  readonly cap: number
  /** `markdown` where the tool escapes tags. */
  readonly format: 'xml' | 'markdown'
  /** Whether a session that goes on no longer shows what was given where the reader stands. Default: false. */
  readonly forgets?: boolean
}

/** What happened in a session, and where. */
export interface ReaderReachRequest {
  readonly reader: ContextReader
  readonly session: string
  /** The tool whose settings named the hook: another may run it, too. */
  readonly via: string
  /** Which agent within the session. Absent for its main agent. */
  readonly subagent?: string | undefined
  /**
   * `begin`: the reader has nothing. `resume`: it has what it had, unless it forgets. `prompt`: a person wrote
   * something. `call`: a tool was called. `end`: what the reader has will be cut.
   */
  readonly moment: 'begin' | 'resume' | 'prompt' | 'call' | 'end'
  /** Absolute path of the working directory. */
  readonly cwd: string
  /** Paths that a call names, relative to `cwd`; those that do not exist, and whose directory does not, are left out. */
  readonly touched: readonly string[]
  /** Command lines that a call runs. */
  readonly commands: readonly string[]
  /** Where it runs them, relative to `cwd`. Default: there. */
  readonly workdir?: string
  /** What a tool answered that lists files. */
  readonly results: string
  /** A variable of the environment in which commands run. */
  variable(name: string): string | undefined
  /** Paths whose whole text the reader gets by the call itself. */
  readonly seen: readonly string[]
  /** The prompt, where code for it is wanted: once in a session. */
  readonly task?: string | undefined
  /** Whether the tool itself loads what applies to what this call touches. */
  readonly loadsTouched: boolean
  /** Whether the tool gives this agent the instruction files that it gives the main one. Default: true. */
  readonly loadsStart?: boolean
}

/** A path context of a place on disk. */
export interface DiskPathContext {
  /** Stable: the place in its collection. */
  readonly uri: string
  /** With a slash before it. */
  readonly path: string
  readonly text: string
}

/** What reaching a reader rests on. */
export interface ReachParts {
  /** Absolute path of the directory of the user's state. */
  readonly state: string
  /** The user's home directory; `false` for none. Default: the system's. */
  readonly home?: string | false | undefined
  /** The path contexts of a path on disk and of the paths above it, the most general first. */
  pathContexts(path: string): Promise<readonly DiskPathContext[]>
}
