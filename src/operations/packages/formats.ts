/** Inputs and formats that the operations on packages share. The formats clean texts from buckets. */

import type { EntryReport, PackageDiffAnswer, PackagePushAnswer } from '../../engine/engine.ts'
import { alignRows } from '../../text/columns.ts'
import { oneLine } from '../../text/controls.ts'
import { formatBytes } from '../../text/counts.ts'
import { metadataText } from '../../text/truncate.ts'

/** The input that names a package. */
export const packageInput = {
  is: 'path',
  path: 'package',
  required: true,
  placeholder: 'PACKAGE',
  description:
    'COLLECTION/NAMESPACE/NAME, followed by @HASH or :TAG for an older revision; or quilt+s3://BUCKET#package=NAMESPACE/NAME',
} as const

export function problemRows(reports: readonly EntryReport[]): string {
  const rows = reports.map(({ line, logicalKey, problem, detail }) => [
    problem,
    oneLine(logicalKey),
    `${line > 0 ? `line ${line}: ` : ''}${oneLine(detail)}`,
  ])
  return alignRows(rows)
}

type ChangeAnswer = PackageDiffAnswer | PackagePushAnswer

/** The message before and after, if it changed. */
export function messageLine({ message: { before, after } }: Pick<ChangeAnswer, 'message'>): string {
  return before === after ? '' : `message: ${oneLine(before ?? 'none')} → ${oneLine(after ?? 'none')}\n`
}

/** A line for each changed value of the metadata, and for each changed entry. */
export function changeRows({ metadata, changes }: Pick<ChangeAnswer, 'metadata' | 'changes'>): string {
  return `${metadata.map(metadataLine).join('')}${alignRows(changes.map(changeRow), [2])}`
}

function metadataLine({ change, path, before, after }: ChangeAnswer['metadata'][number]): string {
  const values = [before, after].filter((value) => value !== undefined).map((value) => oneLine(value.slice(0, 200)))
  return `${CHANGE_MARKS[change]}  metadata ${oneLine(path) || '/'}  ${values.join(' → ')}\n`
}

const CHANGE_MARKS = { added: '+', removed: '-', changed: '~', metadata: '~' } as const

function changeRow({ change, logicalKey, differences = [], before, after }: ChangeAnswer['changes'][number]): string[] {
  const sizes = [before, after].flatMap((state) => (state ? [state.size === null ? '?' : formatBytes(state.size)] : []))
  return [CHANGE_MARKS[change], oneLine(logicalKey), [...new Set(sizes)].join(' → '), differences.join(', ')]
}

/** Number of shown digits of a hash, enough to identify it. */
const HASH_DIGITS = 12

/** `1 entry`, `2 entries`. */
export function countEntries(number: number): string {
  return number === 1 ? '1 entry' : `${number} entries`
}

/** The beginning of a hash, whatever its type. */
export function shortHash(hash: string): string {
  return oneLine(hash.slice(0, HASH_DIGITS))
}

/** A time without its fraction of a second. */
export function shortTime(iso: string): string {
  return iso.replace(/\.\d+Z$/, 'Z')
}

/** Foreign JSON as indented lines without control sequences. */
export function jsonLines(value: unknown, indent = ''): string {
  const lines = metadataText(value).split('\n')
  return lines.map((line) => `${indent}${oneLine(line)}\n`).join('')
}
