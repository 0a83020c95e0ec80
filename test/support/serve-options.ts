import { commands, type ServiceInput } from '../../src/operations/index.ts'
import { parseCommandLine } from '../../src/surfaces/cli/arguments.ts'
import type { ServeOptions } from '../../src/surfaces/http/options.ts'

/** What the words after `ambit serve` say. */
export function serveOptions(argv: readonly string[]): ServeOptions {
  const { input, flags } = parseCommandLine(['serve', ...argv], commands)
  return { ...(input as ServiceInput<'serve'>), ...flags }
}
