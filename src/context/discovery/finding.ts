import type { Left, Warning } from '../../core/flow.ts'
import type { InstructionFile } from './instruction-file.ts'

/** An instruction file that applies, and why. */
export interface InstructionFinding {
  readonly file: InstructionFile
  /** Absolute. */
  readonly path: string
  /** Seen from the root; what is printed and sorted by. */
  readonly relative: string
  /** Directories between the root and the one that the file is for; that of its importer for an imported file. */
  readonly depth: number
  /** Whether the file is for a directory below the root; whether it is in one, for an imported file. */
  readonly nested: boolean
  readonly reason: string
  /** Why this file and not another one, where that is not plain: a sentence. */
  readonly note?: string
}

/** What a tree gives for what was touched: the files that apply, the most specific first, and what was left. */
export interface Findings {
  readonly found: readonly InstructionFinding[]
  readonly left: readonly Left[]
  readonly warnings: readonly Warning[]
}

/** A request for findings. */
export interface FindingRequest {
  /** Touched paths, seen from the project's root: rules by path match these. */
  readonly touched: readonly string[]
  /** What stands before printed paths: `~/` for the home directory. Default: nothing. */
  readonly prefix?: string
  /** Why a file applies that no touched path brought in. Default: `the working directory`. */
  readonly reason?: string
  /** The directory that rules' patterns are seen from, relative to the project's root. Default: the one that holds them. */
  readonly ruleBase?: string
  /** What `~` in an import stands for; without it such imports are denied. */
  readonly home?: string | undefined
}
