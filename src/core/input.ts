/** Types of input definitions. The JSON schema, the help, the types and the path checks of servers come from them. */

/**
 * What a path names. A server that serves only some directories checks each kind in its own way:
 * - `disk`: a file or directory on disk;
 * - `directory`: a directory on disk where the work is done, or a file in it;
 * - `place`: a directory or file on disk, in a collection or in a package where the work is done;
 * - `collection`: a document or directory in a collection, by its path in the collection or on disk;
 * - `documents`: globs or paths of documents in collections, separated by commas;
 * - `root`: the directory or bucket of a new collection;
 * - `package`: a package, its registry, or a path in it: never on disk;
 * - `profile`: names of profiles, or files on disk that hold a profile, separated by commas.
 */
export type PathKind = 'disk' | 'directory' | 'place' | 'collection' | 'documents' | 'root' | 'package' | 'profile'

interface CommonFields {
  /** Begins with a small letter and ends without a full stop. */
  readonly description: string
  readonly required?: true
  /** Placeholder of the value in a help text, such as `PATH`. */
  readonly placeholder?: string
  /** The letter for the input on a command line, as in `-n` for `--limit`. */
  readonly short?: string
  /**
   * The name of the input on a command line, without dashes; `no-NAME` for a flag that turns something off. Default: the name of the input in
   * kebab-case. The default name is accepted even if `flag` is set. `false`: a command line does not offer the input.
   */
  readonly flag?: string | false
  /** The input changes only how an answer is printed. Surfaces that return data (MCP, HTTP) do not offer the input. */
  readonly forText?: true
}

/** Kinds of names that a shell can complete. */
export type NameKind = 'collections' | 'sessions' | 'conversations' | 'models'

interface WordFields extends CommonFields {
  /** The kind of names with which a shell completes the value. Default: no completion. */
  readonly names?: NameKind
  /** The input takes several values. */
  readonly list?: true
  readonly default?: string
  /** A regular expression of ECMAScript (flag `u`) that must match a part of each value. */
  readonly pattern?: string
  /** Values that match the pattern. */
  readonly examples?: readonly string[]
  /** The noun for the input in errors of a command line: `The question`. With a noun, a blank value is refused. Default: `NAME` or `--name`. */
  readonly noun?: string
  /** The value of `--NAME` on a command line when no value follows. Default: a value is required. */
  readonly bare?: string
}

/** A text that is not a path: a query, a name, an id. */
export interface TextInput extends WordFields {
  readonly is: 'text'
  readonly path?: never
}

export interface PathInput extends WordFields {
  readonly is: 'path'
  readonly path: PathKind
  /** Name of another input: the path is relative to its directory. Default: relative to the first root of a server. */
  readonly under?: string
}

/** A file on disk that is read or written. */
export interface FileInput extends WordFields {
  readonly is: 'file'
  readonly path?: never
}

export interface ChoiceInput extends WordFields {
  readonly is: 'choice'
  readonly of: readonly string[]
}

export interface NumberInput extends CommonFields {
  readonly is: 'integer' | 'number'
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: number
}

export interface FlagInput extends CommonFields {
  readonly is: 'flag'
  readonly default?: boolean
}

/** An input of an operation. The value of a text, path, file or choice is a string. */
export type Input = TextInput | PathInput | FileInput | ChoiceInput | NumberInput | FlagInput

/** Inputs by name. */
export type InputFields = Readonly<Record<string, Input>>

type ItemOf<Field extends Input> = Field extends { readonly is: 'choice'; readonly of: readonly (infer Value)[] }
  ? Value
  : Field extends { readonly is: 'integer' | 'number' }
    ? number
    : Field extends { readonly is: 'flag' }
      ? boolean
      : string

type ValueOf<Field extends Input> = Field extends { readonly list: true } ? readonly ItemOf<Field>[] : ItemOf<Field>

type PresentNames<All extends InputFields> = {
  [Name in keyof All]: 'default' extends keyof All[Name] ? Name : 'required' extends keyof All[Name] ? Name : never
}[keyof All]

/** Checked inputs. Required inputs and inputs with a default are present. Other inputs may be absent. */
export type InputOf<All extends InputFields> = {
  readonly [Name in PresentNames<All>]: ValueOf<All[Name]>
} & { readonly [Name in Exclude<keyof All, PresentNames<All>>]?: ValueOf<All[Name]> }
