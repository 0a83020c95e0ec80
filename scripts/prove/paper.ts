/** The table of docs/figures/proof.md, made of the results that are kept. */

import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Part, Tier } from './proving.ts'
import { type Known, knownOf, type Result } from './results.ts'

const PAPER = join(dirname(dirname(import.meta.dirname)), 'docs', 'figures', 'proof.md')
const [BEGIN, END] = ['<!-- results: written by npm run prove -->\n', '<!-- end of results -->\n']

/** Writes what is known of the parts between the marks of the paper; all else of it stays. */
export function writePaper(parts: readonly Part[]): void {
  const text = readFileSync(PAPER, 'utf8')
  const [before = '', rest = ''] = text.split(BEGIN)
  const [, after = ''] = rest.split(END)
  const known = parts.map(knownOf)
  writeFileSync(PAPER, `${before}${BEGIN}\n${commitsOf(known)}\n${known.map(section).join('')}${END}${after}`)
}

/** Of which commits the full tier is. */
export function commitsOf(known: readonly Known[]): string {
  const run = known.flatMap(({ full }) => (full ? [full.commit ?? 'older commits'] : []))
  const counts = Object.entries(Object.groupBy(run, (commit) => commit))
  const [first] = counts
  if (first && counts.length === 1 && run.length === known.length)
    return `The full tier: all ${run.length} parts on commit ${first[0]}.`
  const each = counts.map(([commit, those]) => `${those?.length} on ${commit}`).join(', ')
  return `The full tier: ${run.length} of ${known.length} parts (${each === '' ? 'none' : each}).`
}

/** A part of the paper. */
export function section({ part, claim, quick, full }: Known): string {
  const rows = [...row('quick', quick), ...row('full', full)].join('')
  const table =
    rows === ''
      ? 'Not run yet.\n'
      : `| run | lost | figures | seed, commit, date, time |\n| --- | --: | --- | --- |\n${rows}`
  return `\n### ${part}\n\n${claim.replace(/^./, (first) => first.toUpperCase())}. \`npm run prove -- quick ${part}\`\n\n${table}`
}

function row(tier: Tier, result: Result | undefined): string[] {
  if (!result) return []
  const { lost, ...figures } = result.figures
  const shown = Object.entries(figures).map(([name, value]) =>
    typeof value === 'number' ? `${value.toLocaleString('en')} ${name}` : `${name}: ${value}`,
  )
  const when = [result.seed, result.commit, result.date, `${result.seconds} s`].filter(Boolean).join(', ')
  return [`| ${tier} | ${lost} | ${shown.join('; ').replaceAll('|', '\\|')} | ${when} |\n`]
}
