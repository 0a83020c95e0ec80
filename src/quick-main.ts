import { isDebugging, isPlainOutput, readVariable } from './engine/config.ts'
import { openEngine as open } from './open.ts'
import { hookService } from './operations/context/hook.ts'
import { loadOperation } from './operations/context/load.ts'
import { task } from './operations/context/task.ts'
import { runCli, type ServiceRunners } from './surfaces/cli/cli.ts'
import { streamsOf } from './surfaces/cli/streams.ts'

/**
 * Runs one of the commands that agents start many times in a session. This file loads no other commands, so it starts faster than
 * `main`. `argv`: as for `main`; its first word must be one of these commands, and it must not ask for help.
 */
export async function quickMain(argv: readonly string[]): Promise<void> {
  const [debug, plain] = [isDebugging(), isPlainOutput()]
  const commands = [loadOperation, task, hookService]
  process.exitCode = await runCli({ argv, commands, runners: { hook: answerHook }, debug, plain, open })
}

/** Answers a hook. Loads the code for it when it runs. */
export const answerHook: ServiceRunners['hook'] = async (input) => {
  const { hook, readEvent } = await import('./surfaces/hook/hook.ts')
  const parts = { debug: isDebugging(), open: () => open(), input: readEvent, variable: readVariable }
  return hook({ ...input, ...parts, ...streamsOf(true) })
}
