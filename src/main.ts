import { isDebugging, isPlain, readToken } from './config.ts'
import { ContextError } from './core/errors.ts'
import { openEngine as open } from './open.ts'
import { operations } from './operations/index.ts'
import { runCli } from './surfaces/cli/cli.ts'
import { ownFirst } from './surfaces/cli/command.ts'

/** The program: `argv` without the interpreter and the script. Sets the exit code of the process. */
export async function main(argv: readonly string[]): Promise<void> {
  const { own, given } = ownFirst(argv)
  const [command = '', ...words] = given
  const rest = [...own, ...words]
  const server = Object.hasOwn(SERVERS, command) && !asksForHelp(rest) ? SERVERS[command] : undefined
  process.exitCode = server
    ? await started(server, rest).catch((error) => reported(error, rest))
    : await runCli({ argv, operations, debug: isDebugging(), plain: isPlain(), open })
}

/** Answers until it is ended; gives the exit code. */
type Server = (argv: readonly string[]) => Promise<number>

/** Commands that answer until they are ended. Only they load what a server needs. */
const SERVERS: Readonly<Record<string, Server>> = {
  async serve(argv) {
    const [{ serve }, { mcpHttp }, { webFolder }, common] = await Promise.all([
      import('./surfaces/http/serve.ts'),
      import('./surfaces/mcp/http.ts'),
      import('./surfaces/cli/version.ts'),
      commonParts(),
    ])
    const mcp: Parameters<typeof serve>[0]['mcp'] = (operations, engine, { allowWrite }) =>
      mcpHttp({ ...common, operations, engine, allowWrite })
    return serve({ ...common, argv, web: webFolder(), token: await readToken(), open, mcp })
  },

  async watch(argv) {
    const { watch } = await import('./surfaces/cli/watch.ts')
    return watch({ argv, plain: isPlain(), open })
  },

  async mcp(argv) {
    const [{ serveMcp }, common] = await Promise.all([import('./surfaces/mcp/stdio.ts'), commonParts()])
    return serveMcp({ ...common, argv, open })
  },
}

/** A server lives long beside other programs. */
async function started(server: Server, argv: readonly string[]): Promise<number> {
  const { stayLean } = await import('./surfaces/cli/memory.ts')
  stayLean()
  return server(argv)
}

async function commonParts() {
  const { version } = await import('./surfaces/cli/version.ts')
  return { operations: operations.filter(({ isAlone }) => !isAlone), version: version(), debug: isDebugging() }
}

function asksForHelp(words: readonly string[]): boolean {
  return words.some((word) => word === '--help' || word === '-h')
}

/** An error at the start, in the form that the command line has: 2 for wrong use, else 1. */
function reported(error: unknown, argv: readonly string[]): number {
  if (isDebugging()) process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  const isOurs = error instanceof ContextError
  const { code, hint } = isOurs ? error : { code: 'internal', hint: 'This is a bug in Ambit.' }
  const message = error instanceof Error ? error.message : String(error)
  const json = argv.includes('--json')
  const text = `ambit: ${message}\n${hint ? `${hint}\n` : ''}`
  process.stderr.write(json ? `${JSON.stringify({ error: { code, message, hint } })}\n` : text)
  return isOurs && code === 'invalid-input' ? 2 : 1
}
