import { isDebugging, isPlain } from './config.ts'
import { open } from './open.ts'
import { operations } from './operations/index.ts'
import { runCli } from './surfaces/cli/cli.ts'

/** The program: `argv` without the interpreter and the script. Sets the exit code of the process. */
export async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runCli({ argv, operations, debug: isDebugging(), plain: isPlain(), open })
}
