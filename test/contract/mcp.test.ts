import { expect, it } from 'vitest'
import { connected } from '../surfaces/mcp/support.ts'
import { committedSchema, propertyLines, sha256 } from './schema-text.ts'

/** Of which operation a tool gives the answer, where that is not its own name. */
const OPERATIONS: Readonly<Record<string, string>> = {
  load_context: 'load',
  explain_context: 'explain',
  multi_get: 'multi-get',
  list: 'ls',
  context_list: 'contexts.list',
  context_check: 'contexts.check',
  context_add: 'contexts.add',
  context_remove: 'contexts.remove',
  package_show: 'packages.show',
  research_start: 'research.start',
  research_status: 'research.show',
  research_report: 'research.export',
}

async function toolsOf(allowWrite: boolean) {
  await using client = await connected('auto', { allowWrite })
  return (await client.listTools()).tools
}

it('a server of MCP lists these tools', async () => {
  const [tools, reading] = await Promise.all([toolsOf(true), toolsOf(false)])
  const blocks = tools.map(({ name, inputSchema, outputSchema, ...rest }) => {
    const answer = OPERATIONS[name] ?? name
    // Without one the answer is a text, which its budget bounds.
    if (outputSchema) expect(outputSchema).toEqual(committedSchema(answer))
    const form = outputSchema ? `docs/schemas/${answer}.schema.json` : 'text'
    const told = [JSON.stringify(rest), ...propertyLines(inputSchema), `  answer: ${form}`]
    return `${name} ${told.join('\n')}`
  })
  const head = [
    `sha256 of all: ${sha256(tools)}`,
    `without --allow-write: ${reading.map(({ name }) => name).join(' ')}`,
  ]
  await expect(`${[...head, ...blocks].join('\n\n')}\n`).toMatchFileSnapshot('snapshots/mcp.txt')
  for (const tool of reading) expect(tools).toContainEqual(tool)
})
