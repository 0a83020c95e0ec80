/** Charts of what was computed on tables: bars, as SVG that nothing runs in. */

import { escapeHtml } from '../../text/xml.ts'
import type { ReportChart } from '../report/report.ts'

const ROW = 26
const LABELS = 190
const BARS = 400
const NUMBERS = 90

/** One chart, with a caption. Values below zero go to the left of the line that stands for it. */
export function chartFigure({ title, rows }: ReportChart): string {
  const values = rows.map(({ value }) => value)
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  const scale = BARS / (most - least || 1)
  const zero = LABELS - least * scale
  const bars = rows.map(({ name, value }, at) => barOf({ label: name, value, top: at * ROW, zero, scale }))
  const [width, height] = [LABELS + BARS + NUMBERS, rows.length * ROW]
  const described = rows.map(({ name, value }) => `${name}: ${value}`).join('; ')
  return `<figure class="chart"><svg role="img" viewBox="0 0 ${width} ${height}" aria-label="${escapeHtml(described)}">${bars.join('')}<line x1="${round(zero)}" y1="0" x2="${round(zero)}" y2="${height}"/></svg><figcaption>${escapeHtml(title)}</figcaption></figure>`
}

interface Bar {
  readonly label: string
  readonly value: number
  readonly top: number
  readonly zero: number
  readonly scale: number
}

function barOf({ label, value, top, zero, scale }: Bar): string {
  const width = Math.abs(value) * scale
  const left = value < 0 ? zero - width : zero
  const middle = top + ROW / 2 + 4
  const shown = label.length > 28 ? `${label.slice(0, 27).toWellFormed()}…` : label
  return `<text x="${LABELS - 8}" y="${middle}" text-anchor="end">${escapeHtml(shown)}</text><rect x="${round(left)}" y="${top + 4}" width="${round(width)}" height="${ROW - 8}"/><text x="${round(left + width + 6)}" y="${middle}">${value}</text>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
