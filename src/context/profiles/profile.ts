/** How one tool sees a tree of instruction files. Plain data. */
export interface Profile {
  readonly name: string
  /** Of each group, the first name that exists in a directory is taken. A name may lead into a folder (`.x/NAME.md`). */
  readonly names: readonly (readonly string[])[]
  /** Whether, at and above the working directory, only the first name of a group that any of these directories holds is taken. Default: false. */
  readonly oneName?: boolean
  /**
   * Names taken in a directory that holds none of `names`; none are taken anywhere when the working directory, or one
   * above it, holds one of `names`.
   */
  readonly fallback?: readonly string[]
  /** How a file of `names` says which paths it is for. Absent: it cannot, its front matter is text. */
  readonly scoping?: Scoping
  /** Folders of rule files. */
  readonly rules?: readonly RuleFolder[]
  /** Folders of the user's own files, seen from the home directory. */
  readonly home: readonly HomeFolder[]
  /** Whether `@path` brings in another file. `words`: up to the next space; the tool drops one that names no file. */
  readonly imports: boolean | 'words'
  /** Whether a short file that says to read another one brings that in. Default: false. */
  readonly pointers?: boolean
  /** Whether what `sync` wrote from other files is left out. Default: false. */
  readonly leavesWritten?: boolean
  /** How deep imports may nest. Default: 5. */
  readonly importDepth?: number
  /** Whether imports of files outside the working directory are left out. Default: false. */
  readonly importsBelow?: boolean
  /** Directories whose files load: also those of touched files; those at and above the working directory; or only that. */
  readonly reach: 'touched' | 'ancestors' | 'working-directory'
  /** How the text is ordered unless the caller says otherwise. */
  readonly order: Order
  /** Whether files in the directories above the project count, too. Default: false. */
  readonly above?: boolean
  /** Bytes that the project's files may take together, counted from the general to the specific. Default: no cap. */
  readonly cap?: number
}

/** The nearest file first, or the most general. What is kept is the same. */
export type Order = 'specific-first' | 'general-first'

/** How a file says in its front matter which paths it is for. */
export interface Scoping {
  /** Keys that hold patterns. */
  readonly keys: readonly string[]
  /** Directories in which a pattern without a slash matches names: its own, or any below. */
  readonly bare: 'here' | 'anywhere'
  /** Whether `alwaysApply: true` makes the file apply whatever its patterns say. */
  readonly always?: boolean
  /** A key that says when a file applies, beside its patterns, and what it may hold. Other values say nothing. */
  readonly modes?: RuleModes
}

/** Values of a key in the front matter of a rule. */
export interface RuleModes {
  readonly key: string
  /** Values with which it applies whatever its patterns say. */
  readonly always: readonly string[]
  /** Values with which it applies only on request of a person or a model. */
  readonly never: readonly string[]
}

/** A folder whose files each say which paths they are for. */
export interface RuleFolder extends Scoping {
  /** Seen from the directory that holds it: `.claude/rules`. It may be a file, which then is the one rule. */
  readonly folder: string
  /** How the names of rule files end: `.md`; `''` where `folder` is a file. */
  readonly suffix: string
  /** Whether folders below it are looked into. Default: true. */
  readonly nests?: boolean
  /** Looked for in the root alone, in the working directory alone, or in every directory that counts. */
  readonly at: 'root' | 'working-directory' | 'every-directory'
  /** Whether a rule without patterns always applies. */
  readonly unscoped: 'always' | 'never'
  /** Whether rules for all paths count only where no name, and no folder before this one, gave a file; or no such folder. Default: false. */
  readonly alone?: boolean | 'among-rules'
}

/** A folder in the home directory, and the names looked for in it. */
export interface HomeFolder {
  /** Seen from the home directory; absolute for one of the system, where an organization keeps files. */
  readonly folder: string
  readonly names: readonly (readonly string[])[]
  readonly rules?: readonly RuleFolder[]
  /** Selects the part of a file that the tool shows. Default: all of it. */
  readonly shows?: (text: string) => string
  /** Whether the tool itself writes the files, and knows what it changed. Default: false. */
  readonly isOfTool?: boolean
}
