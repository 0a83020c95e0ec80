/** Selects the files that apply to a place and to touched files, and the files among them that the tool loads itself. */

import type { DiskContext } from '../../collections/path-contexts.ts'
import { assemble } from '../../core/assemble.ts'
import type { Fragment, Left, Renderer, Selection } from '../../core/flow.ts'
import { bytes4, utf8Length } from '../../core/tokens.ts'
import { largestThatFits } from '../../text/bisect.ts'
import { listFirst } from '../../text/counts.ts'
import { neutralise } from '../../text/invisible.ts'
import { isWithin, parentOf, relativeTo } from '../../text/paths.ts'
import { readSkeletons } from '../init/templates.ts'
import { recipeFor } from '../load/recipe.ts'
import type { Profile } from '../profiles/profile.ts'
import type { ToolSetUp } from '../profiles/settings.ts'
import { OWN_PROFILE } from '../profiles.ts'
import { fencedSections, xml } from '../renderers/renderers.ts'
import { type Delta, goneFragment, partDigests, replacementFor, type SessionItem, shortDigest } from '../session.ts'
import { contextDir } from '../sources/context-dir.ts'
import { ruleBody } from '../sync/mark.ts'
import { Instructions } from '../workspace/instructions.ts'
import type { SentItem } from './session-log.ts'

/** A fragment that applies, with the fields that the log of a session records. */
export interface ApplyingFragment extends SessionItem, SentItem {
  readonly fragment: Fragment
}

/** Files that apply, the most important first, and considered files that do not apply. */
export interface ApplyingSelection {
  readonly items: readonly ApplyingFragment[]
  readonly left: readonly Left[]
}

/** The working directory of a reader, and its touched paths. */
export interface ReaderPosition {
  /** Absolute path of the project's root. Files outside the root are not read. */
  readonly root: string
  /** Absolute path. */
  readonly cwd: string
  /** Absolute paths. */
  readonly touched: readonly string[]
  readonly home?: string | false | undefined
}

/** `excludePaths`: files that the person excluded for the tool. */
type FileSetUp = Pick<ToolSetUp, 'excludePaths'> & Partial<Pick<ToolSetUp, 'profile'>>

/** Maximum copies of a rule (the same text in another folder) whose names its label lists. */
const MAX_COPY_NAMES = 8

/** Maximum touched paths that the log of a session records for a rule. */
const MAX_RECORDED_PATHS = 16

/** The files that apply after an event: after a tool call, to its touched paths; else also the context directory. */
export async function selectApplying(
  { pathContexts, tool }: { pathContexts(path: string): Promise<readonly DiskContext[]>; readonly tool: ToolSetUp },
  position: ReaderPosition,
  isCall: boolean,
): Promise<ApplyingSelection> {
  const places = isCall ? position.touched : [position.cwd, ...position.touched]
  const contexts = (await Array.fromAsync(places, (place) => pathContexts(place))).flat()
  const { excludePaths } = tool
  const selections = [await instructionsFor(position, { excludePaths }), pathContextItems(contexts)]
  if (!isCall) selections.push(await contextFilesFor(position))
  const items = selections.flatMap((selection) => selection.items)
  const isInProject = ({ name, uri }: ApplyingFragment) => !uri.startsWith('file:') || isWithin(position.root, name)
  return {
    // The user's own files come last, as in every load.
    items: uniqueItems([...items.filter(isInProject), ...items.filter((item) => !isInProject(item))]),
    left: selections.flatMap(({ left }) => left),
  }
}

/** Keeps the first item of each uri. */
export function uniqueItems(items: readonly ApplyingFragment[]): readonly ApplyingFragment[] {
  return [...new Map(items.toReversed().map((item) => [item.uri, item])).values()].reverse()
}

/** The files that a tool loads itself and shows completely, without notes that it writes: it knows when they change. */
export async function filesLoadedBy({ profile, excludePaths }: ToolSetUp, position: ReaderPosition) {
  const { items, left } = await instructionsFor(position, { profile: withoutToolNotes(profile), excludePaths })
  return { items: items.filter(({ fragment }) => !fragment.cut), left }
}

/** The profile without the folders in which the tool writes notes. */
export function withoutToolNotes(profile: Profile): Profile {
  return { ...profile, home: profile.home.filter(({ isOfTool = false }) => !isOfTool) }
}

/** The files that apply by a profile. Default: the instruction files and rules of all tools, and the user's own. */
async function instructionsFor(position: ReaderPosition, { profile = OWN_PROFILE, excludePaths }: FileSetUp) {
  const { root, cwd, touched, home } = position
  const instructions = new Instructions({ root, cwd, profile, excludePaths, home })
  for (const path of touched) instructions.tree.touch(path)
  const { selection } = await assemble(instructions.recipe(bytes4))
  return toApplyingSelection(selection, position)
}

/** The files of the context directory, without unedited templates of `init`. */
async function contextFilesFor({ cwd }: Pick<ReaderPosition, 'cwd'>): Promise<ApplyingSelection> {
  const source = contextDir({ start: cwd })
  const { selection } = await assemble(recipeFor('context-dir', undefined, { sources: [source], render: () => '' }))
  const skeletons = new Set([...readSkeletons().values()].map((text) => text.trim()))
  return toApplyingSelection({ ...selection, kept: selection.kept.filter(({ text }) => !skeletons.has(text.trim())) })
}

/** The path contexts of the places, each once, the most general first. */
function pathContextItems(pathContexts: readonly DiskContext[]): ApplyingSelection {
  const kept = pathContexts.map(({ uri, path, text }): Fragment => {
    const shown = neutralise(path).text
    return { origin: { uri, labels: { path: shown } }, kind: 'path-context', title: shown, text: neutralise(text).text }
  })
  return toApplyingSelection({ kept, left: [], warnings: [] })
}

function toApplyingSelection({ kept, left }: Selection, position?: ReaderPosition): ApplyingSelection {
  const items = kept.map((fragment): ApplyingFragment => {
    const { uri, labels } = fragment.origin
    return {
      fragment,
      uri,
      digest: ruleDigest(fragment.text),
      parts: partDigests(fragment.text),
      name: labels?.filename ?? fragment.title,
      by: position ? touchedPathsFor(labels?.filename ?? '', position) : [],
    }
  })
  return { items: withCopyNames(items), left }
}

/** A digest that is equal for all copies of a rule. */
export function ruleDigest(text: string): string {
  return shortDigest(ruleBody(text), 20)
}

/** A rule may be in the folders of several tools. The first copy names the other copies, which are then not sent. */
function withCopyNames(items: readonly ApplyingFragment[]): readonly ApplyingFragment[] {
  const byDigest = Map.groupBy(items, ({ digest }) => digest)
  return items.map((item) => {
    const [first, ...others] = byDigest.get(item.digest) ?? []
    if (item !== first || others.length === 0) return item
    const { origin } = item.fragment
    const names = others.map(({ name }) => name)
    const labels = { ...origin.labels, also: listFirst(names, MAX_COPY_NAMES) }
    return { ...item, fragment: { ...item.fragment, origin: { ...origin, labels } } }
  })
}

/** The first touched path at or below a file's directory; for a rule, which may be for any path, all touched paths. */
function touchedPathsFor(filename: string, { root, cwd, touched }: ReaderPosition): readonly string[] {
  const isRule = /(^|\/)\.[^/]+\//.test(relativeTo(root, filename) ?? '.home/')
  const directory = parentOf(filename)
  if (!isRule && isWithin(directory, cwd)) return []
  const firstBelow = isRule ? undefined : touched.find((path) => isWithin(directory, path))
  const paths = firstBelow === undefined ? touched.slice(0, MAX_RECORDED_PATHS) : [firstBelow]
  return paths.flatMap((path) => relativeTo(root, path) ?? [])
}

/** The line above the files. Agents would treat an order in it as an attack. AGENTS.md of `init` quotes the line. */
const DELIVERY_HEADER = 'Project context, loaded by Ambit from files that apply here:\n'
const CUT_NOTICE = 'Cut to fit. The rest is in the files named above, and in:'

/** Bytes that are reserved for the notice about cut files. */
const NOTICE_BYTES = 600

/**
 * Renders new, changed and no longer valid texts as one text of at most `reader.cap` bytes; `''` if there are none. The
 * text names the files that were cut, so that the reader can open them.
 *
 * @returns `whole`: the uris of the completely shown files. `owed`: the uris of the cut files that would fit in a text of
 * their own. `bytes`: the size of the text before the cut.
 */
export async function renderDelivery(
  { added, changed, gone }: Delta<ApplyingFragment, SentItem>,
  reader: Pick<ContextReader, 'cap' | 'format'>,
) {
  const kept = [
    ...added.map(({ fragment }) => fragment),
    ...changed.map(({ item, before }) => replacementFor(item.fragment, before.parts).fragment),
    ...gone.map(([, { name }]) => goneFragment(name)),
  ]
  if (kept.length === 0) return { text: '', whole: new Set<string>(), owed: new Set<string>(), bytes: 0 }
  const render = rendererFor(reader)
  const renderAll = (fragments: readonly Fragment[]) => render({ kept: fragments, left: [], warnings: [] })
  const text = DELIVERY_HEADER + renderAll(kept)
  const bytes = utf8Length(text)
  const { text: shown, whole } = bytes <= reader.cap ? { text, whole: kept } : await cutText(kept, render, reader.cap)
  const wholeUris = new Set(whole.map(({ origin }) => origin.uri))
  const cut = kept.filter(({ origin }) => !wholeUris.has(origin.uri))
  const owed = cut.filter((fragment) => utf8Length(renderAll([fragment])) <= bytesForFiles(reader.cap))
  return { text: shown, whole: wholeUris, owed: new Set(owed.map(({ origin }) => origin.uri)), bytes }
}

function bytesForFiles(cap: number): number {
  return cap - utf8Length(DELIVERY_HEADER) - NOTICE_BYTES
}

function rendererFor({ format }: Pick<ContextReader, 'format'>): Renderer {
  if (format === 'markdown') return fencedSections({ heading: ['filename', 'also', 'path', 'update'] })
  return xml({ attributes: { context: ['filename', 'also', 'update'], 'path-context': ['path', 'update'] } })
}

/** Shows as many of the nearest files as fit completely, then parts of other files. Pinned files can be cut, too. */
async function cutText(kept: readonly Fragment[], render: Renderer, cap: number) {
  const ordered = [...kept.filter(({ pinned }) => pinned), ...kept.filter(({ pinned }) => !pinned)]
  const renderAll = (fragments: readonly Fragment[]) => render({ kept: fragments, left: [], warnings: [] })
  const availableBytes = bytesForFiles(cap)
  let wholeCount = 0
  while (utf8Length(renderAll(ordered.slice(0, wholeCount + 1))) <= availableBytes) wholeCount++
  const whole = wholeCount > 0 ? renderAll(ordered.slice(0, wholeCount)) : ''
  const others = ordered.slice(wholeCount).map((fragment) => ({ ...fragment, pinned: false }))
  const sources = [{ name: 'news', gather: async () => ({ kept: others, left: [], warnings: [] }) }]
  // A token is four bytes.
  const tokens = Math.max(1, Math.floor((availableBytes - utf8Length(whole)) / 4))
  const { text, selection } = await assemble(recipeFor('delivery', tokens, { sources, render }))
  return {
    text: `${DELIVERY_HEADER}${whole}${text}${cutNotice(selection.left.map(({ title }) => title))}`,
    whole: [...ordered.slice(0, wholeCount), ...selection.kept.filter(({ cut }) => !cut)],
  }
}

/** The notice about cut files. Names as many files as fit, and the number of the others. */
function cutNotice(leftNames: readonly string[]): string {
  if (leftNames.length === 0) return `${CUT_NOTICE.replace(', and in:', '.')}\n`
  const fits = (count: number) => utf8Length(listFirst(leftNames, count)) <= NOTICE_BYTES - 120
  return `${CUT_NOTICE} ${listFirst(leftNames, largestThatFits(leftNames.length, fits))}.\n`
}

/** A coding agent that gets context by a hook, and the limits of the hook. */
export interface ContextReader {
  readonly name: string
  /** The profile by which the tool finds instruction files: a name in `PROFILES`. */
  readonly profile: string
  /** Maximum bytes of one answer in UTF-8. The tool cuts longer answers, or writes them to a file. */
  readonly cap: number
  /** `markdown` if the tool escapes tags. */
  readonly format: 'xml' | 'markdown'
  /** Whether a resumed session no longer shows the texts of the working directory. Default: false. */
  readonly forgets?: boolean
}

/** An event of a session, as the hook of a coding agent reports it. */
export interface ReachRequest {
  readonly reader: ContextReader
  readonly session: string
  /** The tool whose settings contain the hook. Another tool may run the hook. */
  readonly via: string
  /** The agent within the session. Absent for its main agent. */
  readonly subagent?: string | undefined
  /**
   * `begin`: the reader has no texts. `resume`: the reader has the same texts as before, unless it `forgets`. `prompt`:
   * a person wrote a prompt. `call`: a tool was called. `end`: the conversation will be compacted.
   */
  readonly moment: 'begin' | 'resume' | 'prompt' | 'call' | 'end'
  /** Absolute path of the working directory. */
  readonly cwd: string
  /** Paths that a call names, relative to `cwd`. Paths in missing directories are ignored. */
  readonly touched: readonly string[]
  /** Command lines that a call runs. */
  readonly commands: readonly string[]
  /** Working directory of a command, relative to `cwd`. Default: `cwd`. */
  readonly workdir?: string
  /** Output of a tool that lists files. */
  readonly results: string
  /** A variable of the environment in which commands run. */
  variable(name: string): string | undefined
  /** Paths of files whose whole text the reader gets from the call itself. */
  readonly seen: readonly string[]
  /** The prompt, if code for the prompt is requested. A session gets code only once. */
  readonly task?: string | undefined
  /** Whether the tool itself loads the files that apply to the touched paths of this call. */
  readonly loadsTouched: boolean
  /** Whether the tool gives this agent the instruction files of the main agent. Default: true. */
  readonly loadsStart?: boolean
}
