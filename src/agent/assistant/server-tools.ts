import { cutElements } from '../../text/elements.ts'
import { frameText } from '../../text/frames.ts'
import { type AgentTool, readInputs, requireText } from '../tool.ts'
import type { ToolServer, ToolServers } from '../tool-servers.ts'

/** Tools to see what there is to read of the servers that the person added, and to read it. None where there is nothing. */
export function resourceTools(servers: ToolServers | undefined): readonly AgentTool[] {
  const all = servers?.states().filter(({ resources }) => resources.length > 0) ?? []
  if (!servers || all.length === 0) return []
  const server = { type: 'string', enum: all.map(({ name }) => name) } as const
  const cut: AgentTool['cut'] = (text, most) =>
    cutElements(text, most, (shown, whole) => `${shown} of ${whole} bytes are given.`)
  return [
    {
      name: 'list_resources',
      description: 'List what the MCP servers of the person have to read, by their URIs.',
      effect: 'read',
      input: { type: 'object', properties: { server }, additionalProperties: false },
      cut,
      run: async (input) => {
        const { server: name } = readInputs(input, ['server'])
        return all
          .filter((one) => name === undefined || one.name === name)
          .map(resourceList)
          .join('')
      },
    },
    {
      name: 'read_resource',
      description: 'Read something that list_resources names, by its server and URI.',
      effect: 'read',
      input: {
        type: 'object',
        properties: { server, uri: { type: 'string' } },
        required: ['server', 'uri'],
        additionalProperties: false,
      },
      cut,
      run: (input, signal) => {
        const inputs = readInputs(input, ['server', 'uri'])
        return servers.resource(requireText(inputs, 'server'), requireText(inputs, 'uri'), signal)
      },
    },
  ]
}

function resourceList({ name: server, resources }: ToolServer): string {
  const text = resources.map(({ uri, about }) => [uri, about].filter(Boolean).join(' ')).join('\n')
  return frameText({ tag: 'resources', attributes: { server }, text })
}
