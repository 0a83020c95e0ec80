import { resolve } from 'node:path'
import { type Assembled, assemble } from '../core/assemble.ts'
import {
  type Count,
  type Focus,
  type Fragment,
  type Pass,
  type Recipe,
  type Renderer,
  type Run,
  SILENT,
  type Warning,
} from '../core/flow.ts'
import { duplicateUris, isTruncated, type LedgerRow } from '../core/ledger.ts'
import { validBudget } from '../core/tokens.ts'
import { digestFiles } from '../files/file-version.ts'
import { illegalIn } from '../text/xml.ts'
import type { ContextFile } from './context-dir/context-file.ts'
import { type CounterName, counter } from './load/count.ts'
import type { Marked } from './load/drift-marks.ts'
import { diskPlace } from './load/place.ts'
import type { CodeParts, CodePartsRequest } from './load/with-code.ts'
import { budget } from './passes/budget/budget.ts'
import { pinnedFirst } from './passes/pinned-first.ts'
import { type SentFragment, unsentOnly } from './passes/unsent.ts'
import type { ProfilePlace } from './profiles/own-profile.ts'
import type { Order } from './profiles/profile.ts'
import type { ToolSetUp } from './profiles/settings.ts'
import { blockOrder, contextMarkdown, uniqueFiles } from './recipes/context-dir.ts'
import { arranged } from './renderers/arranged.ts'
import { xml } from './renderers/xml.ts'
import type { BucketContext } from './sources/bucket/files.ts'
import {
  type ContextDirReading,
  type ContextDirSource,
  type ContextDirText,
  contextDir,
  PRIORITY_ORDER,
} from './sources/context-dir.ts'
import { CONTEXT_DIR, type ContextDir } from './sources/context-dir-walk.ts'
import type { InstructionContext } from './sources/instructions.ts'
import { Instructions } from './workspace/instructions.ts'

/** What is asked of a place. */
export interface LoadRequest extends Pick<CodePartsRequest, 'signatures' | 'rewrite'> {
  /** A path on disk. Default: the current directory. */
  readonly place?: string | undefined
  /** Most tokens of `text`. A whole number ≥ 1. Default: 8000. */
  readonly budget?: number | undefined
  /** How `text` is written. Default: `markdown`. */
  readonly format?: 'markdown' | 'xml' | undefined
  /** Paths that were read or written, relative to the current directory. */
  readonly touched?: readonly string[] | undefined
  /** What the reader is about to do: what speaks of it comes first where not all fits. */
  readonly task?: string | undefined
  /** Whether the lines of code that bear on the task come under the same budget. Needs a task. Default: false. */
  readonly code?: boolean | undefined
  /** How which tool sees the tree. Default: `ambit`. */
  readonly profile?: string | undefined
  readonly order?: Order | undefined
  readonly tokens?: CounterName | undefined
  /** The user's home directory; `false` leaves it out. Default: the system's. */
  readonly home?: string | false | undefined
  /** Whether the instruction files count; without them, what an agent does not read by itself. Default: true. */
  readonly instructions?: boolean | undefined
  /** Whether the ledger and the warnings say what the files cite that is gone. Default: true. */
  readonly drift?: boolean | undefined
  /** Digests of what the reader has, as `sent` of earlier answers has them: it is not printed again. */
  readonly known?: readonly string[] | undefined
  /** Whether the answer has the content and the structure of the files. Default: true. */
  readonly full?: boolean | undefined
}

/** A file of the context directory in an answer; without content and structure when they were not asked for. */
export type LoadedFile = Pick<ContextFile, 'name' | 'path' | 'tokenCount'> & Partial<ContextFile>

/** What is shown of one file. */
export interface ShownFragment {
  readonly uri: string
  readonly text: string
  /** Whole under any budget. Absent when it is not. */
  readonly isPinned?: true
}

/** What applies at a place. The names are part of the product's contract. */
export interface LoadAnswer {
  /** Absolute path of the directory; the uri of a place that is not on disk. */
  readonly place: string
  /** Absolute path of the project's root; the uri of the bucket. */
  readonly root: string
  /** Which place it is, where there are two of that name: a sentence. */
  readonly choice?: string
  readonly contextDir: ContextDir | null
  readonly files: readonly LoadedFile[]
  /** The instruction files, or the files of a bucket, the most specific first. */
  readonly contexts: readonly (InstructionContext | BucketContext)[]
  /** What is shown of each file, the most important first; absent when content was not asked for. */
  readonly fragments?: readonly ShownFragment[]
  /** The context directory's Markdown, after the budget. */
  readonly summary: string
  /** Everything, in the format asked for. */
  readonly text: string
  readonly tokenCount: number
  /** Null where none was asked for. */
  readonly budget: number | null
  readonly truncated: boolean
  readonly overBudget: boolean
  readonly missing: readonly string[]
  readonly missingRequired: readonly string[]
  readonly warnings: readonly Warning[]
  readonly ledger: readonly LedgerRow[]
  /** `tokenCount` less what the ledger shows: headings, tags and separators. */
  readonly frameTokens: number
  readonly digest: string
  /** What the text gives, by digest: for `known` in a later request. */
  readonly sent: readonly SentFragment[]
}

/** Where what is known of trees is kept. */
export interface LoadOptions {
  /** A directory, absolute. Undefined: nowhere. */
  readonly cache?: string | undefined
  /** Models that rank code beside the words, where the user has set some. */
  readonly models?: CodePartsRequest['models']
}

/**
 * Loads what applies at a place: its context directory and its instruction files, and where it is asked for the code that bears
 * on a task, under one budget.
 *
 * @throws ContextError `not-found` for a place that does not exist; `invalid-input` for a bad request; `cancelled`.
 */
export async function load(
  request: LoadRequest = {},
  run: Run = SILENT,
  { cache, models }: LoadOptions = {},
): Promise<LoadAnswer> {
  const place = diskPlace(request.place ?? '.')
  const budget = validBudget(request.budget)
  const count = await counter(request.tokens)
  const faces = await facesAt(request, place.directory)
  const { instructions } = faces
  const unsent = unsentOnly(request.known ?? [], digestFiles)
  const code = request.code ? await codeFor({ ...request, place, cache, models }, run) : undefined
  const recipe = recipeOf(faces, { ...request, budget, count, unsent: unsent.pass, code })
  const assembled = await assemble(recipe, focusOf(request, place), run)
  const { reading } = faces.context
  const marked = await markedBy(request, assembled, instructions.root)
  const { files, malformed } = await filesOf(uniqueFiles(reading, assembled), count, request.full ?? true)
  const ledgered = marked.ledger.reduce((sum, { tokensAfter }) => sum + tokensAfter, 0)
  return {
    place: place.directory,
    root: instructions.root,
    contextDir: reading.dir,
    files,
    contexts: contextsOf(instructions, assembled),
    ...((request.full ?? true) && { fragments: assembled.selection.kept.map(shownOf) }),
    summary: summaryMarkdown(assembled, reading),
    text: assembled.text,
    tokenCount: assembled.tokens,
    budget,
    truncated: isTruncated(assembled.ledger),
    overBudget: assembled.tokens > budget,
    missing: reading.missing,
    missingRequired: reading.missingRequired,
    warnings: [...marked.warnings, ...malformed, ...(request.format === 'xml' ? illegal(assembled) : [])],
    ledger: marked.ledger,
    frameTokens: assembled.tokens - ledgered,
    get digest() {
      return digestFiles(assembled.considered.kept.map((fragment) => namedContent(fragment, faces)))
    },
    get sent() {
      return unsent.sentIn(assembled.selection)
    },
  }
}

export function shownOf({ origin, text, pinned }: Fragment): ShownFragment {
  return { uri: origin.uri, text, ...(pinned && { isPinned: true as const }) }
}

/** The ledger and the warnings, with what is stale where that is asked for. */
async function markedBy({ drift = true }: LoadRequest, assembled: Assembled, root: string): Promise<Marked> {
  if (!drift) return { ledger: assembled.ledger, warnings: assembled.selection.warnings }
  const { markDrift } = await import('./load/drift-marks.ts')
  return markDrift(assembled, root)
}

/** The two faces at one place. */
interface Faces {
  readonly context: ContextDirSource
  readonly instructions: Instructions
}

async function facesAt({ order, home, profile }: LoadRequest, directory: string): Promise<Faces> {
  const setUp = profile === undefined ? {} : await toolFor(profile, { cwd: directory, home })
  return {
    context: contextDir({ start: directory, name: CONTEXT_DIR, priorityOrder: PRIORITY_ORDER }),
    instructions: new Instructions({
      cwd: directory,
      ...setUp,
      ...(order && { order }),
      ...(home !== undefined && { home }),
    }),
  }
}

/** What reads settings and files of profiles is loaded when one is asked for. */
async function toolFor(profile: string, place: ProfilePlace): Promise<Pick<ToolSetUp, 'profile' | 'excludePaths'>> {
  const { profileFor } = await import('./profiles/own-profile.ts')
  const { profile: seenBy, excludePaths } = await profileFor(profile, place)
  return { profile: seenBy, excludePaths }
}

/** A place that is a file means its directory, touched at that file. */
function focusOf({ task, touched = [] }: LoadRequest, { directory, file }: ReturnType<typeof diskPlace>): Focus {
  const own = file === undefined ? [] : [resolve(directory, file)]
  return {
    place: directory,
    touched: [...own, ...touched.map((path) => resolve(path))],
    ...(task !== undefined && { task }),
  }
}

interface PrintOptions extends Pick<LoadRequest, 'format' | 'instructions'> {
  readonly budget: number
  readonly count: Count
  readonly unsent: Pass
  readonly code: CodeParts | undefined
}

/** What ranks code is loaded only for those who want it. */
async function codeFor(request: CodePartsRequest, run: Run): Promise<CodeParts> {
  return (await import('./load/with-code.ts')).codePartsFor(request, run)
}

function recipeOf({ context, instructions }: Faces, asked: PrintOptions): Recipe {
  const { format, count, code } = asked
  const cut = { blockOrder }
  const write = format === 'xml' ? xml({ attributes: ['filename'] }) : contextMarkdown
  const render = instructions.order === 'specific-first' ? write : generalFirst(instructions, context, write)
  const sources = (asked.instructions ?? true) ? [instructions.project, context, ...instructions.homes] : [context]
  const last = code ? code.budget(asked.budget, cut) : budget(asked.budget, cut)
  return {
    name: 'load',
    sources: code ? [...sources, code.source] : sources,
    passes: [...instructions.passes, pinnedFirst, asked.unsent, last],
    render: code ? code.render(render, format) : render,
    count,
  }
}

/** Prints the home directory's files, the context directory, and the project's files from the root down. */
function generalFirst(instructions: Instructions, context: ContextDirSource, write: Renderer): Renderer {
  return arranged((kept) => {
    const isShared = ({ origin }: Fragment) => context.reading.files.has(origin.uri)
    const ordered = instructions.generalFirst(kept.filter((fragment) => !isShared(fragment)))
    const isHome = (fragment: Fragment) => instructions.contextOf(fragment)?.scope === 'home'
    return [...ordered.filter(isHome), ...kept.filter(isShared), ...ordered.filter((fragment) => !isHome(fragment))]
  }, write)
}

/** The files as a caller sees them, and what is malformed in them where that is asked for. */
export async function filesOf(read: readonly ContextDirText[], count: Count, full: boolean) {
  if (!full) return { files: read.map((file) => outlineOf(file, count)), malformed: [] }
  // The Markdown parser is loaded only for those who want the structure.
  const { contextFile, parseWarnings: malformed } = await import('./context-dir/context-file.ts')
  return { files: read.map((file) => contextFile(file, count)), malformed: read.flatMap(malformed) }
}

function outlineOf({ fileName, path, content }: ContextDirText, count: Count): LoadedFile {
  return { name: fileName.replace(/\.md$/i, ''), path, tokenCount: count(content) }
}

/** What XML cannot hold, by file. */
export function illegal({ selection }: Assembled): Warning[] {
  return selection.kept.flatMap(({ origin, title, text }) => {
    const message = `Control characters that XML cannot hold are shown as U+FFFD: ${illegalIn(text)}.`
    return illegalIn(text) === 0 ? [] : [{ path: origin.labels?.filename ?? title, message }]
  })
}

function contextsOf(instructions: Instructions, { considered, ledger }: Assembled): InstructionContext[] {
  const again = duplicateUris(ledger)
  const contexts = considered.kept.flatMap((fragment) =>
    again.has(fragment.origin.uri) ? [] : (instructions.contextOf(fragment) ?? []),
  )
  return [...new Set(contexts)]
}

export function summaryMarkdown({ selection }: Assembled, { files }: ContextDirReading): string {
  return contextMarkdown({ ...selection, kept: selection.kept.filter(({ origin }) => files.has(origin.uri)) })
}

function namedContent(fragment: Fragment, { context, instructions }: Faces) {
  const { labels, uri } = fragment.origin
  const read = context.reading.files.get(uri) ?? instructions.contextOf(fragment)
  return { name: labels?.source ?? uri, content: read?.content ?? fragment.text }
}
