import { expect, it } from 'vitest'
import type { CheckAnswer } from '../../../src/context/answers.ts'
import { inspection } from '../../../src/operations/context/inspect.ts'

type Kind = NonNullable<CheckAnswer['findings'][number]['kind']>

it.each<[Kind[], string]>([
  [['moved'], '/p/AGENTS.md:2: note: It is moved. [stale-path]\n0 findings and 1 note in 1 file\n'],
  [['planned'], '0 findings in 1 file\nAlso cited but missing: 1 planned (--json lists them)\n'],
  [['example'], '0 findings in 1 file\nAlso cited but missing: 1 example (--json lists them)\n'],
  [['planned', 'example', 'example'], 'Also cited but missing: 1 planned, 2 examples (--json lists them)\n'],
])('a check that finds %j says so, and does not fail', (kinds, text) => {
  const found = { rule: 'stale-path', severity: 'note', path: '/p/AGENTS.md', line: 2 } as const
  const findings = kinds.map((kind) => ({ ...found, kind, message: `It is ${kind}.` }))
  const answer: CheckAnswer = { place: '/p', root: '/p', findings, checked: 1 }
  expect(inspection.check.text(answer, { place: '.', home: true, sarif: false }).endsWith(text)).toBe(true)
  expect(inspection.check.failed?.(answer)).toBe(false)
})
