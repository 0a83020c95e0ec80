/** Programs that are written into projects, for agents that do not take a command's output as it is. */

/** A hook that runs `ambit load` and answers in JSON; `answer` is an expression over `context`. */
export function hookScript(agent: string, answer: string): string {
  return `// Gives the agent what "ambit load" prints, when a session starts.
// Written by "ambit init --agent ${agent}"; change it as you like.
import { execSync } from 'node:child_process'

try {
  const stdio = ['ignore', 'pipe', 'inherit']
  const context = execSync('ambit load --no-instructions --format xml', { encoding: 'utf8', stdio, maxBuffer: 2 ** 24 })
  if (context) console.log(JSON.stringify(${answer}))
} catch {
  console.error('The context was not loaded: "ambit load" failed.')
  process.exitCode = 1
}
`
}

/** A plugin of OpenCode. Version 1 reads \`server\`, version 2 reads \`setup\`; each ignores the other. */
export const OPENCODE_PLUGIN = `// Gives the agent what "ambit load" prints, with every request of a session.
// Written by "ambit init --agent opencode"; change it as you like.
import { exec } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(exec)

/** By session: loaded once, so that the prompt stays the same. */
const contexts = new Map()

/** What "ambit load" prints in the directory; nothing when it fails, since the agent shall go on. */
async function load(cwd) {
  try {
    return (await run('ambit load --no-instructions --format xml', { cwd, timeout: 30_000, maxBuffer: 2 ** 24 })).stdout
  } catch {
    return ''
  }
}

function contextOf(session, cwd) {
  if (!contexts.has(session)) contexts.set(session, load(cwd))
  return contexts.get(session)
}

export default {
  id: 'ambit',

  // OpenCode 1. Some models take one system message only, so the last one is made longer.
  server: async ({ directory }) => ({
    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      const context = await contextOf(sessionID, directory)
      if (context) system.push([system.pop(), context].filter(Boolean).join('\\n\\n'))
    },
  }),

  // OpenCode 2.
  setup: async ({ location, session }) => {
    await session.hook('context', async ({ sessionID, system }) => {
      const context = await contextOf(sessionID, location.directory)
      if (context) system.push({ type: 'text', text: context })
    })
  },
}
`
