import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../../src/core/answer.ts'
import { operations } from '../../../src/operations/index.ts'
import { toolsOf } from '../../../src/surfaces/mcp/tools.ts'

const RESEARCH = ['research_start', 'research_status', 'research_report']

function described(allowWrite = false) {
  return [...toolsOf(operations, { allowWrite }).values()].map((tool) => tool.definition)
}

describe('the tools', () => {
  it('are at most 8,000 bytes, as they are listed', () => {
    const size = (allowWrite: boolean) => Buffer.byteLength(JSON.stringify({ tools: described(allowWrite) }))
    expect([size(false) <= 8000, size(true) <= 9500]).toEqual([true, true])
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
})
