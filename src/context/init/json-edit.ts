/** Edits JSON as text, so that everything else stays unchanged: order, numbers, comments, white space, line ends. */

import { type Node, type ParseError, parse as parseJson, parseTree } from 'jsonc-parser'

export type EditedJson =
  | string
  | number
  | boolean
  | null
  | readonly EditedJson[]
  | { readonly [key: string]: EditedJson }

/** An entry for a JSON text. `at`: its keys from the root. */
export type JsonEdit =
  /** A value; an existing one stays. `shared`: entries of other programs need it, too. */
  | { readonly at: readonly string[]; readonly set: EditedJson; readonly shared?: true }
  /** A new element of an array, unless one contains `known`. It replaces elements that contain `outdated`. */
  | { readonly at: readonly string[]; readonly push: EditedJson; readonly known: RegExp; readonly outdated?: RegExp }

/** The text with the entries, or a sentence why it cannot have them. */
export type Edited = { readonly text: string } | { readonly problem: string }

/** The text of a new file with these entries. */
export function newJson(edits: readonly JsonEdit[]): string {
  const edited = withEdits('{}\n', edits)
  return 'text' in edited ? edited.text : ''
}

/** Adds the missing entries to a JSON text. Without any, the text is unchanged. */
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
    return rootOf(text, errors).type === 'object' && errors.length === 0
  } catch (error) {
    // Too deep for the stack.
    if (error instanceof RangeError) return false
    throw error
  }
}

function withEdit(text: string, edit: JsonEdit): Edited {
  const root = rootOf(text)
  let into = root
  for (const [depth, key] of edit.at.entries()) {
    if (into.type !== 'object') return { problem: `Its "${edit.at.slice(0, depth).join('.')}" is not an object.` }
    const value = valueUnder(into, key)
    if (!value) return { text: insertText(text, { root, into, key, value: buildMissing(edit, depth) }) }
    into = value
  }
  if ('set' in edit) return { text }
  if (into.type !== 'array') return { problem: `Its "${edit.at.join('.')}" is not a list.` }
  if (elementWith(text, into, edit.known)) return { text }
  const old = edit.outdated && elementWith(text, into, edit.outdated)
  // Replaced in place, so that the text around it is unchanged.
  if (old) return { text: text.slice(0, old.offset) + JSON.stringify(edit.push) + text.slice(endOf(old)) }
  return { text: insertText(text, { root, into, value: edit.push }) }
}

/**
 * Removes these entries: elements that contain `known`, and unchanged values. Objects and lists that become empty are removed, too. Undefined if
 * nothing is left.
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
  let last: Node | undefined = rootOf(text)
  for (const key of edit.at) last = last && valueUnder(last, key)
  if (last && 'push' in edit) {
    const own = last.type === 'array' ? elementWith(text, last, edit.known) : undefined
    return own ? withoutMember(text, own) : text
  }
  if (!last?.parent || !('set' in edit)) return text
  const isOurs = JSON.stringify(parseJson(sourceOf(text, last))) === JSON.stringify(edit.set)
  return isOurs ? withoutMember(text, last.parent) : text
}

/** Removes a member or an element; if it is the only one, also its parent. */
function withoutMember(text: string, own: Node | undefined): string | undefined {
  const into = own?.parent
  if (!own || !into?.children) return undefined
  const at = into.children.indexOf(own)
  const [before, after] = [into.children[at - 1], into.children[at + 1]]
  if (before) {
    const comment = commentAfter(text, before)
    return text.slice(0, endOf(before)) + (after ? comment : comment.replace(/^,/, '')) + text.slice(endOf(own))
  }
  if (after) return text.slice(0, own.offset) + text.slice(after.offset)
  return withoutMember(text, into.parent?.type === 'property' ? into.parent : into)
}

/** JSON for the missing keys from that depth. */
function buildMissing(edit: JsonEdit, depth: number): EditedJson {
  const innermost = 'set' in edit ? edit.set : [edit.push]
  return edit.at.slice(depth + 1).reduceRight<EditedJson>((value, key) => ({ [key]: value }), innermost)
}

/** The value of a valid text. */
function rootOf(text: string, errors: ParseError[] = []): Node {
  // A byte order mark is parsed as a blank, so that offsets stay.
  return parseTree(text.replace(/^\uFEFF/, ' '), errors, OPTIONS) ?? { type: 'null', offset: 0, length: 0 }
}

/** The value of a key; for a duplicate key the last. */
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

/** A comma and a comment after a member on its line; `''` without a comment. */
function commentAfter(text: string, node: Node): string {
  return /^,?[ \t]*\/\/[^\r\n]*/.exec(text.slice(endOf(node)))?.[0] ?? ''
}

/** Appends a member in the format of the others. `key`: undefined for an array. */
function insertText(
  text: string,
  { root, into, key, value }: { root: Node; into: Node; key?: string; value: EditedJson },
): string {
  const isOneLine = root.children?.length !== 0 && !sourceOf(text, root).includes('\n')
  const last = into.children?.at(-1)
  const end = last ? endOf(last) : endOf(into) - 1
  if (isOneLine || (last && !leadOf(text, into).includes('\n'))) {
    const space = /[:,] /.test(sourceOf(text, into)) ? ' ' : ''
    const start = last ? end : into.offset + 1
    const member = (key === undefined ? '' : `${JSON.stringify(key)}:${space}`) + JSON.stringify(value)
    return text.slice(0, start) + (last ? `,${space}` : '') + member + text.slice(end)
  }
  const outer = indentAt(text, into.offset)
  const unit = unitOf(text, root)
  const indent = last ? indentAt(text, into.children?.[0]?.offset ?? 0) : outer + unit
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const member = (key === undefined ? '' : `${JSON.stringify(key)}: `) + JSON.stringify(value, null, unit)
  const lines = eol + indent + member.replaceAll('\n', eol + indent)
  if (!last) return text.slice(0, end).trimEnd() + lines + eol + outer + text.slice(end)
  const comment = commentAfter(text, last)
  return `${text.slice(0, end)},${comment.replace(/^,/, '')}${lines}${text.slice(end + comment.length)}`
}

/** The white space before the first member; `''` without one. */
function leadOf(text: string, { offset, children: [first] = [] }: Node): string {
  return first ? text.slice(offset + 1, first.offset) : ''
}

/** One step of indentation. Default: two spaces. */
function unitOf(text: string, root: Node): string {
  return (leadOf(text, root).includes('\n') && indentAt(text, root.children?.[0]?.offset ?? 0)) || '  '
}

/** The white space at the start of the line in which an offset is. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? ''
}
