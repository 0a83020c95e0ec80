/** Scripts that are written into projects, for agents that cannot run a command line. */

/** A hook of Cline, which treats a missing answer as a failure. */
export function clineHook(event: string): string {
  return `#!/bin/sh
# Gives Cline the context that is new where it works: see "ambit hook".
# Written by "ambit init --agent cline".
answer=$(command -v ambit >/dev/null 2>&1 && ambit hook cline ${event})
printf '%s\\n' "\${answer:-{\\"cancel\\":false\\}}"
`
}

/**
 * A plugin of OpenCode, or of Kilo, which is made from it. Version 1 reads \`server\`, version 2 reads \`setup\`; each ignores
 * the other.
 */
export function openCodePlugin(agent: NodeAgent): string {
  return withNames(PLUGIN, agent)
}

/** The same as a package, which also includes the MCP server and the skill of its folder. `init` writes the server into the settings instead. */
export function openCodePackage(agent: NodeAgent): string {
  const imports = "import { execFile } from 'node:child_process'\n"
  const hooks = 'server: async ({ directory: cwd }) => ({\n'
  const text = PLUGIN.replace(/^\/\/ Written by.*\n/m, '')
    .replace(imports, `${imports}import { fileURLToPath } from 'node:url'\n`)
    .replace(hooks, hooks + CONFIG)
  return withNames(text, agent)
}

type NodeAgent = 'opencode' | 'kilo'

function withNames(text: string, agent: NodeAgent): string {
  return text.replaceAll('$AGENT', agent).replaceAll('$NAME', agent === 'kilo' ? 'Kilo' : 'OpenCode')
}

/** An existing setting stays, so that a server stays off if a person turned it off. */
const CONFIG = `    config: async (config) => {
      config.mcp = { ambit: { type: 'local', command: ['ambit', 'mcp'], enabled: true }, ...config.mcp }
      const skills = fileURLToPath(new URL('skills', import.meta.url))
      config.skills = { ...config.skills, paths: [...(config.skills?.paths ?? []), skills] }
    },

`

const PLUGIN = `// Gives $NAME the context that is new where it works: see "ambit hook".
// Written by "ambit init --agent $AGENT".
import { execFile } from 'node:child_process'

/** Start directory of each session. It is sent with every request, so it stays the same. */
const starts = new Map()

/** News for the session; empty without Ambit, or when it fails: the agent shall go on. */
function hook(event) {
  return new Promise((resolve) => {
    const child = execFile('ambit', ['hook', '$AGENT'], { timeout: 10_000, maxBuffer: 2 ** 24 }, (error, stdout) =>
      resolve(error ? '' : stdout),
    )
    child.stdin.on('error', () => {})
    child.stdin.end(JSON.stringify(event))
  })
}

/** Context for the first prompt of each session. */
const firsts = new Map()

async function firstOf(session, cwd, prompt) {
  await startOf(session, cwd)
  return hook({ hook_event_name: 'UserPromptSubmit', session_id: session, cwd, prompt })
}

/** Events that restart a session: compaction discards what was sent. */
const compacted = new Set()

/** A session may have begun in an earlier process, and then has what was delivered after calls. */
function startOf(session, cwd) {
  if (!starts.has(session)) {
    const source = compacted.delete(session) ? 'compact' : 'resume'
    starts.set(session, hook({ hook_event_name: 'SessionStart', session_id: session, cwd, source }))
  }
  return starts.get(session)
}

export default {
  id: 'ambit',

  // OpenCode 1. Some models take one system message only, so the last one is made longer.
  server: async ({ directory: cwd }) => ({
    'chat.message': async ({ sessionID }, { parts }) => {
      if (!sessionID || firsts.has(sessionID)) return
      const prompt = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\\n')
      firsts.set(sessionID, firstOf(sessionID, cwd, prompt))
    },

    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      if (!sessionID) return
      const context = [await startOf(sessionID, cwd), await firsts.get(sessionID)]
      if (context.some(Boolean)) system.push([system.pop(), ...context].filter(Boolean).join('\\n\\n'))
    },

    'tool.execute.after': async ({ tool, sessionID, args }, output) => {
      await startOf(sessionID, cwd)
      const call = { tool_name: tool, tool_input: args, tool_response: String(output.output ?? '').slice(0, 65536) }
      const context = await hook({ hook_event_name: 'PostToolUse', session_id: sessionID, cwd, ...call })
      if (!context) return
      if (Array.isArray(output.content)) output.content.push({ type: 'text', text: context })
      else output.output = [output.output, context].filter(Boolean).join('\\n\\n')
    },

    event: async ({ event }) => {
      if (event.type !== 'session.compacted') return
      compacted.add(event.properties.sessionID)
      starts.delete(event.properties.sessionID)
    },
  }),

  // OpenCode 2.
  setup: async ({ location, session }) => {
    await session.hook('context', async ({ sessionID, system }) => {
      const context = await startOf(sessionID, location.directory)
      if (context) system.push({ type: 'text', text: context })
    })
  },
}
`
