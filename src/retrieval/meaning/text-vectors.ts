/** Vectors of passages and of questions, whose cosine tells how near in meaning they are. */

import { plainLetters, visitWords } from './scan-words.ts'
import type { VectorTable } from './vector-table.ts'

/** Characters of a passage: about 150 words. */
const LEAST_PASSAGE = 500
const MOST_PASSAGE = 900

/** A vector in bytes, of length 127; none where a text has no word of the table. */
export type ByteVector = Int8Array

/** The vector of a passage: it depends on the text alone. */
export function passageVector(table: VectorTable, parts: readonly string[]): ByteVector | undefined {
  const sum = new Float32Array(table.dimensions)
  for (const part of parts) {
    const text = plainLetters(part)
    visitWords(text, (start, end) => {
      for (const row of table.rowsOf(text, start, end)) table.add(sum, row, table.weightOf(row))
    })
  }
  const length = lengthOf(sum)
  if (length === 0) return undefined
  const vector = new Int8Array(sum.length)
  for (let at = 0; at < sum.length; at++) vector[at] = Math.round((127 * (sum[at] ?? 0)) / length)
  return vector
}

function lengthOf(sum: Float32Array): number {
  let squares = 0
  for (let at = 0; at < sum.length; at++) squares += (sum[at] ?? 0) ** 2
  return Math.sqrt(squares)
}

/** Says how much a word of a question tells; undefined where nobody knows, as of a common one. */
export type WordTells = (word: string) => number | undefined

/** The vector of a question, of length 1; undefined where it has no word of the table. */
export function questionVector(table: VectorTable, question: string, tells: WordTells): Float32Array | undefined {
  const sum = new Float32Array(table.dimensions)
  const text = plainLetters(question)
  visitWords(text, (start, end) => {
    const known = tells(text.slice(start, end))
    for (const row of table.rowsOf(text, start, end)) table.add(sum, row, known ?? table.weightOf(row))
  })
  const length = lengthOf(sum)
  return length === 0 ? undefined : sum.map((value) => value / length)
}

/** -1 to 1. */
export function cosineTo(question: Float32Array, passage: ByteVector): number {
  let sum = 0
  for (let at = 0; at < passage.length; at++) sum += (question[at] ?? 0) * (passage[at] ?? 0)
  return sum / 127
}

/** Where the passages of a text begin and end: cut at the last line that ends in time, else at a space. */
export function passageCuts(text: string): readonly { readonly start: number; readonly end: number }[] {
  const cuts: { start: number; end: number }[] = []
  for (let start = 0; start < text.length; ) {
    const most = start + MOST_PASSAGE
    let end = text.length
    if (most < text.length) {
      // Only here: to look back further would take time that grows with the square of the text.
      const window = text.slice(start + LEAST_PASSAGE, most + 1)
      const line = window.lastIndexOf('\n')
      const at = line > 0 ? line : window.lastIndexOf(' ')
      end = at > 0 ? start + LEAST_PASSAGE + at : most
    }
    cuts.push({ start, end })
    start = end
  }
  return cuts
}
