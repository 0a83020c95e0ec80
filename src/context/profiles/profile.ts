/** How a tool finds and loads instruction files. Plain data. */
export interface Profile {
  readonly name: string
  /** Groups of file names. In a directory, the first existing name of a group counts. A name may be `.x/NAME.md`. */
  readonly names: readonly (readonly string[])[]
  /** Whether, at and above the working directory, only the first name counts that any directory has. Default: false. */
  readonly oneName?: boolean
  /**
   * Names that count in a directory without any of `names`. No fallback counts anywhere if the working directory, or a directory
   * above it, has one of `names`.
   */
  readonly fallback?: readonly string[]
  /** How front matter limits a file of `names` to paths. Absent: front matter is text. */
  readonly scoping?: Scoping
  readonly rules?: readonly RuleFolder[]
  /** Folders of the user's own files, relative to the home directory. */
  readonly home: readonly HomeFolder[]
  /** Whether `@path` imports another file. `words`: up to the next space; the tool drops a word that is not a file. */
  readonly imports: boolean | 'words'
  /** Whether a short file that points to another file imports that file. Default: false. */
  readonly pointers?: boolean
  /** Whether to leave out files that `sync` wrote from other files. Default: false. */
  readonly leavesWritten?: boolean
  /** Maximum depth of imports. Default: 5. */
  readonly importDepth?: number
  /** Whether imports of files outside the working directory are left out. Default: false. */
  readonly importsBelow?: boolean
  /**
   * The directories whose files load. `working-directory`: only that directory; `ancestors`: also the directories above it; `touched`: also the
   * directories at and above touched files.
   */
  readonly reach: 'touched' | 'ancestors' | 'working-directory'
  /** The default order of the text. */
  readonly order: Order
  /** Whether files in the directories above the project count, too. Default: false. */
  readonly above?: boolean
  /** Maximum bytes of all files of the project, counted from the general to the specific. Default: no cap. */
  readonly cap?: number
}

/** Whether the nearest file or the most general file comes first. The order does not change which files are kept. */
export type Order = 'specific-first' | 'general-first'

/** How the front matter of a file limits the file to paths. */
export interface Scoping {
  /** Keys of front matter that hold path patterns. */
  readonly keys: readonly string[]
  /** Where a pattern without a slash matches files: only directly in its directory, or at any depth below it. */
  readonly bare: 'here' | 'anywhere'
  /** Whether `alwaysApply: true` makes the file apply regardless of its patterns. */
  readonly always?: boolean
  /** A key that says when a file applies, besides its patterns. Other values have no effect. */
  readonly modes?: RuleModes
}

/** Values of a key in the front matter of a rule. */
export interface RuleModes {
  readonly key: string
  /** Values with which the rule applies regardless of its patterns. */
  readonly always: readonly string[]
  /** Values with which the rule applies only on request of a person or a model. */
  readonly never: readonly string[]
}

/** A folder of files that are limited to paths. */
export interface RuleFolder extends Scoping {
  /** Path from the directory that contains the folder: `.claude/rules`. If the path is a file, the file is a rule. */
  readonly folder: string
  /** The suffix of rule files: `.md`; `''` if `folder` is a file. */
  readonly suffix: string
  /** Whether to search the folders in it. Default: true. */
  readonly nests?: boolean
  /** Where the folder may be: only in the root, only in the working directory, or in every directory that counts. */
  readonly at: 'root' | 'working-directory' | 'every-directory'
  /** Whether a rule without patterns always applies. */
  readonly unscoped: 'always' | 'never'
  /**
   * Whether rules for all paths count only if the directory has no file of `names` and no such rule in earlier folders.
   * `among-rules`: only if it has no such rule in earlier folders. Default: false.
   */
  readonly alone?: boolean | 'among-rules'
}

/** A folder with instruction files of the user, of an organization, or of the tool itself. */
export interface HomeFolder extends Pick<Profile, 'names' | 'rules'> {
  /** Relative to the home directory; absolute for a directory of an organization. */
  readonly folder: string
  /** Selects the part of a file that the tool shows. Default: all of it. */
  readonly shows?: (text: string) => string
  /** Whether the tool itself writes the files, and so knows when they change. Default: false. */
  readonly isOfTool?: boolean
}
