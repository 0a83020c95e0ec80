// Gives $NAME the context that is new where it works: see "ambit hook".
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
      const prompt = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
      firsts.set(sessionID, firstOf(sessionID, cwd, prompt))
    },

    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      if (!sessionID) return
      const context = [await startOf(sessionID, cwd), await firsts.get(sessionID)]
      if (context.some(Boolean)) system.push([system.pop(), ...context].filter(Boolean).join('\n\n'))
    },

    'tool.execute.after': async ({ tool, sessionID, args }, output) => {
      await startOf(sessionID, cwd)
      const call = { tool_name: tool, tool_input: args, tool_response: String(output.output ?? '').slice(0, 65536) }
      const context = await hook({ hook_event_name: 'PostToolUse', session_id: sessionID, cwd, ...call })
      if (!context) return
      if (Array.isArray(output.content)) output.content.push({ type: 'text', text: context })
      else output.output = [output.output, context].filter(Boolean).join('\n\n')
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
