/** All MCP servers that a person added. */

import { ContextError } from '../core/errors.ts'
import { untilAborted } from '../core/steps.ts'
import { oneLine } from '../text/controls.ts'
import { McpServer, type ServerParts } from './tool-servers/server.ts'
import type { ToolServers, ToolServersConfig } from './tool-servers.ts'

export type ToolServersParts = Omit<ServerParts, 'name' | 'settings'>

/** The servers that are not disabled. They connect at the first call of `settled` or `signIn`. */
export function toolServers(settings: ToolServersConfig, parts: ToolServersParts): ToolServers {
  const servers = Object.entries(settings)
    .filter(([, config]) => config.disabled !== true)
    .map(([name, config]) => new McpServer({ ...parts, name, settings: config }))
  const states = () => servers.map(({ description }) => description)
  const findServer = (name: string) => {
    const server = servers.find(({ description }) => description.name === name)
    if (server) return server
    const hint = servers.length === 0 ? 'No MCP servers are set.' : `MCP servers: ${Object.keys(settings).join(', ')}.`
    throw new ContextError('not-found', `There is no MCP server ${oneLine(name.slice(0, 100))}.`, { hint })
  }
  return {
    states,
    async settled(signal) {
      await untilAborted(Promise.all(servers.map((server) => server.settled())), signal)
      return states()
    },
    prompt: async (server, request, signal) => findServer(server).prompt(request, signal),
    resource: async (server, uri, signal) => findServer(server).resource(uri, signal),
    signIn: async (server, person, signal) => findServer(server).signIn(person, signal),
    async close() {
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}
