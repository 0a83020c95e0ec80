/** Inputs of an operation: one definition, from which schema, help, types and a server's confinement are made. */

/**
 * What a path names, which decides what a server that is kept to directories does with it:
 * - `disk`: a file or directory on disk;
 * - `directory`: where the work is done, on disk: a directory, or a file in it;
 * - `place`: where the work is done, on disk, in a collection or in a package;
 * - `collection`: a document or directory in a collection; also by its path on disk;
 * - `documents`: globs or paths of such documents, with commas between them;
 * - `root`: what becomes a collection: a directory, or a bucket;
 * - `package`: a package, its registry, or a path in it: never on disk;
 * - `profile`: how a tool sees a tree: its name, or a file on disk that says it, with commas between several.
 */
export type PathKind = 'disk' | 'directory' | 'place' | 'collection' | 'documents' | 'root' | 'package' | 'profile'

interface CommonFields {
  /** Begins with a small letter and ends without a full stop. */
  readonly description: string
  readonly required?: true
  /** Placeholder of the value in a help text: `PATH`. */
  readonly placeholder?: string
  /** The letter that stands for the name on a command line. */
  readonly short?: string
  /**
   * Its name on a command line, without dashes; `no-NAME` where a flag turns off; `false`: a command line does not take it. Default:
   * its own name in kebab-case, which is taken in any case.
   */
  readonly flag?: string | false
  /** It changes nothing but how an answer is printed: where answers are data it is not offered. */
  readonly forText?: true
}

/** Kinds of names that a shell can complete. */
export type NameKind = 'collections' | 'sessions' | 'conversations' | 'models'

interface WordFields extends CommonFields {
  /** It names one of these: a shell completes it. */
  readonly names?: NameKind
  /** Several are taken. */
  readonly list?: true
  readonly default?: string
  /** A regular expression that each word must hold a match of, as ECMAScript has it with the flag `u`. */
  readonly pattern?: string
  /** Words that match the pattern. */
  readonly examples?: readonly string[]
  /** Its name in errors of a command line, where it has no flag; blank words are then refused. Default: `NAME`. */
  readonly noun?: string
  /** Value of a flag without a value on a command line. Default: it must have one. */
  readonly bare?: string
}

/** Words that name no file: what is asked for, a name, an id. */
export interface TextInput extends WordFields {
  readonly is: 'text'
  readonly path?: never
}

export interface PathInput extends WordFields {
  readonly is: 'path'
  readonly path: PathKind
  /** The input whose directory it is seen from, where it is not in the first root of a server. */
  readonly under?: string
}

/** A file on disk whose bytes are taken, or which is written. */
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

/** One input. There is no bare string: words are a text, a path, a file or one of several. */
export type Input = TextInput | PathInput | FileInput | ChoiceInput | NumberInput | FlagInput

/** By name. */
export type InputFields = Readonly<Record<string, Input>>

type WordOf<One extends Input> = One extends { readonly is: 'choice'; readonly of: readonly (infer Value)[] }
  ? Value
  : One extends { readonly is: 'integer' | 'number' }
    ? number
    : One extends { readonly is: 'flag' }
      ? boolean
      : string

type ValueOf<One extends Input> = One extends { readonly list: true } ? readonly WordOf<One>[] : WordOf<One>

type Preset<All extends InputFields> = {
  [Name in keyof All]: 'default' extends keyof All[Name] ? Name : 'required' extends keyof All[Name] ? Name : never
}[keyof All]

/** Checked inputs: those with a default and those required are present, others may be absent. */
export type InputOf<All extends InputFields> = {
  readonly [Name in Preset<All>]: ValueOf<All[Name]>
} & { readonly [Name in Exclude<keyof All, Preset<All>>]?: ValueOf<All[Name]> }
