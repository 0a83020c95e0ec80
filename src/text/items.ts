import { checkbox, type Status } from './blocks.ts'
import type { Item, LineRange } from './content.ts'
import { type Blocks, type Mark, marksOf } from './markdown.ts'
import { foldSpace } from './trim.ts'

/** A block of Markdown and its content. */
export interface Node {
  readonly type: string
  /** The level of a heading, 1 to 6; else 0. */
  readonly heading: number
  /** First line, from 0, and the line after the last. */
  readonly map: readonly [number, number]
  /** For a paragraph or heading: its inline source. */
  text: string
  readonly children: Node[]
}

type ItemDraft = ReturnType<typeof draftOf>

/** The links of the text, and the marker of its lines, which all functions that read items need. */
interface ItemContext {
  readonly env: Blocks['env']
  /** Marks lines that an item contains completely. The last line of a range is excluded. */
  mark(lines: LineRange): void
}

/** The items among the blocks of a section: each H3 and each top-level list item. Below an H3, a list item without a checkbox is a child of the H3. */
export function itemsOf(nodes: readonly Node[], context: ItemContext): Item[] {
  const drafts: ItemDraft[] = []
  let openDraft: ItemDraft | undefined
  for (const node of nodes) {
    if (node.heading > 0 && node.heading <= 3) {
      openDraft = node.heading === 3 ? draftOf(node, undefined, context) : undefined
      if (openDraft) drafts.push(openDraft)
    } else if (node.type === 'paragraph' && openDraft) addParagraph(openDraft, node, context)
    else if (isList(node))
      for (const item of node.children) {
        if (openDraft && !statusOf(item)) addChildren(openDraft, item, context)
        else drafts.push(listItem(item, context))
      }
  }
  return drafts.map(finishItem)
}

/** Inline source, and its lines. */
type Paragraph = Pick<Node, 'text' | 'map'>

function isList({ type }: Node): boolean {
  return type === 'bullet_list' || type === 'ordered_list'
}

function isProse({ type }: Node): boolean {
  return type === 'paragraph' || type === 'heading'
}

function listItem(item: Node, context: ItemContext): ItemDraft {
  const [first = markerOf(item), ...others] = ownParagraphs(item)
  const draft = draftOf(first, statusOf(item), context)
  for (const paragraph of others) addParagraph(draft, paragraph, context)
  for (const child of nestedItems(item)) addChildren(draft, child, context)
  return draft
}

function statusOf({ children: [first] }: Node): Status | undefined {
  return first?.type === 'paragraph' ? checkbox(first.text) : undefined
}

/** A list item's own paragraphs. The first is without its checkbox, and begins at the line of the marker. */
function ownParagraphs(item: Node): Paragraph[] {
  const paragraphs: Paragraph[] = item.children.filter(isProse)
  const [first] = paragraphs
  if (first === undefined || item.children[0] === undefined || !isProse(item.children[0])) return paragraphs
  const text = statusOf(item) ? first.text.slice('[x]'.length).trimStart() : first.text
  return [{ text, map: [item.map[0], first.map[1]] }, ...paragraphs.slice(1)]
}

/**
 * An empty paragraph for a list item without text, at the item's marker; it has no lines if the item contains blocks.
 */
function markerOf({ map: [first], children }: Node): Paragraph {
  return { text: '', map: [first, children.length > 0 ? first : first + 1] }
}

function nestedItems(item: Node): Node[] {
  return item.children.filter(isList).flatMap((list) => list.children)
}

/** Adds a list item and the items within it as children: their texts and fields. */
function addChildren(draft: ItemDraft, item: Node, context: ItemContext): void {
  const [first = markerOf(item), ...others] = ownParagraphs(item)
  draft.children.push(foldSpace(first.text))
  context.mark(first.map)
  readFields(draft, first.text, marksOf(first.text, context.env))
  for (const { text, map } of others) if (readFields(draft, text, marksOf(text, context.env))) context.mark(map)
  for (const child of nestedItems(item)) addChildren(draft, child, context)
}

/** The draft of an item from its first paragraph, or from its heading. */
function draftOf({ text, map }: Paragraph, status: Status | undefined, { env, mark }: ItemContext) {
  const marks = marksOf(text, env)
  const [fields, tags, children] = [new Map<string, string>(), new Set<string>(), [] as string[]]
  const draft = { title: titleOf(text, marks), fields, tags, status, children }
  readTags(draft, marks)
  readFields(draft, text, marks)
  mark(map)
  return draft
}

/** The text without tags, and without fields that begin a line after the first. */
function titleOf(text: string, marks: readonly Mark[]): string {
  const end = text.indexOf('\n')
  const removedFields = fieldsIn(text, marks).filter(({ start, isNew }) => isNew && end >= 0 && start > end)
  const tags = marks.filter(({ type }) => type === 'tag')
  let title = ''
  let from = 0
  for (const gap of [...removedFields, ...tags].sort((a, b) => a.start - b.start)) {
    if (gap.start >= from) title += text.slice(from, gap.start)
    from = Math.max(from, gap.end)
  }
  return foldSpace(title + text.slice(from))
}

/** Adds the tags and fields of a paragraph after the first, and marks its lines if fields are its whole content. */
function addParagraph(draft: ItemDraft, { text, map }: Paragraph, { env, mark }: ItemContext): void {
  const marks = marksOf(text, env)
  readTags(draft, marks)
  if (readFields(draft, text, marks)) mark(map)
}

function readTags({ tags }: ItemDraft, marks: readonly Mark[]): void {
  for (const { type, name } of marks) if (type === 'tag') tags.add(name)
}

/** Adds fields. If two fields have the same name, the first counts. Returns whether fields are the whole text. */
function readFields({ fields }: ItemDraft, text: string, marks: readonly Mark[]): boolean {
  const fieldList = fieldsIn(text, marks)
  const isOnlyFields = fieldList[0]?.start === 0 && fieldList.every(({ name, isNew }) => isNew && !fields.has(name))
  for (const { name, value } of fieldList) if (!fields.has(name)) fields.set(name, value)
  return isOnlyFields
}

/** Each `**Key**: value`, from its key to the next key or the end. `isNew`: whether no earlier field has its name. */
function fieldsIn(text: string, marks: readonly Mark[]) {
  const names = new Set<string>()
  const fieldMarks = marks.filter(({ type }) => type === 'field')
  return fieldMarks.map(({ name, start, end: valueStart }, index) => {
    const end = fieldMarks[index + 1]?.start ?? text.length
    const isNew = !names.has(name)
    names.add(name)
    return { name, value: foldSpace(text.slice(valueStart, end)), start, end, isNew }
  })
}

function finishItem({ title, fields, tags, status: checkboxStatus, children }: ItemDraft): Item {
  const status = checkboxStatus !== 'done' && tags.has('blocked') ? 'blocked' : checkboxStatus
  return { title, fields: Object.fromEntries(fields), tags: [...tags], ...(status && { status }), children }
}
