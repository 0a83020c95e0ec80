/** Delivers to a reader (a coding agent) the files that apply: each file once, and again after a change. */

import { isAbsolute, join, resolve } from 'node:path'
import type { DiskContext } from '../../collections/path-contexts.ts'
import { isDirectory, realOf } from '../../files/file-version.ts'
import { systemHome } from '../../files/home.ts'
import { projectRootOf } from '../../files/roots.ts'
import { countNoun } from '../../text/counts.ts'
import { type ToolSetUp, withSettings } from '../profiles/settings.ts'
import { findProfile } from '../profiles.ts'
import { compareTexts, type Delta } from '../session.ts'
import {
  type ApplyingFragment,
  type ApplyingSelection,
  filesLoadedBy,
  type ReachRequest,
  type ReaderPosition,
  renderDelivery,
  selectApplying,
  uniqueItems,
} from './applying.ts'
import { type ReachState, type SentItem, type SessionEntry, SessionLog, sessionAfter } from './session-log.ts'
import { MAX_NAMED_PATHS } from './shell/shell-words.ts'
import { type CallPlace, existingPaths, touchedPaths } from './touched.ts'

/** Reasons to leave out a file. If the reader has a file that is left out for such a reason, the file still applies. */
const STILL_APPLIES = new Set(['irrelevant', 'duplicate', 'failed', 'unreadable', 'over-limit'])

/**
 * The text for this event: files that apply to the working directory and the touched paths, except files that the tool loads
 * itself or the session has; and updates of changed texts. `''` if nothing is new, and for a missing directory. Only one of two
 * concurrent calls delivers a text.
 * @throws ContextError `denied` for a directory of the operating system. A system error if the state cannot be written.
 */
export async function deliverContext(request: ReachRequest, parts: ReachParts): Promise<string> {
  const { reader, session, subagent, via } = request
  if (!isAbsolute(request.cwd) || !isDirectory(request.cwd)) return ''
  const cwd = resolve(request.cwd)
  const root = projectRootOf(cwd)
  const log = new SessionLog(parts.state, { tool: reader.name, session, subagent, tree: realOf(root) })
  if (request.moment === 'end') log.add([{ type: 'end' }])
  if (request.moment === 'end') return ''
  const lostEntries: readonly SessionEntry[] = request.moment === 'resume' && reader.forgets ? [{ type: 'lost' }] : []
  const knownState = sessionAfter([...log.read(), ...lostEntries])
  const { began } = knownState
  // The hook in the settings of another tool has already reported this beginning.
  const isRepeated = began !== undefined && began.via !== via && Date.now() - began.at < SAME_EVENT_MS
  const moment = request.moment === 'begin' && isRepeated ? 'resume' : request.moment
  const isBegin = moment === 'begin' || began === undefined
  const place = { cwd, root, home: typeof parts.home === 'string' ? parts.home : systemHome() }
  const tool = await withSettings(findProfile(reader.profile), { ...place, cwd: began?.cwd ?? cwd })
  const { delivery, held, dropped } = await findDelivery({
    request: { ...request, moment },
    parts,
    place,
    tool,
    hasLostStart: lostEntries.length > 0,
    state: isBegin ? sessionAfter([]) : knownState,
  })
  const isImplied = moment !== 'begin'
  const begin: SessionEntry = { type: 'begin', cwd, via, at: Date.now(), ...(isImplied && { implied: true }) }
  if (!isImplied) log.restart([begin])
  const from = `${process.pid}.${process.hrtime.bigint()}`
  const changes = entriesFor(delivery, held, from)
  const entries = [...(isBegin && isImplied ? [begin] : []), ...(changes.length > 0 ? lostEntries : []), ...changes]
  const counted = `${countNoun(dropped, 'touched path')}, after the first ${MAX_NAMED_PATHS}`
  const left = Number.isFinite(dropped) ? counted : 'paths of a command that names too many'
  const notice = dropped === 0 ? '' : `Left out: ${left}.\n`
  if (entries.length === 0) return notice
  const { effective } = sessionAfter(log.add(entries))
  if (isBegin && isImplied) log.prune()
  // The other texts were claimed by another process, which delivers them.
  const ownUris = new Set([...effective].flatMap((entry) => ('uri' in entry && entry.from === from ? [entry.uri] : [])))
  const ownDelivery: Delivery = {
    added: delivery.added.filter(({ uri }) => ownUris.has(uri)),
    changed: delivery.changed.filter(({ item }) => ownUris.has(item.uri)),
    gone: delivery.gone.filter(([uri]) => ownUris.has(uri)),
  }
  const cap = (tool.hookBytes ?? reader.cap) - notice.length
  const { text, owed } = await renderDelivery(ownDelivery, { ...reader, cap })
  // The next call below its directory delivers a cut file completely.
  if (owed.size > 0) log.add([...owed].map((uri) => ({ type: 'gone', uri, from })))
  return text + notice
}

/** Milliseconds within which two hooks report the same event. */
const SAME_EVENT_MS = 30_000

/** An event, and what is known of its session. */
interface SessionEvent {
  readonly request: ReachRequest
  readonly parts: ReachParts
  readonly place: CallPlace
  readonly tool: ToolSetUp
  /** Whether the reader lost the texts of its working directory, but has the texts of touched paths. */
  readonly hasLostStart: boolean
  /** The state before the event: not begun if the event begins the session. */
  readonly state: ReachState
}

type Delivery = Delta<ApplyingFragment, SentItem>

/** `delivery`: the texts to deliver. `held`: new texts that the reader got from its tool. `dropped`: ignored paths. */
async function findDelivery(event: SessionEvent) {
  const { request, parts, place, state, hasLostStart } = event
  const { cwd, root } = place
  const isBegin = state.began === undefined
  const isCall = request.moment === 'call' && !isBegin
  const { paths: namedPaths, dropped } = await touchedPaths(request, place)
  // A prompt considers all earlier touched paths, because their files may have changed.
  const earlierPaths = [...new Set([...state.held.values()].flatMap(({ by }) => by))].map((path) => join(root, path))
  const touched = request.moment === 'call' || isBegin ? namedPaths : earlierPaths
  const position = { root, cwd, touched, home: parts.home }
  const applying = await selectApplying({ ...event.parts, tool: event.tool }, position, isCall)
  const loaded = await findLoaded(event, position, isCall)
  const seen = new Set(existingPaths(request.seen, place))
  const newlySeen = applying.items.filter((one) => seen.has(one.name) && state.held.get(one.uri)?.digest !== one.digest)
  // A tool loads a file once, so the reader has the old text of a file that changed later. On a prompt the tool loads nothing.
  const isNew = ({ uri }: ApplyingFragment) => !state.held.has(uri)
  const held = [...(isBegin || hasLostStart || isCall ? loaded.items.filter(isNew) : []), ...newlySeen]
  const loadedAndSent = loaded.items.filter((item) => !isNew(item))
  const sentTexts = new Map([...state.held, ...held.map((item) => [item.uri, item] as const)])
  const delta = compareTexts(uniqueItems([...applying.items, ...loadedAndSent]), { held: sentTexts })
  return { delivery: { ...delta, gone: isCall || isBegin ? [] : listGone(delta, [applying, loaded]) }, held, dropped }
}

async function findLoaded({ request, tool, state }: SessionEvent, position: ReaderPosition, isCall: boolean) {
  const { moment, loadsTouched, loadsStart = true } = request
  if ((isCall && !loadsTouched) || !loadsStart) return { items: [], left: [] }
  const startDirectory = state.began && isDirectory(state.began.cwd) ? state.began.cwd : position.cwd
  const touched = moment === 'call' && !loadsTouched ? [] : position.touched
  return filesLoadedBy(tool, { ...position, cwd: startDirectory, touched })
}

/** The files that the reader has, and that no longer apply. */
function listGone({ gone }: Delivery, selections: readonly ApplyingSelection[]): Delivery['gone'] {
  const applyingUris = new Set(
    selections.flatMap(({ items, left }) => [
      ...items.map(({ uri }) => uri),
      ...left.flatMap(({ why, origin }) => (STILL_APPLIES.has(why) ? [origin.uri] : [])),
    ]),
  )
  return gone.filter(([uri]) => uri.startsWith('file:') && !applyingUris.has(uri))
}

function entriesFor({ added, changed, gone }: Delivery, held: readonly ApplyingFragment[], from: string) {
  const items = [...held, ...added, ...changed.map(({ item }) => item)]
  return [
    ...items.map(({ uri, digest, parts, name, by }) => ({ type: 'has' as const, uri, from, digest, parts, name, by })),
    ...gone.map(([uri]) => ({ type: 'gone' as const, uri, from })),
  ]
}

interface ReachParts {
  /** Absolute path of the directory of the user's state. */
  readonly state: string
  /** The user's home directory; `false` for none. Default: the system's. */
  readonly home?: string | false | undefined
  /** The path contexts of a path on disk and of the paths above it, the most general first. */
  pathContexts(path: string): Promise<readonly DiskContext[]>
}
