import { nearestTexts } from '../../models/reranking.ts'
import { frameText } from '../../text/frames.ts'
import { type AgentTool, cutFrames, defineTool, requireText } from '../tool.ts'
import type { ToolServer, ToolServers } from '../tool-servers.ts'
import { withTouching } from './own-tools.ts'

/**
 * Makes a function for one conversation. The function returns `ownTools` with `find_tools` and the server tools found
 * so far. The returned array grows when `find_tools` finds more tools.
 *
 * @param touch receives the path of each file in the input of a call
 * @param notice receives a sentence for the person about a server that cannot be used
 */
export function addServerTools(touch: (path: string) => void, notice: (sentence: string) => void) {
  /** The last problem of each server, so that each problem is reported once. */
  const problems = new Map<string, string | undefined>()
  const foundNames = new Set<string>()
  const report = (servers: readonly ToolServer[]) => {
    for (const { name, problem } of servers) {
      const text = `The MCP server ${name} cannot be used: ${problem}`
      if (problem !== undefined && problems.get(name) !== problem) notice(text)
      problems.set(name, problem)
    }
  }
  return async (ownTools: readonly AgentTool[], servers: ToolServers | undefined): Promise<readonly AgentTool[]> => {
    if (!servers || servers.states().length === 0) return ownTools
    const offered = [...ownTools]
    const add = (tools: readonly AgentTool[]) => {
      const added = tools.filter(({ name }) => offered.every((one) => one.name !== name))
      offered.push(...withTouching(added, touch))
    }
    const offer = (tools: readonly AgentTool[]) => {
      for (const { name } of tools) foundNames.add(name)
      add(tools)
    }
    add([findTools(servers, report, offer)])
    if (foundNames.size === 0) return offered
    // An earlier question found tools. Their server may have ended since then: `settled` reconnects.
    const states = await servers.settled()
    report(states)
    const all = [...resourceTools(servers), ...states.flatMap(({ tools }) => tools)]
    add(all.filter(({ name }) => foundNames.has(name)))
    return offered
  }
}

/** All tools are offered if there are at most `MAX_OFFERED`; else the `MAX_FOUND` that match the query best. */
const MAX_OFFERED = 20
const MAX_FOUND = 10

/**
 * The tool that gives a model the tools of the servers. Its first call connects with them. `report` receives the problems of the
 * servers. `offer` receives the found tools, which the model can call from its next step.
 */
function findTools(
  servers: ToolServers,
  report: (servers: readonly ToolServer[]) => void,
  offer: (tools: readonly AgentTool[]) => void,
): AgentTool {
  const names = servers.states().map(({ name }) => name)
  return defineTool({
    name: 'find_tools',
    description: `Find tools of the MCP servers that the person added (${names.join(', ')}), for what they are about. You can call those that it names in your next step.`,
    properties: { query: { type: 'string', description: 'what the tool is to do' } },
    run: async (inputs, signal) => {
      const query = requireText(inputs, 'query')
      const settled = await servers.settled(signal)
      report(settled)
      const all = settled.flatMap(({ tools }) => tools)
      const matches = all.length <= MAX_OFFERED ? all : bestTools(all, query)
      offer([...resourceTools(servers), ...matches])
      const failed = settled.flatMap(({ name, problem }) => (problem ? [`${name} cannot be used: ${problem}`] : []))
      const lines = [...matches.map(({ name, description }) => `${name}: ${description}`), ...failed]
      const count = { shown: String(matches.length), of: String(all.length) }
      return frameText({ tag: 'tools', attributes: count, text: lines.join('\n') || 'They have no tools.' })
    },
  })
}

/** Up to `MAX_FOUND` tools: first the tools that match a query, the nearest first; then tools that do not. */
function bestTools(tools: readonly AgentTool[], query: string): readonly AgentTool[] {
  const texts = tools.map(({ name, description }) => `${name.replaceAll('_', ' ')}\n${description}`)
  const order = new Set([...nearestTexts(query, texts), ...tools.keys()])
  return [...order].slice(0, MAX_FOUND).flatMap((index) => tools[index] ?? [])
}

/** Tools that list and read resources of the person's servers. Empty if no server has resources. */
function resourceTools(servers: ToolServers): readonly AgentTool[] {
  const withResources = servers.states().filter(({ resources }) => resources.length > 0)
  if (withResources.length === 0) return []
  const server = { type: 'string', enum: withResources.map(({ name }) => name) } as const
  return [
    defineTool({
      name: 'list_resources',
      description: 'List what the MCP servers of the person have to read, by their URIs.',
      properties: { server },
      optional: ['server'],
      cut: cutFrames,
      run: async ({ server: name }) => {
        const chosen = withResources.filter((one) => name === undefined || one.name === name)
        return chosen.map(resourceList).join('')
      },
    }),
    defineTool({
      name: 'read_resource',
      description: 'Read something that list_resources names, by its server and URI.',
      properties: { server, uri: { type: 'string' } },
      cut: cutFrames,
      run: (inputs, signal) => servers.resource(requireText(inputs, 'server'), requireText(inputs, 'uri'), signal),
    }),
  ]
}

function resourceList({ name: server, resources }: ToolServer): string {
  const text = resources.map(({ uri, about }) => [uri, about].filter(Boolean).join(' ')).join('\n')
  return frameText({ tag: 'resources', attributes: { server }, text })
}
