/** What applies at a place and to what was touched, of which the tool that asks loads a part by itself. */

import { assemble } from '../../core/assemble.ts'
import type { Fragment, Left, Selection } from '../../core/flow.ts'
import { bytes4 } from '../../core/tokens.ts'
import { splitFrontMatter } from '../../text/front-matter.ts'
import { neutralise } from '../../text/invisible.ts'
import { isWithin, parentOf, relativeTo } from '../../text/paths.ts'
import { CONTEXT_FILES } from '../init/skeletons.ts'
import { recipeFor } from '../load/recipe.ts'
import type { ToolSetUp } from '../profiles/settings.ts'
import { AMBIT } from '../profiles.ts'
import { partDigests, type SessionItem, shortDigest } from '../session.ts'
import { contextDir, PRIORITY_ORDER } from '../sources/context-dir.ts'
import { CONTEXT_DIR } from '../sources/context-dir-walk.ts'
import { readMarked } from '../sync/mark.ts'
import { Instructions } from '../workspace/instructions.ts'
import type { DiskPathContext } from './reach.ts'
import type { Held } from './session-log.ts'

/** A fragment that applies, with what a session remembers of it. */
export interface ApplyingFragment extends SessionItem, Held {
  readonly fragment: Fragment
}

/** What applies, the most important first, and what was looked at and does not. */
export interface ApplyingSelection {
  readonly items: readonly ApplyingFragment[]
  readonly left: readonly Left[]
}

/** The working directory of a reader, and the paths that it touched. */
export interface ReaderPosition {
  /** Absolute. Nothing outside it is read. */
  readonly root: string
  /** Absolute. */
  readonly cwd: string
  /** Absolute. */
  readonly touched: readonly string[]
  readonly home?: string | false | undefined
}

/** Maximum number of touched paths that an entry records for a rule. */
const MOST_REASONS = 16

/**
 * The instruction files and rules that apply, whichever tool they were written for; and the user's own. Not what the person
 * excluded for the tool.
 */
export async function instructionsFor(
  position: ReaderPosition,
  { excludePaths }: ToolSetUp,
): Promise<ApplyingSelection> {
  const { items, left } = await instructionsOf(position, { profile: AMBIT, excludePaths })
  // What `sync` wrote for a tool is in its sources.
  return { items: items.filter(({ fragment }) => !readMarked(fragment.text)), left }
}

/** Those that a tool finds by itself, as it is set up, and shows whole; without its own notes, whose changes it knows. */
export async function loadedBy(
  { profile, excludePaths }: ToolSetUp,
  position: ReaderPosition,
): Promise<ApplyingSelection> {
  const home = profile.home.filter(({ isOfTool = false }) => !isOfTool)
  const { items, left } = await instructionsOf(position, { profile: { ...profile, home }, excludePaths })
  return { items: items.filter(({ fragment }) => !fragment.cut), left }
}

async function instructionsOf(
  position: ReaderPosition,
  { profile, excludePaths }: ToolSetUp,
): Promise<ApplyingSelection> {
  const { root, cwd, touched, home } = position
  const instructions = new Instructions({ root, cwd, profile, excludePaths, ...(home !== undefined && { home }) })
  for (const path of touched) instructions.tree.touch(path)
  const { selection } = await assemble(instructions.recipe(bytes4))
  return applyingOf(selection, position)
}

/** The files of the context directory that somebody has written: what `init` put there is left. */
export async function contextFilesFor({ cwd }: Pick<ReaderPosition, 'cwd'>): Promise<ApplyingSelection> {
  const source = contextDir({ start: cwd, name: CONTEXT_DIR, priorityOrder: PRIORITY_ORDER })
  const { selection } = await assemble(recipeFor('context-dir', undefined, { sources: [source], render: () => '' }))
  const isWritten = ({ text }: Fragment) => !SKELETONS.has(text.trim())
  return applyingOf({ ...selection, kept: selection.kept.filter(isWritten) })
}

const SKELETONS: ReadonlySet<string> = new Set(CONTEXT_FILES.map(({ content }) => content.trim()))

/** The path contexts of the places, each once, the most general first. */
export function itemsOfPathContexts(pathContexts: readonly DiskPathContext[]): ApplyingSelection {
  const kept = pathContexts.map(({ uri, path, text }): Fragment => {
    const shown = neutralise(path).text
    return { origin: { uri, labels: { path: shown } }, kind: 'path-context', title: shown, text: neutralise(text).text }
  })
  return applyingOf({ kept, left: [], warnings: [] })
}

function applyingOf({ kept, left }: Selection, position?: ReaderPosition): ApplyingSelection {
  return { items: withTwins(kept.map((fragment) => ({ fragment, ...heldTextOf(fragment, position) }))), left }
}

/** One rule may stand in the folders of several tools: the first names the others, which are not new then. */
function withTwins(items: readonly ApplyingFragment[]): readonly ApplyingFragment[] {
  const byDigest = Map.groupBy(items, ({ digest }) => digest)
  return items.map((item) => {
    const [first, ...others] = byDigest.get(item.digest) ?? []
    if (item !== first || others.length === 0) return item
    const { origin } = item.fragment
    const also = others.map(({ name }) => name).join(', ')
    return { ...item, fragment: { ...item.fragment, origin: { ...origin, labels: { ...origin.labels, also } } } }
  })
}

function heldTextOf(fragment: Fragment, position?: ReaderPosition): Omit<ApplyingFragment, 'fragment'> {
  const { uri, labels } = fragment.origin
  return {
    uri,
    digest: shortDigest(fragment.text.slice(splitFrontMatter(fragment.text).body).trim(), 20),
    parts: partDigests(fragment.text),
    name: labels?.filename ?? fragment.title,
    by: position ? reasonsFor(labels?.filename ?? '', position) : [],
  }
}

/** The first touched path at or below the directory of a file; of a rule, which may be for any path, all of them. */
function reasonsFor(filename: string, { root, cwd, touched }: ReaderPosition): readonly string[] {
  const isRule = /(^|\/)\.[^/]+\//.test(relativeTo(root, filename) ?? '.home/')
  if (isRule) return relativePaths(root, touched)
  const directory = parentOf(filename)
  if (isWithin(directory, cwd)) return []
  const below = touched.find((path) => isWithin(directory, path))
  return relativePaths(root, below === undefined ? touched : [below])
}

function relativePaths(root: string, paths: readonly string[]): readonly string[] {
  return paths.slice(0, MOST_REASONS).flatMap((path) => relativeTo(root, path) ?? [])
}
