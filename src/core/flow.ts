/**
 * The one flow: focus → sources → fragments → passes → renderer → text.
 * Everything here is plain data or a function over it; this room imports nothing.
 */

/** Origin of a fragment. */
export interface Origin {
  /** Stable and openable. Kept at most once in a selection. */
  readonly uri: string
  /** Identity of the origin where it has two names, such as device and inode. Default: the `uri`. */
  readonly id?: string
  /** Labels for a renderer, by name. */
  readonly labels?: Readonly<Record<string, string>>
}

/** A cut of a fragment to a part of it, or to its name and headings; and the reason. */
export interface Cut {
  readonly to: 'part' | 'outline'
  readonly why: Why
}

/** The one thing that flows. Plain data, never mutated. */
export interface Fragment {
  readonly origin: Origin
  /** Its kind, and its tag when rendered: `context`, `context-file`, `hit` … Only a renderer reads it. */
  readonly kind: string
  readonly title: string
  readonly text: string
  /** How `text` may be cut. Default: `plain`. */
  readonly syntax?: 'markdown' | 'plain'
  /** Whole under any budget. */
  readonly pinned?: boolean
  readonly cut?: Cut
  /** Bytes of it that were not read, where it was cut as it was gathered. Default: 0. */
  readonly unreadBytes?: number
  /** The path context of its place. */
  readonly about?: string
  /** Why it was chosen, where that is not plain: one sentence, for the ledger. */
  readonly note?: string
  /** Its scope: `project`, `home`, `package` … Default: that of its source. */
  readonly scope?: string
  /** How well it fits the task, where it was ranked: 0 to 1, the best has 1. */
  readonly score?: number
}

/** A fragment of which nothing is shown, and why. */
export interface Left {
  readonly origin: Origin
  readonly title: string
  readonly why: Why
  /** One sentence with the values. */
  readonly detail?: string
  /** It was expected: a warning names it. */
  readonly required?: boolean
  /** As of a fragment. Default: what the fragment had that it was, else those of its source. */
  readonly kind?: string
  readonly scope?: string
  readonly score?: number
}

/** Something worth telling about a place, that stopped nothing. */
export interface Warning {
  readonly path: string
  readonly message: string
}

/** Input and output of every stage. `kept`: the most important first. */
export interface Selection {
  readonly kept: readonly Fragment[]
  readonly left: readonly Left[]
  readonly warnings: readonly Warning[]
}

/** The reader's place and activity. */
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
  /** Of a longer work: how much of `total` is done. `what` names the work. */
  | { readonly type: 'progress'; readonly what: string; readonly done: number; readonly total: number }

/** Travels with a call: how to stop it, and who listens. */
export interface Run {
  readonly signal?: AbortSignal
  emit(event: FlowEvent): void
}

/** Tokens in a text: a whole number ≥ 0; 0 for the empty text. */
export interface Count {
  (text: string): number
  /** Tokens of the text that the parts make together, where that can be computed without joining them. */
  readonly ofParts?: (parts: readonly string[]) => number
}

/** Dependencies of a pass: the focus, the token counter, and the rendered size of a selection. */
export interface Step extends Run {
  readonly focus: Focus
  readonly count: Count
  /** Tokens of the rendered selection. */
  measure(selection: Selection): number
}

/** A place that fragments come from. A place that cannot be read is a `Left`, not an error. */
export interface Source {
  readonly name: string
  /** Of what it gathers, where that says nothing else. Default: the name of the source. */
  readonly kind?: string
  readonly scope?: string
  gather(focus: Focus, run: Run): Promise<Selection>
}

/** One step from selection to selection: it may drop, reorder and cut, never add. Its function name names it in the ledger. */
export type Pass = (selection: Selection, step: Step) => Selection | Promise<Selection>

/** The pass, by this name in the ledger: a bundler may rename functions. */
export function namePass(name: string, pass: Pass): Pass {
  return Object.defineProperty(pass, 'name', { value: name })
}

/** A selection as text; `''` for an empty one. */
export interface Renderer {
  (selection: Selection): string
  /** The same text in parts, each of whole characters: so that it can be measured before it is joined. */
  readonly parts?: (selection: Selection) => readonly string[]
}

/** A face of the product, as data: what to gather, what to do with it, how to print it. */
export interface Recipe {
  readonly name: string
  readonly sources: readonly Source[]
  readonly passes: readonly Pass[]
  readonly render: Renderer
  /** Default: `bytes4`. */
  readonly count?: Count
}

/** The selection that holds nothing. */
export const NOTHING: Selection = { kept: [], left: [], warnings: [] }

/** A run without a signal and without listeners. */
export const SILENT: Run = { emit: () => {} }

/** Why nothing, or not all, of a fragment is shown. The list is part of the product's contract. */
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
