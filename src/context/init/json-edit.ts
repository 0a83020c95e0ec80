/** Edits JSON as text, so that everything else stays unchanged: order, numbers, comments, white space, line ends. */

import { type Node, type ParseError, parse as parseJson, parseTree } from 'jsonc-parser'

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** An entry for a JSON text. `at`: its keys from the root. */
export type JsonEdit = { readonly at: readonly string[] } & (SetEdit | PushEdit)

/** A value for a missing key. An existing value stays. `isShared`: entries of other programs need the value, too. */
type SetEdit = { readonly set: JsonValue; readonly isShared?: true }

/** A new element of an array, unless an element matches `ownPattern`. Replaces the first element that matches `outdatedPattern`. */
type PushEdit = { readonly push: JsonValue; readonly ownPattern: RegExp; readonly outdatedPattern?: RegExp }

/** The edited text, or a sentence that says why the text cannot be edited. */
export type EditResult = { readonly text: string } | { readonly problem: string }

/** The text of a new file with these entries. */
export function newJson(edits: readonly JsonEdit[]): string {
  const edited = withEdits('{}\n', edits)
  return 'text' in edited ? edited.text : ''
}

/** Adds the missing entries to a JSON text. If none is missing, the text is unchanged. */
export function withEdits(text: string, edits: readonly JsonEdit[]): EditResult {
  if (!isObject(text)) return NOT_AN_OBJECT
  let edited: EditResult = { text }
  for (const edit of edits) if ('text' in edited) edited = withEdit(edited.text, edit)
  return edited
}

const NOT_AN_OBJECT = { problem: 'It is not a JSON object.' }

/** Comments and a comma after the last member are valid: the tools that read these files allow them. */
const OPTIONS = { allowTrailingComma: true }

function isObject(text: string): boolean {
  const errors: ParseError[] = []
  try {
    return rootOf(text, errors).type === 'object' && errors.length === 0
  } catch (error) {
    // The text is nested too deeply for the stack.
    if (error instanceof RangeError) return false
    throw error
  }
}

function withEdit(text: string, edit: JsonEdit): EditResult {
  const root = rootOf(text)
  let parent = root
  for (const [depth, key] of edit.at.entries()) {
    if (parent.type !== 'object') return { problem: `Its "${edit.at.slice(0, depth).join('.')}" is not an object.` }
    const value = valueUnder(parent, key)
    if (!value) return { text: insertText(text, { root, into: parent, key, value: buildMissing(edit, depth) }) }
    parent = value
  }
  if ('set' in edit) return { text }
  if (parent.type !== 'array') return { problem: `Its "${edit.at.join('.')}" is not a list.` }
  if (elementWith(text, parent, edit.ownPattern)) return { text }
  const old = edit.outdatedPattern && elementWith(text, parent, edit.outdatedPattern)
  // The element is replaced in place, so that the text around it is unchanged.
  if (old) return { text: text.slice(0, old.offset) + JSON.stringify(edit.push) + text.slice(endOf(old)) }
  return { text: insertText(text, { root, into: parent, value: edit.push }) }
}

/**
 * Removes entries from a JSON text: elements that match `ownPattern`, and unchanged values. Objects and lists that
 * become empty are removed, too. Undefined if the whole text becomes empty.
 */
export function withoutEdits(text: string, edits: readonly JsonEdit[]): EditResult | undefined {
  if (!isObject(text)) return NOT_AN_OBJECT
  const [shared = [], own = []] = [true, false].map((is) => edits.filter((edit) => 'isShared' in edit === is))
  const remaining = removeEdits(text, own)
  const isOursAlone = remaining === undefined || (remaining !== text && removeEdits(remaining, shared) === undefined)
  return isOursAlone ? undefined : { text: remaining }
}

function removeEdits(text: string, edits: readonly JsonEdit[]): string | undefined {
  let remaining: string | undefined = text
  for (const edit of edits) {
    for (let before: string | undefined; remaining !== undefined && before !== remaining; ) {
      before = remaining
      remaining = removeEdit(remaining, edit)
    }
  }
  return remaining
}

function removeEdit(text: string, edit: JsonEdit): string | undefined {
  let node: Node | undefined = rootOf(text)
  for (const key of edit.at) node = node && valueUnder(node, key)
  if (node && 'push' in edit) {
    const element = node.type === 'array' ? elementWith(text, node, edit.ownPattern) : undefined
    return element ? removeMember(text, element) : text
  }
  if (!node?.parent || !('set' in edit)) return text
  const isOurs = JSON.stringify(parseJson(sourceOf(text, node))) === JSON.stringify(edit.set)
  return isOurs ? removeMember(text, node.parent) : text
}

/** Removes a member of an object or an element of a list. Removes the object or list, too, if it becomes empty. */
function removeMember(text: string, member: Node | undefined): string | undefined {
  const container = member?.parent
  if (!member || !container?.children) return undefined
  const at = container.children.indexOf(member)
  const [previous, next] = [container.children[at - 1], container.children[at + 1]]
  if (previous) {
    const comment = commentAfter(text, previous)
    return text.slice(0, endOf(previous)) + (next ? comment : comment.replace(/^,/, '')) + text.slice(endOf(member))
  }
  if (next) return text.slice(0, member.offset) + text.slice(next.offset)
  return removeMember(text, container.parent?.type === 'property' ? container.parent : container)
}

/** The value for the key at `depth` in an edit: objects for the missing keys below, and the entry. */
function buildMissing(edit: JsonEdit, depth: number): JsonValue {
  const innermost = 'set' in edit ? edit.set : [edit.push]
  return edit.at.slice(depth + 1).reduceRight<JsonValue>((value, key) => ({ [key]: value }), innermost)
}

/** The root value of a valid JSON text. */
function rootOf(text: string, errors: ParseError[] = []): Node {
  // A byte order mark is parsed as a blank, so that offsets stay.
  return parseTree(text.replace(/^\uFEFF/, ' '), errors, OPTIONS) ?? { type: 'null', offset: 0, length: 0 }
}

/** The value of a key; for a duplicate key, the last value. */
function valueUnder({ type, children = [] }: Node, key: string): Node | undefined {
  return type === 'object' ? children.findLast((one) => one.children?.[0]?.value === key)?.children?.[1] : undefined
}

function elementWith(text: string, { children = [] }: Node, pattern: RegExp): Node | undefined {
  return children.find((one) => pattern.test(sourceOf(text, one)))
}

function endOf({ offset, length }: Node): number {
  return offset + length
}

function sourceOf(text: string, node: Node): string {
  return text.slice(node.offset, endOf(node))
}

/** A comment that follows a member on its line, with the comma before the comment; `''` without a comment. */
function commentAfter(text: string, node: Node): string {
  return /^,?[ \t]*\/\/[^\r\n]*/.exec(text.slice(endOf(node)))?.[0] ?? ''
}

/** Appends a member in the format of the existing members. `key`: undefined for an array. */
function insertText(
  text: string,
  { root, into: container, key, value }: { root: Node; into: Node; key?: string; value: JsonValue },
): string {
  const isOneLine = root.children?.length !== 0 && !sourceOf(text, root).includes('\n')
  const last = container.children?.at(-1)
  const end = last ? endOf(last) : endOf(container) - 1
  if (isOneLine || (last && !leadingSpace(text, container).includes('\n'))) {
    const space = /[:,] /.test(sourceOf(text, container)) ? ' ' : ''
    const start = last ? end : container.offset + 1
    const member = (key === undefined ? '' : `${JSON.stringify(key)}:${space}`) + JSON.stringify(value)
    return text.slice(0, start) + (last ? `,${space}` : '') + member + text.slice(end)
  }
  const outer = indentAt(text, container.offset)
  const unit = indentUnit(text, root)
  const indent = last ? indentAt(text, container.children?.[0]?.offset ?? 0) : outer + unit
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const member = (key === undefined ? '' : `${JSON.stringify(key)}: `) + JSON.stringify(value, null, unit)
  const lines = eol + indent + member.replaceAll('\n', eol + indent)
  if (!last) return text.slice(0, end).trimEnd() + lines + eol + outer + text.slice(end)
  const comment = commentAfter(text, last)
  return `${text.slice(0, end)},${comment.replace(/^,/, '')}${lines}${text.slice(end + comment.length)}`
}

/** The white space before the first member of a container; `''` for an empty container. */
function leadingSpace(text: string, { offset, children: [first] = [] }: Node): string {
  return first ? text.slice(offset + 1, first.offset) : ''
}

/** One step of indentation. Default: two spaces. */
function indentUnit(text: string, root: Node): string {
  return (leadingSpace(text, root).includes('\n') && indentAt(text, root.children?.[0]?.offset ?? 0)) || '  '
}

/** The white space at the start of the line that contains an offset. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? ''
}
