import { BOUNDS } from '../../core/bounds.ts'
import { ContextError, invalidInput } from '../../core/errors.ts'
import type { PathContext } from '../../stores/store.ts'
import { normalPath, segments } from '../../text/paths.ts'

/** A context that applies to a path, and where it comes from. */
export interface AppliedContext {
  readonly scope: 'global' | 'collection' | 'path'
  /** The place that it was said of, with a leading slash; `/` for a whole collection, and for what holds everywhere. */
  readonly prefix: string
  readonly text: string
}

/** Finds what was said of a path, as of one moment and without waiting. Paths are relative to the collection's root. */
export interface ContextResolver {
  /** The most specific context, else the global one; undefined without any. */
  find(collection: string, path: string): string | undefined
  /** All that apply: the global one, then from general to specific. */
  all(collection: string, path: string): AppliedContext[]
}

/** A folder, or a file, that something was said of, or of a place below it. */
interface Node {
  context?: AppliedContext
  /** By name. */
  below?: Map<string, Node>
}

/**
 * A resolver over all contexts. A look-up takes one step for each name of the path, and stops where nothing was said of
 * anything below: it costs the same however many contexts there are.
 */
export function contextResolver(contexts: readonly PathContext[]): ContextResolver {
  const roots = new Map<string, Node>()
  let global: AppliedContext | undefined
  for (const { collection, pathPrefix: prefix, context: text } of contexts) {
    if (collection === null) global = { scope: 'global', prefix, text }
    else nodeAt(roots, collection, prefix).context = { scope: prefix === '/' ? 'collection' : 'path', prefix, text }
  }
  const all = (collection: string, path: string) => {
    const found = global ? [global] : []
    const root = roots.get(collection)
    const normal = root && normalPath(path)
    if (normal !== undefined) pushAlong(root, normal, found)
    return found
  }
  return { find: (collection, path) => all(collection, path).at(-1)?.text, all }
}

function nodeAt(roots: Map<string, Node>, collection: string, prefix: string): Node {
  let node = childOf(roots, collection)
  for (const name of segments(prefix)) {
    node.below ??= new Map()
    node = childOf(node.below, name)
  }
  return node
}

function childOf(nodes: Map<string, Node>, name: string): Node {
  const known = nodes.get(name)
  if (known) return known
  const made: Node = {}
  nodes.set(name, made)
  return made
}

/** Adds the contexts of a normal path to those found, from general to specific. */
function pushAlong(root: Node | undefined, path: string, found: AppliedContext[]): void {
  let node = root
  // After the leading slash.
  for (let at = 1; node; ) {
    if (node.context) found.push(node.context)
    if (!node.below || at >= path.length) return
    const slash = path.indexOf('/', at)
    const end = slash === -1 ? path.length : slash
    node = node.below.get(path.slice(at, end))
    at = end + 1
  }
}

const UNSEEN = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u

/**
 * The text that is kept of what a person says: without white space around it.
 *
 * @throws ContextError `invalid-input` for one that shows nothing, or is not valid Unicode; `over-limit`.
 */
export function saidText(text: unknown): string {
  if (typeof text !== 'string') {
    throw invalidInput('A path context must be a text.', 'Write it after the place.')
  }
  const said = text.trim()
  if (
    said.length > BOUNDS.pathContext * 2 ||
    (said.length > BOUNDS.pathContext && [...said].length > BOUNDS.pathContext)
  ) {
    const hint = 'Say what the place is for in a few sentences; what is longer belongs in a file of its own.'
    const message = `The text has ${said.length} characters; at most ${BOUNDS.pathContext} are kept.`
    throw new ContextError('over-limit', message, { hint })
  }
  if (UNSEEN.test(said)) {
    const hint = 'Say what the place is for. To remove its path context: ambit context remove PATH'
    throw invalidInput('The text is empty.', hint)
  }
  if (!said.isWellFormed() || said.includes('\0')) {
    throw invalidInput('The text is not valid Unicode, or holds a NUL.', 'Save it as UTF-8 and say it again.')
  }
  return said
}
