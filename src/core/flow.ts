/**
 * The types of the flow of context: focus → sources → fragments → passes → renderer → text.
 * The types are plain data and functions over this data. The files of `core` import nothing from other folders.
 */

/** Origin of a fragment. */
export interface Origin {
  /** An address that stays the same and can be opened. A selection keeps at most one fragment of a uri. */
  readonly uri: string
  /** Identifies an origin that has several uris, such as the device and inode of a file. Default: the `uri`. */
  readonly id?: string
  /** Labels for a renderer, by name. */
  readonly labels?: Readonly<Record<string, string>>
}

/** How a fragment was cut, and the reason. `part`: to a part of its text; `outline`: to its name and headings. */
export interface Cut {
  readonly to: 'part' | 'outline'
  readonly why: Why
}

/** A text with its origin: the data that flows from stage to stage. A fragment is never mutated. */
export interface Fragment {
  readonly origin: Origin
  /** The kind of the fragment, which the ledger shows and renderers use as a tag: `context`, `context-file`, `passage` … */
  readonly kind: string
  readonly title: string
  readonly text: string
  /** How `text` may be cut. Default: `plain`. */
  readonly syntax?: 'markdown' | 'plain'
  /** No budget cuts the fragment. */
  readonly pinned?: boolean
  readonly cut?: Cut
  /** Number of bytes of the file that the source did not read. Default: 0. */
  readonly unreadBytes?: number
  /** The path context of the place: a text that says what the place is for. */
  readonly about?: string
  /** One sentence for the ledger that says why the fragment was chosen; absent if the reason is obvious. */
  readonly note?: string
  /** The scope of the fragment: `project`, `home`, `package` … Default: the scope of its source. */
  readonly scope?: string
  /** How well the fragment fits the task, from 0 to 1; absent without a ranking. The best fragment has 1. */
  readonly score?: number
}

/** An item that is not shown, and the reason. */
export interface Left extends Pick<Fragment, 'origin' | 'title' | 'scope' | 'score'> {
  readonly why: Why
  /** One sentence that explains the reason, with the names and numbers. */
  readonly detail?: string
  /** The place should have the item, so a warning names it. */
  readonly required?: boolean
  /** The kind, as in a fragment. Default: the kind of the gathered fragment, or else of its source. */
  readonly kind?: string
}

/** A problem of a place that did not stop the work. */
export interface Warning {
  readonly path: string
  readonly message: string
}

/** Input and output of every stage. `kept`: shown fragments, the most important first. `left`: items that are not shown. */
export interface Selection {
  readonly kept: readonly Fragment[]
  readonly left: readonly Left[]
  readonly warnings: readonly Warning[]
}

/** What context is requested for: the task, the place, and the files that an agent touched. */
export interface Focus {
  readonly task?: string
  readonly place?: string
  readonly touched?: readonly string[]
}

/** An event that a stage emits while it works. */
export type FlowEvent =
  | { readonly type: 'gathered'; readonly source: string; readonly kept: number; readonly left: number }
  | { readonly type: 'passed'; readonly pass: string; readonly kept: number; readonly left: number }
  | { readonly type: 'rendered'; readonly tokens: number }
  /** The progress of long work, which `what` names. */
  | { readonly type: 'progress'; readonly what: string; readonly done: number; readonly total: number }

/** The signal that stops a call, and the listener for its events. A call passes both on to its stages. */
export interface Run {
  readonly signal?: AbortSignal
  emit(event: FlowEvent): void
}

/** Tokens in a text: a whole number ≥ 0; 0 for the empty text. */
export interface Count {
  (text: string): number
  /** Tokens of the joined parts; absent if only the joined text can be counted. */
  readonly ofParts?: (parts: readonly string[]) => number
}

/** Dependencies of a pass: the focus, the token counter, and the rendered size of a selection. */
export interface Step extends Run {
  readonly focus: Focus
  readonly count: Count
  /** Tokens of the rendered selection. */
  measure(selection: Selection): number
}

/** Gathers fragments from one place. A place that cannot be read is a `Left`, not an error. */
export interface Source {
  readonly name: string
  /** The kind and the scope of gathered items that do not say theirs. Default of both: the name of the source. */
  readonly kind?: string
  readonly scope?: string
  gather(focus: Focus, run: Run): Promise<Selection>
}

/** A function from selection to selection. A pass may drop, reorder and cut fragments, but never adds any. The ledger shows the function's name. */
export type Pass = (selection: Selection, step: Step) => Selection | Promise<Selection>

/** Gives a pass its name in the ledger: a bundler may rename functions. */
export function namePass(name: string, pass: Pass): Pass {
  return Object.defineProperty(pass, 'name', { value: name })
}

/** Renders a selection as text; `''` for an empty selection. */
export interface Renderer {
  (selection: Selection): string
  /** The same text in parts of whole characters, which can be measured without joining them. */
  readonly parts?: (selection: Selection) => readonly string[]
}

/** The sources, passes and renderer of one answer, as data. */
export interface Recipe {
  readonly name: string
  readonly sources: readonly Source[]
  readonly passes: readonly Pass[]
  readonly render: Renderer
  /** Default: `bytes4`. */
  readonly count?: Count
}

/** The selection that holds nothing. */
export const EMPTY_SELECTION: Selection = { kept: [], left: [], warnings: [] }

/** A run without a signal and without listeners. */
export const SILENT: Run = { emit: () => {} }

/** Reasons why a fragment is shown in part or not at all. Answers contain these words, so they must not change. */
export const WHYS = [
  'missing',
  'empty',
  'binary',
  'unreadable',
  'denied',
  'untrusted',
  'excluded',
  'shadowed',
  'duplicate',
  'irrelevant',
  'failed',
  'over-limit',
  'over-budget',
] as const

/** One of `WHYS`. */
export type Why = (typeof WHYS)[number]
