import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

/* What the tests of recorded answers share: their inputs, which lie in `fixtures/`, and how answers are written down. */

export function fixtureText(name: string): string {
  return readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8')
}

/** The files of a text, each below a line `=== path`. */
export function filesIn(name: string): (readonly [path: string, text: string])[] {
  const parts = fixtureText(name).split(/^=== (.+)\n/m)
  return parts.flatMap((path, at) => (at % 2 === 1 ? [[path, parts[at + 1] ?? ''] as const] : []))
}

/** The values of a file that has JSON on each line; `BASE` stands for a place. */
// biome-ignore lint/suspicious/noExplicitAny: what they hold is the matter of the tests.
export function valuesIn(name: string, base = ''): any[] {
  const lines = fixtureText(name).replaceAll('BASE', base).trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

export const digits = (score: number) => score.toFixed(4)

/** Sums of fractions have last digits of their own on each machine. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toFixed(4)) : value
}

/** What a call gives, or how it fails, on one line. */
export async function told(what: string, work: () => unknown): Promise<string> {
  try {
    return `${what}: ${JSON.stringify(await work(), rounded)}`
  } catch (error) {
    const { code, message, hint } = error as Error & { code?: string; hint?: string }
    return `${what}: ${code}: ${message} ${hint ?? ''}`
  }
}

export async function record(shown: readonly string[], name: string): Promise<void> {
  await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'snapshots', `${name}.txt`))
}

// biome-ignore lint/suspicious/noExplicitAny: each has methods of its own.
type Targets = Readonly<Record<string, any>>

/** Makes the calls of a file, `["target.method", …]` on each line, and gives what came of each. */
export async function perform(name: string, targets: Targets, base = ''): Promise<string[]> {
  const lines: string[] = []
  for (const [call, ...given] of valuesIn(`calls/${name}.jsonl`, base)) {
    const [target = '', method = ''] = call.split('.')
    const values = given.map((one: unknown) => one ?? undefined)
    const said = await told(`${call} ${JSON.stringify(given).slice(1, 200)}`, () => targets[target][method](...values))
    lines.push(base === '' ? said : said.replaceAll(base, '/base'))
  }
  return lines
}
