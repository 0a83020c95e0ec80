/** Entries are put into JSON as text, so that all else in it stays as it is: order, numbers, comments, white space, line ends. */

import { type Node as JsonNode, type ParseError, parse as parseJson, parseTree } from 'jsonc-parser'

export type EditedJson =
  | string
  | number
  | boolean
  | null
  | readonly EditedJson[]
  | { readonly [key: string]: EditedJson }

/** An entry that a JSON text shall have. `at` are the keys that lead to it from the root. */
export type JsonEdit =
  /** A value; one that is there already is left, whatever it is. `shared`: what others put there needs it, too. */
  | { readonly at: readonly string[]; readonly set: EditedJson; readonly shared?: true }
  /** An element at the end of an array that holds none with `known` in it; those with `outdated` in them give way to it. */
  | { readonly at: readonly string[]; readonly push: EditedJson; readonly known: RegExp; readonly outdated?: RegExp }

/** The text with the entries; or why it cannot have them, as a sentence. */
export type Edited = { readonly text: string } | { readonly problem: string }

/** The text of a new file with these entries. */
export function newJson(edits: readonly JsonEdit[]): string {
  const edited = withEdits('{}\n', edits)
  return 'text' in edited ? edited.text : ''
}

/** Puts into a JSON text those entries that it lacks; without any to put in, the text is given back as it is. */
export function withEdits(text: string, edits: readonly JsonEdit[]): Edited {
  if (!isObject(text)) return NOT_AN_OBJECT
  let edited: Edited = { text }
  for (const edit of edits) if ('text' in edited) edited = withEdit(edited.text, edit)
  return edited
}

const NOT_AN_OBJECT = { problem: 'It is not a JSON object.' }

/** Comments and a comma after the last member are valid: the tools that read these files allow them. */
const OPTIONS = { allowTrailingComma: true }

function isObject(text: string): boolean {
  const errors: ParseError[] = []
  try {
    return rootOf(text, errors).kind === 'object' && errors.length === 0
  } catch (error) {
    // Too deep for the stack.
    if (error instanceof RangeError) return false
    throw error
  }
}

/** A value in a text. */
interface Node {
  readonly kind: 'object' | 'array' | 'plain'
  readonly start: number
  /** After its last character. */
  readonly end: number
  readonly members: readonly Member[]
}

interface Member {
  /** `''` in arrays. */
  readonly key: string
  /** Of the key; in arrays, of the value. */
  readonly start: number
  readonly node: Node
}

function withEdit(text: string, edit: JsonEdit): Edited {
  const root = rootOf(text)
  let into = root
  for (const [depth, key] of edit.at.entries()) {
    if (into.kind !== 'object') return { problem: `Its "${edit.at.slice(0, depth).join('.')}" is not an object.` }
    const member = into.members.findLast((one) => one.key === key)
    if (!member) return { text: insertText(text, { root, into, key, value: buildMissing(edit, depth) }) }
    into = member.node
  }
  if ('set' in edit) return { text }
  if (into.kind !== 'array') return { problem: `Its "${edit.at.join('.')}" is not a list.` }
  const holds = (pattern: RegExp) => into.members.find(({ start, node }) => pattern.test(text.slice(start, node.end)))
  if (holds(edit.known)) return { text }
  const old = edit.outdated && holds(edit.outdated)
  // In its place, so that what is around it stays as it is.
  if (old) return { text: text.slice(0, old.start) + JSON.stringify(edit.push) + text.slice(old.node.end) }
  return { text: insertText(text, { root, into, value: edit.push }) }
}

/**
 * The text without these entries: elements with `known` in them, and values that are as they were set. Objects and lists that hold
 * nothing any more go with them. Undefined where nothing at all is left.
 */
export function withoutEdits(text: string, edits: readonly JsonEdit[]): Edited | undefined {
  if (!isObject(text)) return NOT_AN_OBJECT
  const isShared = (edit: JsonEdit) => 'shared' in edit && edit.shared === true
  const left = without(
    text,
    edits.filter((edit) => !isShared(edit)),
  )
  if (left === undefined || left === text) return left === undefined ? undefined : { text }
  return without(left, edits.filter(isShared)) === undefined ? undefined : { text: left }
}

function without(text: string, edits: readonly JsonEdit[]): string | undefined {
  let left: string | undefined = text
  for (const edit of edits) {
    for (let before: string | undefined; left !== undefined && before !== left; ) {
      before = left
      left = withoutEdit(left, edit)
    }
  }
  return left
}

function withoutEdit(text: string, edit: JsonEdit): string | undefined {
  const path = [rootOf(text)]
  for (const key of edit.at) {
    const into = path.at(-1)
    const member: Member | undefined =
      into?.kind === 'object' ? into.members.findLast((one) => one.key === key) : undefined
    if (!member) return text
    path.push(member.node)
  }
  const [last] = path.slice(-1)
  if ('push' in edit && last?.kind === 'array') {
    const own = last.members.find(({ start, node }) => edit.known.test(text.slice(start, node.end)))
    return own ? withoutMember(text, path, own) : text
  }
  const [into] = path.slice(-2, -1)
  const own = into?.members.findLast(({ node }) => node === last)
  const isOurs = own && 'set' in edit && isSame(text.slice(own.node.start, own.node.end), edit.set)
  return isOurs ? withoutMember(text, path.slice(0, -1), own) : text
}

function isSame(written: string, value: EditedJson): boolean {
  return JSON.stringify(parseJson(written)) === JSON.stringify(value)
}

/** Takes a member out of the last node of a path; where it is the only one, the node out of the one before. */
function withoutMember(text: string, path: readonly Node[], own: Member): string | undefined {
  const into = path.at(-1)
  if (!into) return undefined
  const at = into.members.indexOf(own)
  const [before, after] = [into.members[at - 1], into.members[at + 1]]
  if (before) {
    const comment = commentAfter(text, before.node)
    return text.slice(0, before.node.end) + (after ? comment : comment.replace(/^,/, '')) + text.slice(own.node.end)
  }
  if (after) return text.slice(0, own.start) + text.slice(after.start)
  const above = path.slice(0, -1)
  const outer = above.at(-1)?.members.find(({ node }) => node === into)
  return outer ? withoutMember(text, above, outer) : undefined
}

/** What stands under the key at that depth when nothing does yet. */
function buildMissing(edit: JsonEdit, depth: number): EditedJson {
  const innermost = 'set' in edit ? edit.set : [edit.push]
  return edit.at.slice(depth + 1).reduceRight<EditedJson>((value, key) => ({ [key]: value }), innermost)
}

/** Where the values of a valid text stand. */
function rootOf(text: string, errors: ParseError[] = []): Node {
  // A byte order mark is a blank; offsets stay.
  const tree = parseTree(text.replace(/^\uFEFF/, ' '), errors, OPTIONS)
  return tree ? nodeOf(tree) : { kind: 'plain', start: 0, end: 0, members: [] }
}

function nodeOf({ type, offset, length, children = [] }: JsonNode): Node {
  const kind = type === 'object' || type === 'array' ? type : 'plain'
  const members = children.flatMap((child): Member[] => {
    if (type === 'array') return [{ key: '', start: child.offset, node: nodeOf(child) }]
    const [key, value] = child.children ?? []
    return value ? [{ key: String(key?.value), start: child.offset, node: nodeOf(value) }] : []
  })
  return { kind, start: offset, end: offset + length, members }
}

/** A comma and a comment that follow a member in its line; `''` where no comment does. */
function commentAfter(text: string, { end }: Node): string {
  return /^,?[ \t]*\/\/[^\r\n]*/.exec(text.slice(end))?.[0] ?? ''
}

interface Insertion {
  readonly root: Node
  readonly into: Node
  /** Absent for an array. */
  readonly key?: string
  readonly value: EditedJson
}

/** The text with one member more, at the end, written like those before it. */
function insertText(text: string, insertion: Insertion): string {
  const { root, into } = insertion
  const isOneLine = root.members.length > 0 && !text.slice(root.start, root.end).includes('\n')
  const last = into.members.at(-1)
  const lead = leadOf(text, into)
  const { start, end } = last
    ? { start: last.node.end, end: last.node.end }
    : { start: into.start + 1, end: into.end - 1 }
  const comma = last ? ',' : ''
  if (isOneLine || (last && !lead.includes('\n'))) {
    const space = /[:,] /.test(text.slice(into.start, into.end)) ? ' ' : ''
    return text.slice(0, start) + comma + (comma && space) + inLine(insertion, space) + text.slice(end)
  }
  const outer = indentAt(text, into.start)
  const indent = last ? indentAt(text, into.members[0]?.start ?? 0) : outer + unitOf(text, root)
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = eol + indent + inLines(insertion, unitOf(text, root)).join(eol + indent)
  if (!last) return text.slice(0, end).trimEnd() + lines + eol + outer + text.slice(end)
  const comment = commentAfter(text, last.node)
  return text.slice(0, start) + comma + comment.replace(/^,/, '') + lines + text.slice(end + comment.length)
}

function inLine({ key, value }: Insertion, space: string): string {
  return (key === undefined ? '' : `${JSON.stringify(key)}:${space}`) + JSON.stringify(value)
}

function inLines({ key, value }: Insertion, unit: string): string[] {
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `
  return (name + JSON.stringify(value, null, unit)).split('\n')
}

/** The white space before the first member; `''` without one. */
function leadOf(text: string, { start, members: [first] }: Node): string {
  return first ? text.slice(start + 1, first.start) : ''
}

/** One step of indentation. Default: two spaces. */
function unitOf(text: string, root: Node): string {
  const lead = leadOf(text, root)
  return (lead.includes('\n') && indentAt(text, root.members[0]?.start ?? 0)) || '  '
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1)
}

/** The white space at the start of the line in which an offset is. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(lastLine(text.slice(0, offset)))?.[0] ?? ''
}
