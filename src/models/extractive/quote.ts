/** How the built-in model quotes: what it takes from a text cites nothing by itself, and stays in its frame. */

import type { ScoredPassage } from '../../retrieval/passages.ts'
import { escapedInLine, proseOf, UNESCAPED } from '../../text/code.ts'
import { closeFence } from '../../text/fences.ts'
import type { Quotable } from './heard.ts'

/** A passage, and the text that it stands in. */
export interface Quoted {
  readonly passage: ScoredPassage
  readonly from: Quotable
}

/** UTF-16 units of the longest quotation. */
const LONGEST = 600

/** A sentence with what it is cited by, and the headings that it stands under. */
export function quoteSentence({ passage: { unit }, from }: Quoted): string {
  const headings = unit.trail.length === 0 ? '' : `, under “${escapedInLine(unit.trail.join(' › '))}”`
  return `${blockQuote(withLead(unit))}\n\n${cite(from, unit.line)}${headings}`
}

/** The paragraph that a sentence was taken from, with its heading; `''` where that says no more than the sentence. */
export function quotePassage({ passage: { unit }, from }: Quoted): string {
  if (unit.block === '') return ''
  const heading = unit.trail.at(-1)
  const whole = heading === undefined ? unit.block : `**${escapedInLine(heading)}**\n\n${unit.block}`
  return `${blockQuote(whole)}\n\n${cite(from, unit.line)}`
}

export function cite({ source, place, isSaid }: Quotable, line: number): string {
  return `[${source}] ${escapedInLine(place)}${isSaid === true ? ' (path context)' : `:${line}`}`
}

/** A list item says little without the sentence before the list, and a row without the header of its table. */
function withLead({ kind, lead, text }: ScoredPassage['unit']): string {
  if (lead === '') return text
  if (kind !== 'row') return `${lead}\n\n${text}`
  const columns = lead.split('|').length - 2
  return `${lead}\n|${' --- |'.repeat(Math.max(1, columns))}\n${text}`
}

function blockQuote(text: string): string {
  return withoutNumbers(closeFence(shorten(text)))
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
}

const LINE = /\r\n?|\n/
const NUMBER = new RegExp(String.raw`${UNESCAPED}\[(?=\d{1,6}\])`, 'g')

/** The lines of a text as they are shown; what looks like a citation in them cites nothing. Code cites nothing anyway. */
function withoutNumbers(text: string): string[] {
  const prose = proseOf(text).split(LINE)
  return text.split(LINE).map((line, at) => {
    const numbers = new Set([...(prose[at] ?? '').matchAll(NUMBER)].map(({ index }) => index))
    return numbers.size === 0
      ? line
      : line
          .split('')
          .map((one, of) => (numbers.has(of) ? `\\${one}` : one))
          .join('')
  })
}

function shorten(text: string): string {
  if (text.length <= LONGEST) return text
  const cut = text.slice(0, LONGEST).toWellFormed()
  return `${cut.slice(0, Math.max(cut.search(/\s\S*$/), LONGEST / 2))} …`
}
