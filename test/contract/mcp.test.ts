import { expect, it } from 'vitest'
import { tree } from '../support/tree.ts'
import { answerOf, connected, ERAS, partsOf } from '../surfaces/mcp/support.ts'
import { REGISTRY } from '../surfaces/rows.ts'
import { perform, record } from './recorded.ts'
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

it.each(ERAS)('wrong calls by a client of %s are answered so', async (_, era) => {
  using planted = tree(REGISTRY)
  const parts = partsOf()
  await answerOf(parts.engine, 'collections.add', { name: 'lab', root: planted.at('lab') })
  await using client = await connected(era, parts)
  // The later era says of each answer which server gave it.
  const told = async <T extends { _meta?: unknown }>(answer: Promise<T>) => ({ ...(await answer), _meta: undefined })
  const calls = {
    callTool: (request: Parameters<typeof client.callTool>[0]) => told(client.callTool(request)),
    getPrompt: (request: Parameters<typeof client.getPrompt>[0]) => told(client.getPrompt(request)),
  }
  await record(await perform('mcp', { client: calls }, planted.base), 'mcp-calls')
})
