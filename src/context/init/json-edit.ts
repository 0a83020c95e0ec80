/** Entries are put into JSON as text, so that all else in it stays as it is: order, numbers, white space, line ends. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** An entry that a JSON text shall have. `at` are the keys that lead to it from the root. */
export type JsonEdit =
  /** A value; one that is there already is left, whatever it is. */
  | { readonly at: readonly string[]; readonly set: Json }
  /** An element at the end of an array, unless `known` is found in what the first key of `at` leads to. */
  | { readonly at: readonly string[]; readonly push: Json; readonly known: RegExp }

/** The text with the entries; or why it cannot have them, as a sentence. */
export type Edited = { readonly text: string } | { readonly problem: string }

/** The text of a new file with these entries. */
export function newJson(edits: readonly JsonEdit[]): string {
  const edited = withEdits('{}\n', edits)
  return 'text' in edited ? edited.text : ''
}

/** Puts into a JSON text those entries that it lacks; without any to put in, the text is given back as it is. */
export function withEdits(text: string, edits: readonly JsonEdit[]): Edited {
  if (!isObject(text)) return { problem: 'It is no JSON object, or has comments.' }
  let edited: Edited = { text }
  for (const edit of edits) if ('text' in edited) edited = withEdit(edited.text, edit)
  return edited
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** A value in a text. */
interface Node {
  readonly kind: 'object' | 'array' | 'plain'
  readonly start: number
  /** After its last character. */
  end: number
  readonly members: Member[]
}

interface Member {
  /** `''` in arrays. */
  readonly key: string
  /** Of the key; in arrays, of the value. */
  readonly start: number
  readonly node: Node
}

function withEdit(text: string, edit: JsonEdit): Edited {
  const root = parse(text)
  let into = root
  for (const [depth, key] of edit.at.entries()) {
    if (into.kind !== 'object') return { problem: `Its "${edit.at.slice(0, depth).join('.')}" is no object.` }
    const member = into.members.findLast((one) => one.key === key)
    if (!member) return { text: inserted(text, { root, into, key, value: missing(edit, depth) }) }
    if (depth === 0 && isKnown(text.slice(member.start, member.node.end), edit)) return { text }
    into = member.node
  }
  if ('set' in edit) return { text }
  if (into.kind !== 'array') return { problem: `Its "${edit.at.join('.')}" is no list.` }
  return { text: inserted(text, { root, into, value: edit.push }) }
}

function isKnown(member: string, edit: JsonEdit): boolean {
  return 'known' in edit && edit.known.test(member)
}

/** What stands under the key at that depth when nothing does yet. */
function missing(edit: JsonEdit, depth: number): Json {
  const innermost = 'set' in edit ? edit.set : [edit.push]
  return edit.at.slice(depth + 1).reduceRight<Json>((value, key) => ({ [key]: value }), innermost)
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g

/** Where the values of a valid JSON text stand. */
function parse(text: string): Node {
  const all = nodeAt('[', 0)
  const open = [all]
  let key: { readonly name: string; readonly start: number } | undefined
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const top = open.at(-1) ?? all
    if (token === '}' || token === ']') {
      top.end = index + 1
      open.pop()
    } else if (token === ',') key = undefined
    else if (top.kind === 'object' && !key) key = { name: JSON.parse(token), start: index }
    else if (token !== ':') {
      const node = nodeAt(token, index)
      top.members.push({ key: key?.name ?? '', start: key?.start ?? index, node })
      if (node.kind === 'plain') continue
      open.push(node)
      key = undefined
    }
  }
  return all.members[0]?.node ?? all
}

function nodeAt(token: string, start: number): Node {
  const kind = token === '{' ? 'object' : token === '[' ? 'array' : 'plain'
  return { kind, start, end: start + token.length, members: [] }
}

interface Insertion {
  readonly root: Node
  readonly into: Node
  /** Absent for an array. */
  readonly key?: string
  readonly value: Json
}

/** The text with one member more, at the end, written like those before it. */
function inserted(text: string, insertion: Insertion): string {
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
  const indent = last ? lastLine(lead) : outer + unitOf(text, root)
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = inLines(insertion, unitOf(text, root)).join(eol + indent)
  return text.slice(0, start) + comma + eol + indent + lines + (last ? '' : eol + outer) + text.slice(end)
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
  return (lead.includes('\n') && lastLine(lead)) || '  '
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1)
}

/** The white space at the start of the line in which an offset is. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(lastLine(text.slice(0, offset)))?.[0] ?? ''
}
