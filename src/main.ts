import { ContextError, UsageError } from './core/errors.ts'
import { isDebugging, isPlainOutput, readSignOn, readToken } from './engine/config.ts'
import { openEngine as open } from './open.ts'
import { operations } from './operations/index.ts'
import { runCli } from './surfaces/cli/cli.ts'
import { ownFirst, wantsJson } from './surfaces/cli/command.ts'
import { streamsOf } from './surfaces/cli/streams.ts'

/** The program: `argv` without the interpreter and the script. Sets the exit code of the process. */
export async function main(argv: readonly string[]): Promise<void> {
  const { own, given } = ownFirst(argv)
  const [command = '', ...words] = given
  const rest = [...own, ...words]
  const isOwn = Object.hasOwn(OWN, command) && !asksForHelp(rest) && !isOperation(given)
  const run = isOwn ? OWN[command] : undefined
  process.exitCode = run
    ? await run(rest).catch((error) => reportError(error, rest, command))
    : await runCli({ argv, operations, debug: isDebugging(), plain: isPlainOutput(), open })
}

/** `research list` and its kin are operations; a question, and to go on with one, have a view of their own. */
function isOperation([command, next = '']: readonly string[]): boolean {
  return command === 'research' && next !== 'resume' && operations.some(({ name }) => name === `research.${next}`)
}

/** `resume ID …`, with options of the program before it or not. */
function resumeFirst(argv: readonly string[]): { readonly rest: readonly string[]; readonly isResume: boolean } {
  const { own, given } = ownFirst(argv)
  return { rest: [...own, ...given.slice(1)], isResume: given[0] === 'resume' }
}

/** Gives the exit code. */
type Own = (argv: readonly string[]) => Promise<number>

/** Commands that are no operations. Only they load what they need. */
const OWN: Readonly<Record<string, Own>> = {
  async ask(argv) {
    const { ask } = await import('./surfaces/cli/ask.ts')
    return ask({ argv, plain: isPlainOutput(), operations, open })
  },

  async chat(argv) {
    const { chat } = await import('./surfaces/cli/chat.ts')
    return chat({ argv, plain: isPlainOutput(), operations, open })
  },

  async research(argv) {
    const { research, resumeResearch } = await import('./surfaces/cli/research.ts')
    const { rest, isResume } = resumeFirst(argv)
    return isResume
      ? resumeResearch({ argv: rest, plain: isPlainOutput(), open })
      : research({ argv, plain: isPlainOutput(), open })
  },

  async serve(argv) {
    await stayLean()
    const [{ serve }, { mcpHttp }, { webFolder }, common] = await Promise.all([
      import('./surfaces/http/serve.ts'),
      import('./surfaces/mcp/http.ts'),
      import('./surfaces/cli/version.ts'),
      commonParts(),
    ])
    const mcp: Parameters<typeof serve>[0]['mcp'] = (operations, engine, { allowWrite }) =>
      mcpHttp({ ...common, operations, engine, allowWrite })
    return serve({ ...common, argv, web: webFolder(), token: await readToken(), signOn: await readSignOn(), open, mcp })
  },

  async hook(argv) {
    const { hook, readEvent } = await import('./surfaces/hook/hook.ts')
    return hook({ argv, debug: isDebugging(), open: () => open(), input: readEvent, ...streamsOf(true) })
  },

  async watch(argv) {
    await stayLean()
    const { watch } = await import('./surfaces/cli/watch.ts')
    return watch({ argv, plain: isPlainOutput(), open })
  },

  async mcp(argv) {
    await stayLean()
    const [{ serveMcp }, common] = await Promise.all([import('./surfaces/mcp/stdio.ts'), commonParts()])
    return serveMcp({ ...common, argv, open })
  },
}

/** Commands that end by themselves. */
const TALKS = ['ask', 'chat', 'research', 'hook']

/** A server lives long beside other programs. */
async function stayLean(): Promise<void> {
  const { stayLean } = await import('./surfaces/cli/memory.ts')
  stayLean()
}

async function commonParts() {
  const { version } = await import('./surfaces/cli/version.ts')
  return { operations: operations.filter(({ isAlone }) => !isAlone), version: version(), debug: isDebugging() }
}

function asksForHelp(words: readonly string[]): boolean {
  return words.some((word) => word === '--help' || word === '-h')
}

/** An error at the start, in the form that the command line has: 2 for wrong use, else 1. */
function reportError(error: unknown, argv: readonly string[], command: string): number {
  if (isDebugging()) process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  const isOurs = error instanceof ContextError
  const { code, hint } = isOurs ? error : { code: 'internal', hint: 'This is a bug in Ambit.' }
  const message = error instanceof Error ? error.message : String(error)
  const json = wantsJson(argv)
  const text = `ambit: ${message}\n${hint ? `${hint}\n` : ''}`
  process.stderr.write(json ? `${JSON.stringify({ error: { code, message, hint } })}\n` : text)
  // Whatever a server is told wrongly it is told at its start; who talks may also have named a bad place.
  const isUsage = TALKS.includes(command) ? error instanceof UsageError : isOurs && code === 'invalid-input'
  return isUsage ? 2 : 1
}
