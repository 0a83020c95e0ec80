import { resolve } from 'node:path'
import type { Assembled } from '../core/assemble.ts'
import {
  type Count,
  type Focus,
  type Fragment,
  type Pass,
  type Recipe,
  type Renderer,
  type Run,
  SILENT,
} from '../core/flow.ts'
import { duplicateUris } from '../core/ledger.ts'
import { validBudget } from '../core/tokens.ts'
import { digestFiles } from '../files/file-version.ts'
import type { LoadAnswer } from './answers.ts'
import { assembleAnswer, type PlaceParts } from './load/answer.ts'
import { type CounterName, counter } from './load/count.ts'
import type { Marked } from './load/drift-marks.ts'
import { diskPlace } from './load/place.ts'
import type { CodeParts, CodePartsRequest } from './load/with-code.ts'
import { budget } from './passes/budget/budget.ts'
import { pinnedFirst } from './passes/pinned-first.ts'
import { unsentOnly } from './passes/unsent.ts'
import type { ProfilePlace } from './profiles/own-profile.ts'
import type { Order } from './profiles/profile.ts'
import type { ToolSetUp } from './profiles/settings.ts'
import { blockOrder, contextMarkdown } from './recipes/context-dir.ts'
import { arranged } from './renderers/arranged.ts'
import { xml } from './renderers/xml.ts'
import { type ContextDirSource, contextDir, PRIORITY_ORDER } from './sources/context-dir.ts'
import { CONTEXT_DIR } from './sources/context-dir-walk.ts'
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
  const parts: PlaceParts = {
    recipe: recipeOf(faces, { ...request, budget, count, unsent: unsent.pass, code }),
    focus: focusOf(request, place),
    count,
    budget,
    isXml: request.format === 'xml',
    isFull: request.full ?? true,
    unsent,
    place: () => place.directory,
    root: instructions.root,
    reading: () => faces.context.reading,
    contexts: (assembled) => contextsOf(instructions, assembled),
    named: (fragment) => namedContent(fragment, faces),
    marked: (assembled) => markedBy(request, assembled, instructions.root),
  }
  return assembleAnswer(parts, run)
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

function contextsOf(instructions: Instructions, { considered, ledger }: Assembled): InstructionContext[] {
  const again = duplicateUris(ledger)
  const contexts = considered.kept.flatMap((fragment) =>
    again.has(fragment.origin.uri) ? [] : (instructions.contextOf(fragment) ?? []),
  )
  return [...new Set(contexts)]
}

function namedContent(fragment: Fragment, { context, instructions }: Faces) {
  const { labels, uri } = fragment.origin
  const read = context.reading.files.get(uri) ?? instructions.contextOf(fragment)
  return { name: labels?.source ?? uri, content: read?.content ?? fragment.text }
}
