/** The session of a reader (an agent): the texts that the reader has, and how a selection differs from them. */

import { leave } from '../core/assemble.ts'
import { type Fragment, namePass, type Selection } from '../core/flow.ts'
import { digestFiles } from '../files/file-version.ts'
import { isHeadingLine, sectionsOf } from '../text/fences.ts'
import type { SentFragment } from './answers.ts'

/** A text that a reader has. */
export interface ReaderText {
  /** The digest of the whole text, before any cut. */
  readonly digest: string
}

/** A text of a selection. `uri`: identifies the text for a reader. */
export interface SessionItem extends ReaderText {
  readonly uri: string
}

export interface ReaderSession<Held extends ReaderText = ReaderText> {
  /** The texts that the reader has, by uri; by digest if only digests are known. */
  readonly held: ReadonlyMap<string, Held>
}

/** The difference between a selection and the texts of a reader. */
export interface Delta<Item extends SessionItem, Held extends ReaderText = ReaderText> {
  readonly added: readonly Item[]
  readonly changed: readonly { readonly item: Item; readonly before: Held }[]
  /** Texts of the reader that the selection lacks. */
  readonly gone: readonly (readonly [uri: string, before: Held])[]
}

/** Compares a selection with the texts of a reader. A text that the reader has under another uri is not new. */
export function compareTexts<Item extends SessionItem, Held extends ReaderText>(
  items: readonly Item[],
  { held }: ReaderSession<Held>,
): Delta<Item, Held> {
  const currentDigests = new Map(items.map(({ uri, digest }) => [uri, digest]))
  // A changed text replaces the old text, so the reader no longer has the old text.
  const unchanged = [...held].filter(([uri, { digest }]) => (currentDigests.get(uri) ?? digest) === digest)
  const digests = new Set(unchanged.map(([, { digest }]) => digest))
  const added: Item[] = []
  const changed: { item: Item; before: Held }[] = []
  for (const item of items) {
    const before = held.get(item.uri)
    if (before) {
      if (before.digest !== item.digest) changed.push({ item, before })
    } else if (!digests.has(item.digest)) added.push(item)
    digests.add(item.digest)
  }
  return { added, changed, gone: [...held].filter(([uri]) => !currentDigests.has(uri)) }
}

/**
 * Removes the texts that a reader has, by the digests of earlier answers. `pass` removes the fragments of these texts before the budget, so that the
 * whole budget is for new texts. `listSent` lists the texts of a selection, without bare outlines.
 */
export function filterUnsent(known: readonly string[]) {
  const held = new Map(known.map((digest) => [digest, { digest }]))
  const texts = new Map<string, string>()
  const sentOf = ({ origin: { uri }, text }: Fragment): SentFragment => {
    return { uri, digest: digestFiles([{ name: uri, content: texts.get(uri) ?? text }]).slice(0, 16) }
  }
  return {
    pass: namePass('unsent', (selection) => {
      for (const { origin, text } of selection.kept) texts.set(origin.uri, text)
      if (held.size === 0) return selection
      const { added } = compareTexts(selection.kept.map(sentOf), { held })
      const unknownUris = new Set(added.map(({ uri }) => uri))
      return leave(selection, ({ origin }) => (unknownUris.has(origin.uri) ? undefined : ALREADY_SENT))
    }),
    listSent: ({ kept }: Selection) => kept.filter(({ cut }) => cut?.to !== 'outline').map(sentOf),
  }
}

const ALREADY_SENT = { why: 'irrelevant', detail: 'The reader already has it.' } as const

/** Maximum parts of a text to record. */
const MAX_PARTS = 64

/** Hexadecimal digits of the digest of a heading. */
const HEADING_DIGITS = 6

/** A digest for each part of a text, from heading to heading. Empty for a single part and for more than `MAX_PARTS`. */
export function partDigests(text: string): readonly string[] {
  const parts = sectionsOf(text)
  return parts.length > 1 && parts.length <= MAX_PARTS ? parts.map(digestOfPart) : []
}

function digestOfPart(part: string): string {
  const [first = ''] = part.split(/\r\n?|\n/, 1)
  const heading = isHeadingLine(first) ? first.trim() : ''
  return shortDigest(heading, HEADING_DIGITS) + shortDigest(part.trim(), 10)
}

/** The first hexadecimal digits of the digest of a text. */
export function shortDigest(content: string, digits: number): string {
  return digestFiles([{ name: '', content }]).slice(0, digits)
}

export type Replacement = ReturnType<typeof replacementFor>

/**
 * The replacement of a text that a reader has: only the changed parts if their headings identify the replaced parts,
 * and if the changed parts are at most half of the text; else the whole text. The label `update` of the fragment says
 * what the fragment replaces. `parts`: digests of the replaced parts; absent if the whole text is replaced.
 */
export function replacementFor(fragment: Fragment, previousParts: readonly string[]) {
  const currentParts = partDigests(fragment.text)
  const sections = sectionsOf(fragment.text).filter((_, index) => !previousParts.includes(currentParts[index] ?? ''))
  const text = sections.join('').trimEnd()
  if (!isAmended(previousParts, currentParts) || text === '' || text.length * 2 > fragment.text.length)
    return { fragment: withUpdateLabel(fragment, 'replaces the version sent before') }
  const update = 'only the changed sections; the other sections stay as sent before'
  const newHeadings = new Set(currentParts.map(headingOf))
  const parts = previousParts.filter((part) => !currentParts.includes(part) && newHeadings.has(headingOf(part)))
  return { fragment: withUpdateLabel({ ...fragment, text }, update), parts }
}

/** Whether every old heading exists in the new text, and no text has the same heading twice. */
function isAmended(previousParts: readonly string[], currentParts: readonly string[]): boolean {
  const [oldHeadings, newHeadings] = [previousParts.map(headingOf), currentParts.map(headingOf)]
  const isUnambiguous = [oldHeadings, newHeadings].every((one) => one.length > 0 && new Set(one).size === one.length)
  return isUnambiguous && oldHeadings.every((heading) => newHeadings.includes(heading))
}

function headingOf(part: string): string {
  return part.slice(0, HEADING_DIGITS)
}

/** A notice that a sent file no longer applies. */
export function goneFragment(name: string): Fragment {
  const labels = { filename: name, update: 'no longer applies' }
  const text = 'The text sent before is out of date.'
  return { origin: { uri: `gone:${name}`, labels }, kind: 'context', title: name, text }
}

function withUpdateLabel(fragment: Fragment, update: string): Fragment {
  const { origin } = fragment
  return { ...fragment, origin: { ...origin, labels: { ...origin.labels, update } } }
}
