import { Writable } from 'node:stream'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { TOOLSETS, type Toolset } from '../../core/choices.ts'
import { invalidInput } from '../../core/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import type { ServiceInput } from '../../operations/index.ts'
import { oneLine } from '../../text/controls.ts'
import { LineTransport } from './lines.ts'
import { logError, type McpParts } from './parts.ts'
import { keptToProject, workIn } from './project.ts'
import { serversOf } from './server.ts'

/** How `ambit mcp` is started. */
export interface StdioParts extends Pick<McpParts, 'operations' | 'version' | 'debug'> {
  open(options: { readonly db?: string }): Promise<Engine>
}

/** Serves MCP on stdin and stdout until stdin ends. Returns the exit code. */
export async function serveMcp(
  { tools, allowWrite = false, db }: ServiceInput<'mcp'> & { readonly db?: string | undefined },
  parts: StdioParts,
): Promise<number> {
  const toolsets = toolsetsIn(tools)
  const transport = new LineTransport(process.stdin, onlyProtocol())
  const opened = await parts.open(db === undefined ? {} : { db })
  const engine = allowWrite ? opened : keptToProject(opened)
  const servers = serversOf({ ...parts, engine, allowWrite, toolsets, useRoots: workIn })
  await new Promise<void>((resolve) => {
    const onclose = () => resolve()
    const onerror = (error: Error) => parts.debug && logError(error, parts)
    serveStdio(servers, { transport: endingWith(transport, onclose), onerror })
  })
  // Whatever still runs was aborted; nothing waits for it, nor for a database that it keeps busy.
  setTimeout(() => process.exit(), 500).unref()
  await engine.close()
  return 0
}

/** Hears of the end of a transport, besides the server that it is given to. */
function endingWith(transport: LineTransport, ended: () => void): LineTransport {
  const close = transport.close.bind(transport)
  transport.close = async () => {
    await close()
    ended()
  }
  return transport
}

/** The sets of tools that `--tools` names; undefined for all of them. */
function toolsetsIn(names = 'all'): readonly Toolset[] | undefined {
  const wanted = names.split(',').map((name) => name.trim())
  const stranger = wanted.find((name) => name !== 'all' && !TOOLSETS.some((set) => set === name))
  if (stranger !== undefined) {
    const hint = `Sets: ${[...TOOLSETS, 'all'].join(', ')}; several with commas between them.`
    throw invalidInput(`There is no set of tools called "${oneLine(stranger)}".`, hint)
  }
  return wanted.includes('all') ? undefined : TOOLSETS.filter((set) => wanted.includes(set))
}

/** Stdout for the protocol alone: whatever else would write there, such as a library that warns, goes to stderr. */
function onlyProtocol(): Writable {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr)
  const output = new Writable({
    decodeStrings: false,
    write: (chunk, _, done) => {
      write(chunk, done)
    },
  })
  stdout.on('error', (error) => output.destroy(error))
  return output
}
