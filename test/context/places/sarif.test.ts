import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import type { CheckFinding } from '../../../src/context/answers.ts'
import { toSarif } from '../../../src/context/sarif.ts'

const text = { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 1 } } }
const level = { enum: ['none', 'note', 'warning', 'error'] }
const artifact = {
  type: 'object',
  properties: { uri: { type: 'string', pattern: '^[!-~]+$' }, uriBaseId: { type: 'string' } },
  additionalProperties: false,
}
const object = (properties: Record<string, unknown>, optional: Record<string, unknown> = {}) => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
  additionalProperties: false,
})
const list = (items: unknown) => ({ type: 'array', items })

/** What SARIF 2.1.0 asks of the parts that are used. */
const SARIF = object({
  $schema: { type: 'string' },
  version: { const: '2.1.0' },
  runs: list(
    object({
      tool: object({
        driver: object({
          name: { type: 'string' },
          rules: list(
            object({ id: { type: 'string' }, shortDescription: text, defaultConfiguration: object({ level }) }),
          ),
        }),
      }),
      originalUriBaseIds: { type: 'object', additionalProperties: object({ uri: { type: 'string', pattern: '/$' } }) },
      columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
      results: list(
        object(
          {
            ruleId: { type: 'string' },
            ruleIndex: { type: 'integer', minimum: 0 },
            level,
            message: text,
            locations: list(
              object({
                physicalLocation: object({
                  artifactLocation: artifact,
                  region: object({ startLine: { type: 'integer', minimum: 1 } }),
                }),
              }),
            ),
          },
          { properties: { type: 'object' } },
        ),
      ),
    }),
  ),
})

const RULES: readonly CheckFinding['rule'][] = [
  'stale-path',
  'stale-command',
  'stale-anchor',
  'missing-required',
  'over-budget',
  'hidden-unicode',
  'html-comment',
  'unreadable',
  'invalid-utf8',
  'file-name',
  'not-imported',
  'over-limit',
  'unused-rule',
  'contradicting-commands',
]

const finding: CheckFinding = {
  rule: 'stale-path',
  severity: 'warning',
  path: '/p/a/AGENTS.md',
  line: 3,
  message: 'Gone.',
}

function runOf(findings: readonly CheckFinding[]) {
  const log = JSON.parse(JSON.stringify(toSarif({ root: '/p', findings })))
  const validate = new Ajv({ strict: false }).compile(SARIF)
  expect(validate(log) ? [] : validate.errors).toEqual([])
  return log.runs[0]
}

describe('toSarif', () => {
  it('puts what is about a whole file on its first line', () => {
    const { line: _, ...whole } = finding
    expect(runOf([whole]).results[0].locations[0].physicalLocation.region).toEqual({ startLine: 1 })
  })

  it('encodes names, and gives a file outside the root its whole uri', () => {
    const uris = ['/p/a b/#ü%.md', '/home/AGENTS.md'].map((path) => {
      const [result] = runOf([{ ...finding, path }]).results
      return result.locations[0].physicalLocation.artifactLocation
    })
    expect(uris).toEqual([{ uri: 'a%20b/%23%C3%BC%25.md', uriBaseId: 'SRCROOT' }, { uri: 'file:///home/AGENTS.md' }])
  })

  it('lists every rule once, and each result points at its own', () => {
    const { tool, results } = runOf(RULES.map((rule) => ({ ...finding, rule })))
    expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(RULES)
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId)
  })

  it('is a log without results when nothing was found', () => {
    expect(runOf([]).results).toEqual([])
  })
})
