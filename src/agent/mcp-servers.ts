/** All MCP servers that a person added. */

import { ContextError } from '../core/errors.ts'
import { untilAborted } from '../core/steps.ts'
import { oneLine } from '../text/controls.ts'
import { McpServer, type ServerParts } from './tool-servers/server.ts'
import type { PromptRequest, SigningPerson, ToolServer, ToolServersConfig } from './tool-servers.ts'

export type ToolServersParts = Omit<ServerParts, 'name' | 'settings'>

export type ToolServers = ReturnType<typeof toolServers>

/** The servers that are not disabled. They connect only when `settled` is called. */
export function toolServers(settings: ToolServersConfig, parts: ToolServersParts) {
  const servers = Object.entries(settings)
    .filter(([, config]) => config.disabled !== true)
    .map(([name, config]) => new McpServer({ ...parts, name, settings: config }))
  /** The current state of each server, in the order of the configuration. */
  const states = (): readonly ToolServer[] => servers.map(({ description }) => description)
  const findServer = (name: string) => {
    const server = servers.find(({ description }) => description.name === name)
    if (server) return server
    const hint = servers.length === 0 ? 'No MCP servers are set.' : `There are ${Object.keys(settings).join(', ')}.`
    throw new ContextError('not-found', `There is no MCP server ${oneLine(name.slice(0, 100))}.`, { hint })
  }
  return {
    states,
    /** The states after connecting with all servers. Reconnects with servers that ended. */
    async settled(signal?: AbortSignal) {
      await untilAborted(Promise.all(servers.map((server) => server.settled())), signal)
      return states()
    },
    /**
     * The text of a prompt of a server.
     *
     * @throws ContextError `not-found` for an unknown server or prompt; `invalid-input` without an argument that it
     * needs; `unavailable`.
     */
    prompt: async (server: string, request: PromptRequest, signal: AbortSignal) =>
      findServer(server).prompt(request, signal),
    /** A resource of a server, in frames. @throws ContextError `not-found`, `unavailable`. */
    resource: async (server: string, uri: string, signal: AbortSignal) => findServer(server).resource(uri, signal),
    /**
     * Signs in with a server, and connects with it.
     *
     * @throws ContextError `not-found`, `invalid-input` for a server without a sign-in, `denied`, `unavailable`.
     */
    signIn: async (server: string, person: SigningPerson, signal: AbortSignal) =>
      findServer(server).signIn(person, signal),
    /** Ends all servers. */
    async close() {
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}
