import { isDebugging, isPlainOutput, readSignOn, readToken } from './engine/config.ts'
import { openEngine as open, openIn } from './open.ts'
import { aliases, commands, operations } from './operations/index.ts'
import { answerHook } from './quick-main.ts'
import { runCli, type ServiceRunners } from './surfaces/cli/cli.ts'

/** Runs the program, and sets the exit code of the process. `argv`: without the interpreter and the script. */
export async function main(argv: readonly string[]): Promise<void> {
  const [debug, plain] = [isDebugging(), isPlainOutput()]
  process.exitCode = await runCli({ argv, commands, aliases, runners: RUNNERS, debug, plain, open })
}

/** The runner of each service. It loads the code of the service when it runs. */
const RUNNERS = {
  ask: async (input, flags) => (await import('./surfaces/cli/ask.ts')).ask(input, flags, commandParts()),

  chat: async (input, flags) => (await import('./surfaces/cli/chat.ts')).chat(input, flags, commandParts()),

  research: async (input, flags) => (await import('./surfaces/cli/research.ts')).research(input, flags, commandParts()),

  'research.resume': async (input, flags) =>
    (await import('./surfaces/cli/research.ts')).resumeResearch(input, flags, commandParts()),

  async serve(input, flags) {
    await limitServerMemory()
    const [{ serve }, { mcpHttp }, { webFolder }, common] = await Promise.all([
      import('./surfaces/http/serve.ts'),
      import('./surfaces/mcp/http.ts'),
      import('./surfaces/cli/version.ts'),
      serverParts(),
    ])
    const mcp: Parameters<typeof serve>[1]['mcp'] = (operations, access) =>
      mcpHttp({ ...common, operations, ...access })
    const [token, signOn] = [await readToken(), await readSignOn()]
    return serve({ ...input, ...flags }, { ...common, aliases, web: webFolder(), token, signOn, open, mcp })
  },

  async watch(input, flags) {
    await limitServerMemory()
    return (await import('./surfaces/cli/watch.ts')).watch(input, flags, commandParts())
  },

  async demo(input) {
    const [{ demo }, { ask }, { hook }] = await Promise.all([
      import('./surfaces/cli/demo.ts'),
      import('./surfaces/cli/ask.ts'),
      import('./surfaces/hook/hook.ts'),
    ])
    const [debug, plain] = [isDebugging(), isPlainOutput()]
    return demo(input, {
      plain,
      run: (argv, { home, stdin, streams }) => {
        const open = async () => openIn(home)
        const runners = {
          ask: (input, flags) => ask(input, flags, { plain, operations, open, streams }),
          hook: (input) => hook({ ...input, debug, open, input: async () => stdin, ...streams }),
        } satisfies Partial<ServiceRunners>
        return runCli({ argv, commands, runners, debug, plain, open, streams })
      },
    })
  },

  hook: answerHook,

  async mcp(input, { db }) {
    await limitServerMemory()
    const [{ serveMcp }, common] = await Promise.all([import('./surfaces/mcp/stdio.ts'), serverParts()])
    return serveMcp({ ...input, db }, { ...common, open })
  },
} satisfies ServiceRunners

function commandParts() {
  return { plain: isPlainOutput(), operations, open }
}

/** Limits the memory of a process that runs for a long time beside other programs. */
async function limitServerMemory(): Promise<void> {
  const memory = await import('./surfaces/cli/memory.ts')
  memory.limitServerMemory()
}

async function serverParts() {
  const { version } = await import('./surfaces/cli/version.ts')
  return { operations: operations.filter(({ isAlone }) => !isAlone), version: version(), debug: isDebugging() }
}
