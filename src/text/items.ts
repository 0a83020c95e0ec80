import { checkbox, type Status } from './blocks.ts'
import { type Blocks, type Mark, marksOf } from './markdown.ts'

/** A block of Markdown and what it holds. */
export interface Node {
  readonly type: string
  /** Of a heading: 1 to 6; else 0. */
  readonly heading: number
  /** Lines, the last one excluded. */
  readonly map: readonly [number, number]
  /** Of a paragraph or heading: its inline source. */
  text: string
  readonly children: Node[]
}

/** A task, a decision, a rule: what an H3 or a top-level list item says. */
export interface Item {
  /** Its first line as written, without checkbox and tags, white space folded. */
  readonly title: string
  /** `**Key**: value` lines. */
  readonly fields: Readonly<Record<string, string>>
  /** Without `#`, each once, in order. */
  readonly tags: readonly string[]
  readonly status?: Status
  /** The texts of its sub-bullets, those of deeper ones in their place. */
  readonly children: readonly string[]
}

interface Draft {
  readonly title: string
  readonly fields: Map<string, string>
  readonly tags: Set<string>
  readonly box: Status | undefined
  readonly children: string[]
}

type Env = Blocks['env']

/**
 * The items among the blocks of a section: each H3, and each top-level list item; but one without a checkbox below an
 * H3 is a child of that.
 */
export function itemsOf(nodes: readonly Node[], env: Env): Item[] {
  const drafts: Draft[] = []
  let open: Draft | undefined
  for (const node of nodes) {
    if (node.heading > 0 && node.heading <= 3) {
      open = node.heading === 3 ? draftOf([node.text], undefined, env) : undefined
      if (open) drafts.push(open)
    } else if (node.type === 'paragraph' && open) readOwn(open, node.text, marksOf(node.text, env))
    else if (isList(node)) for (const item of listItems(node, open, env)) drafts.push(item)
  }
  return drafts.map(finished)
}

function isList({ type }: Node): boolean {
  return type === 'bullet_list' || type === 'ordered_list'
}

function isProse({ type }: Node): boolean {
  return type === 'paragraph' || type === 'heading'
}

/** The items of a list; those that belong to the open H3 are given to it instead. */
function listItems(list: Node, open: Draft | undefined, env: Env): Draft[] {
  const drafts: Draft[] = []
  for (const item of list.children) {
    if (open && !boxOf(item)) adopt(open, item, env)
    else drafts.push(listItem(item, env))
  }
  return drafts
}

function listItem(item: Node, env: Env): Draft {
  const draft = draftOf(ownTexts(item), boxOf(item), env)
  for (const child of nested(item)) adopt(draft, child, env)
  return draft
}

function boxOf({ children: [first] }: Node): Status | undefined {
  return first?.type === 'paragraph' ? checkbox(first.text) : undefined
}

/** The inline sources of a list item's own paragraphs, without its checkbox. */
function ownTexts(item: Node): string[] {
  const texts = item.children.filter(isProse).map(({ text }) => text)
  if (boxOf(item) && texts[0] !== undefined) texts[0] = texts[0].slice('[x]'.length).trimStart()
  return texts
}

function nested(item: Node): Node[] {
  return item.children.filter(isList).flatMap((list) => list.children)
}

/** Takes a list item, and those in it, as children: their texts and their fields. */
function adopt(draft: Draft, item: Node, env: Env): void {
  const texts = ownTexts(item)
  draft.children.push(folded(texts[0] ?? ''))
  for (const text of texts) readFields(draft, text, marksOf(text, env))
  for (const child of nested(item)) adopt(draft, child, env)
}

/** An item of its own texts, of which the first one is its title. */
function draftOf(texts: readonly string[], box: Status | undefined, env: Env): Draft {
  const marks = texts.map((text) => marksOf(text, env))
  const title = titleOf(texts[0] ?? '', marks[0] ?? [])
  const draft: Draft = { title, fields: new Map(), tags: new Set(), box, children: [] }
  for (const [index, text] of texts.entries()) readOwn(draft, text, marks[index] ?? [])
  return draft
}

function titleOf(text: string, marks: readonly Mark[]): string {
  const end = lineEnd(text, 0)
  let title = ''
  let from = 0
  for (const mark of marks) {
    if (mark.type !== 'tag' || mark.start >= end) continue
    title += text.slice(from, mark.start)
    from = mark.end
  }
  return folded(title + text.slice(from, end))
}

function readOwn(draft: Draft, text: string, marks: readonly Mark[]): void {
  for (const { type, name } of marks) if (type === 'tag') draft.tags.add(name)
  readFields(draft, text, marks)
}

/** A field's value is the rest of its line; where that is blank, what follows up to the next field. The first one counts. */
function readFields({ fields }: Draft, text: string, marks: readonly Mark[]): void {
  const found = marks.filter(({ type }) => type === 'field')
  found.forEach(({ name, end }, index) => {
    const line = text.slice(end, lineEnd(text, end)).trim()
    const value = line || folded(text.slice(end, found[index + 1]?.start))
    if (!fields.has(name)) fields.set(name, value)
  })
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function finished({ title, fields, tags, box, children }: Draft): Item {
  const status = box !== 'done' && tags.has('blocked') ? 'blocked' : box
  return { title, fields: Object.fromEntries(fields), tags: [...tags], ...(status && { status }), children }
}
