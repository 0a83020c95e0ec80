/** Computes how much of the gold (the lines of the definitions that a fix changed) is found. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCode } from '../../src/code/definitions.ts'
import { bytes4 } from '../../src/core/tokens.ts'
import type { ChangedFile } from './repository.ts'

/** Lines by file, from 1. */
export type Lines = ReadonlyMap<string, ReadonlySet<number>>

export interface Share {
  readonly recall: number
  readonly precision: number
  readonly f1: number
}

/** The lines of the definitions that contain changed lines. */
export function goldLines(tree: string, files: readonly ChangedFile[]): Lines {
  return new Map(
    files.map(({ path, lines }) => {
      const text = readFileSync(join(tree, path), 'utf8')
      const { units } = parseCode(path, text)
      const touched = units.filter(({ start, end }) => lines.some((line) => line > start && line <= end))
      const gold = touched.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at + 1))
      return [path, new Set(gold)] as const
    }),
  )
}

export function recallAt(ranked: readonly string[], gold: ReadonlySet<string>, most: number): number {
  const first = new Set(ranked.slice(0, most))
  return [...gold].filter((path) => first.has(path)).length / gold.size
}

/** The definitions with at least half of their lines among the given lines, as `path:first line`. */
export function blocksOf(tree: string, lines: Lines): ReadonlySet<string> {
  const blocks = [...lines].flatMap(([path, fileLines]) => {
    if (fileLines.size === 0) return []
    const { units } = parseCode(path, readFileSync(join(tree, path), 'utf8'))
    const held = units.filter(({ start, end }) => countWithin(fileLines, start, end) * 2 >= end - start)
    return held.map(({ start }) => `${path}:${start}`)
  })
  return new Set(blocks)
}

function countWithin(lines: ReadonlySet<number>, start: number, end: number): number {
  let count = 0
  for (let line = start + 1; line <= end; line++) if (lines.has(line)) count++
  return count
}

export function shareOfBlocks(shown: ReadonlySet<string>, gold: ReadonlySet<string>): Share {
  return shareOf([...shown].filter((block) => gold.has(block)).length, shown.size, gold.size)
}

export function shareOfLines(shown: Lines, gold: Lines): Share {
  let both = 0
  for (const [path, lines] of shown) for (const line of lines) if (gold.get(path)?.has(line)) both++
  return shareOf(both, sizeOf(shown), sizeOf(gold))
}

function shareOf(both: number, shown: number, gold: number): Share {
  const recall = gold === 0 ? 0 : both / gold
  const precision = shown === 0 ? 0 : both / shown
  return { recall, precision, f1: both === 0 ? 0 : (2 * recall * precision) / (recall + precision) }
}

function sizeOf(lines: Lines): number {
  return [...lines.values()].reduce((sum, each) => sum + each.size, 0)
}

/**
 * The baseline: whole files by rank, with the last one cut where the budget ends. Returns lines by file, from 1, and their
 * tokens.
 */
export function wholeFiles(tree: string, ranked: readonly string[], budget: number): { lines: Lines; tokens: number } {
  const lines = new Map<string, Set<number>>()
  let tokens = 0
  for (const path of ranked) {
    const shown = new Set<number>()
    lines.set(path, shown)
    for (const [at, line] of readFileSync(join(tree, path), 'utf8').split('\n').entries()) {
      const cost = bytes4(`${line}\n`)
      if (tokens + cost > budget) return { lines, tokens }
      tokens += cost
      shown.add(at + 1)
    }
  }
  return { lines, tokens }
}
