import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../../src/core/answer.ts'
import { operations } from '../../../src/operations/index.ts'
import { toolsOf } from '../../../src/surfaces/mcp/tools.ts'

const READING = ['load_context', 'task_context', 'explain_context', 'search', 'get', 'multi_get', 'list', 'status']
const RESEARCH = ['research_start', 'research_status', 'research_report']

function described(allowWrite = false) {
  return [...toolsOf(operations, { allowWrite }).values()].map((tool) => tool.described)
}

describe('the tools', () => {
  it('are those of the contract, as far as there are operations', () => {
    expect(described().map(({ name }) => name)).toEqual(expect.arrayContaining([...READING, ...RESEARCH]))
  })

  it('are at most 8,000 bytes, as they are listed', () => {
    const size = (allowWrite: boolean) => Buffer.byteLength(JSON.stringify({ tools: described(allowWrite) }))
    expect([size(false) <= 8000, size(true) <= 9500]).toEqual([true, true])
  })

  it('say to Claude Code that answers within a budget may be long', () => {
    const long = described(true).filter((tool) => tool._meta?.['anthropic/maxResultSizeChars'] === 200_000)
    expect(long.map(({ name }) => name)).toEqual(['load_context', 'task_context', 'search', 'get', 'multi_get'])
  })

  it('have no output schema, which some clients send to the model', () => {
    expect(described(true).filter((tool) => 'outputSchema' in tool)).toEqual([])
  })

  it.each([
    [['context'], ['load_context', 'explain_context', 'context_list', 'context_check']],
    [['search'], ['search', 'get', 'multi_get', 'list', 'status']],
    [['packages'], ['package_show']],
    [['research'], RESEARCH],
    [
      ['packages', 'research'],
      ['package_show', ...RESEARCH],
    ],
  ] as const)('of the sets %j are those of the contract', (toolsets, names) => {
    const tools = toolsOf(operations, { allowWrite: false, toolsets })
    expect([...tools.keys()].sort()).toEqual([...names].sort())
  })

  it('have schemas that a validator takes, and a sentence each', () => {
    const ajv = new Ajv2020({ strict: false })
    for (const { name, description = '', inputSchema } of described(true)) {
      expect(() => ajv.compile(inputSchema as object)).not.toThrow()
      expect([name, inputSchema.type, inputSchema.additionalProperties]).toEqual([name, 'object', false])
      expect(description).toMatch(/^[A-Z].*\w.*\.$/)
      for (const property of Object.values(inputSchema.properties ?? {})) {
        expect((property as JsonSchema).description).toBeTruthy()
      }
    }
  })

  it('are described without what only a command line has use for', () => {
    const all = JSON.stringify(described(true))
    expect(all).not.toMatch(/"(placeholder|short|forText)":/)
    expect(all).not.toMatch(/\bambit (context|collection|ls|get|index|search)\b|--help/)
  })

  it('say what they may do', () => {
    for (const { name, annotations } of described(true)) {
      const writes = ['context_add', 'context_remove', 'index', 'research_start'].includes(name)
      const begins = name === 'research_start'
      expect([name, annotations]).toEqual([
        name,
        {
          readOnlyHint: !writes,
          ...(writes && { destructiveHint: name === 'context_remove', idempotentHint: !begins }),
          openWorldHint: begins,
        },
      ])
    }
  })

  it('show what a model needs to choose, and nothing else', () => {
    const inputs = Object.fromEntries(
      described().map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]),
    )
    expect(inputs.load_context?.sort()).toEqual([
      ...['budget', 'format', 'fresh', 'place', 'profile', 'task', 'touched', 'withContextDir'],
    ])
    expect(inputs.search?.sort()).toEqual([
      'after',
      'budget',
      'collections',
      'limit',
      'mode',
      'path',
      'query',
      'rerank',
      'sections',
      'where',
    ])
    expect(inputs.get?.sort()).toEqual(['budget', 'lines', 'path'])
  })
})
