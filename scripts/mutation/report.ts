/** docs/figures/mutation.md: a section for each room, with what survived. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HandMadeChange } from './by-hand.ts'
import type { Mutant } from './mutants.ts'

const PAPER = join(import.meta.dirname, '..', '..', 'docs', 'figures', 'mutation.md')

export interface PlacedMutant extends Mutant {
  readonly path: string
}

/** What came of the changes of a room. */
export interface MutationScore {
  readonly name: string
  /** How many changes are possible. */
  readonly all: number
  readonly seed: number
  readonly killed: number
  readonly survivors: readonly PlacedMutant[]
}

/** Replaces the section of the room; all else of the paper stays. */
export function writeScore(score: MutationScore): void {
  const [before = '', ...sections] = readFileSync(PAPER, 'utf8').split('\n### ')
  const others = sections.filter((one) => !one.startsWith(`${score.name}\n`))
  const all = [...others, section(score)].sort()
  writeFileSync(PAPER, [before, ...all.map((one) => one.trimEnd().concat('\n'))].join('\n### '))
}

/** The table of the changes made by hand. */
export function writeHandMade(tried: readonly { readonly made: HandMadeChange; readonly isNoticed: boolean }[]): void {
  const rows = tried.map(({ made: { change, test }, isNoticed }) => {
    const by = isNoticed ? `\`${test}\`` : '**survives**'
    return `| ${change} | ${by} |\n`
  })
  const table = `${TABLE}| change | noticed by |\n| --- | --- |\n${rows.join('')}\n`
  writeFileSync(
    PAPER,
    readFileSync(PAPER, 'utf8').replace(/## Changes made by hand\n[\s\S]*?(?=## Rooms\n)/, () => table),
  )
}

const TABLE = `## Changes made by hand

Each takes away one protection. \`npm run mutate -- by-hand\` makes them, one at a time, and writes this table.

`

function section({ name, all, seed, killed, survivors }: MutationScore): string {
  const tried = killed + survivors.length
  const share = Math.round((100 * killed) / Math.max(1, tried))
  const head = `${tried} of ${all} possible changes, drawn with the seed ${seed}: ${killed} noticed, ${survivors.length} survive (${share} %).`
  const table = `\n| line | becomes |\n| --- | --- |\n${survivors.map(row).join('')}`
  return `${name}\n\n${head}\n${survivors.length === 0 ? '' : table}`
}

function row({ path, line, before, after }: PlacedMutant): string {
  const code = (text: string) =>
    text.trim() === '' ? 'nothing' : `\`${text.trim().replaceAll('|', '\\|').replaceAll('`', "'")}\``
  return `| ${path}:${line} ${code(before)} | ${code(after)} |\n`
}
