import { describe, expect, it } from 'vitest'
import type { CheckAnswer } from '../../../src/context/answers.ts'
import { inspection } from '../../../src/operations/context/inspect.ts'

const { check: checkOperation } = inspection

const INPUT = { place: '.', home: true, sarif: false } as const

type Finding = CheckAnswer['findings'][number]

function cited(kind: NonNullable<Finding['kind']>): Finding {
  const severity = kind === 'dead' ? 'warning' : 'note'
  return { rule: 'stale-path', severity, kind, path: '/p/AGENTS.md', line: 2, message: `It is ${kind}.` }
}

function answer(...findings: Finding[]): CheckAnswer {
  return { place: '/p', root: '/p', findings, checked: 1 }
}

describe('a check as it is printed', () => {
  it.each<[string, Finding[], string]>([
    ['nothing', [], '0 findings in 1 file\n'],
    ['what is dead', [cited('dead')], '/p/AGENTS.md:2: warning: It is dead. [stale-path]\n1 finding in 1 file\n'],
    ['moved', [cited('moved')], '/p/AGENTS.md:2: note: It is moved. [stale-path]\n0 findings and 1 note in 1 file\n'],
    [
      'how much is planned or an example',
      [cited('planned'), cited('example'), cited('example')],
      '0 findings in 1 file\nAlso cited but missing: 1 planned, 2 examples (--json lists them)\n',
    ],
  ])('tells %s', (_, findings, text) => {
    expect(checkOperation.text(answer(...findings), INPUT)).toBe(text)
  })

  it.each<[NonNullable<Finding['kind']>, boolean]>([
    ['dead', true],
    ['moved', false],
    ['planned', false],
    ['example', false],
  ])('fails for %s: %s', (kind, failed) => {
    expect(checkOperation.failed?.(answer(cited(kind)))).toBe(failed)
  })
})
