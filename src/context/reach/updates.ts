/** How a reader is told that a text which it was sent has changed, or applies no longer. */

import type { Fragment } from '../../core/flow.ts'
import { digestFiles } from '../../files/file-version.ts'
import { isHeadingLine, sectionsOf } from '../../text/sections.ts'

/** Most parts of one text that are remembered. */
const MOST_PARTS = 64

/** Hexadecimal digits that stand for a heading. */
const HEADING_DIGITS = 6

/** A digest of each part of a text, from heading to heading: of the heading, then of all of it. Empty for one part, or too many. */
export function partDigests(text: string): readonly string[] {
  const parts = sectionsOf(text)
  return parts.length > 1 && parts.length <= MOST_PARTS ? parts.map(digestOfPart) : []
}

function digestOfPart(part: string): string {
  const [first = ''] = part.split(/\r\n?|\n/, 1)
  const heading = isHeadingLine(first) ? first.trim() : ''
  return shortDigest(heading, HEADING_DIGITS) + shortDigest(part.trim(), 10)
}

/** Hexadecimal digits of a digest of a text. */
export function shortDigest(content: string, digits: number): string {
  return digestFiles([{ name: '', content }]).slice(0, digits)
}

/** What takes the place of a text that was sent. */
export interface Replacement {
  /** With the label `update`, which says what it replaces. */
  readonly fragment: Fragment
  /** Digests of the parts that it replaces; absent where it replaces all that was sent. */
  readonly parts?: readonly string[]
}

/** The changed parts alone where each has a heading that names what it replaces, and they are less than half; else all of it. */
export function replacementFor(fragment: Fragment, before: readonly string[]): Replacement {
  const now = partDigests(fragment.text)
  const isChanged = (part: string) => !before.includes(part)
  const text = sectionsOf(fragment.text)
    .filter((_, index) => isChanged(now[index] ?? ''))
    .join('')
    .trimEnd()
  if (!isAmended(before, now) || text === '' || text.length * 2 > fragment.text.length)
    return { fragment: withUpdateLabel(fragment, 'replaces what was sent of it before') }
  const update = 'changed sections only; the others stand as sent before'
  const fresh = new Set(now.map(headingOf))
  const parts = before.filter((part) => !now.includes(part) && fresh.has(headingOf(part)))
  return { fragment: withUpdateLabel({ ...fragment, text }, update), parts }
}

/** Whether no heading is gone, and none stands for two parts. */
function isAmended(before: readonly string[], now: readonly string[]): boolean {
  const [old, current] = [before.map(headingOf), now.map(headingOf)]
  const isClear = [old, current].every((headings) => headings.length > 0 && new Set(headings).size === headings.length)
  return isClear && old.every((heading) => current.includes(heading))
}

function headingOf(part: string): string {
  return part.slice(0, HEADING_DIGITS)
}

/** Says that a file which was sent applies no longer. */
export function goneFragment(name: string): Fragment {
  const labels = { filename: name, update: 'no longer applies' }
  const text = 'The text sent before is out of date.'
  return { origin: { uri: `gone:${name}`, labels }, kind: 'context', title: name, text }
}

function withUpdateLabel(fragment: Fragment, update: string): Fragment {
  const { origin } = fragment
  return { ...fragment, origin: { ...origin, labels: { ...origin.labels, update } } }
}
