import type { AgentTool } from '../tool.ts'

/** Inputs by which tools of others call files. */
const NAMES = /^(path|file|filename|file_?path|target|source|destination|paths|files)$/i

/**
 * Tools of others that read and write files: those that a call names by an absolute path count as touched once it is done.
 * Where a relative one begins only the tool knows.
 */
export function touching(tools: readonly AgentTool[], touched: (path: string) => Promise<void>): AgentTool[] {
  return tools.map((tool) => ({
    ...tool,
    run: async (input, signal, around) => {
      const output = await tool.run(input, signal, around)
      for (const path of pathsIn(input)) await touched(path)
      return output
    },
  }))
}

function pathsIn(input: unknown): string[] {
  return Object.entries(Object(input))
    .filter(([name]) => NAMES.test(name))
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value): value is string => typeof value === 'string' && value.startsWith('/') && !value.includes('\0'))
    .slice(0, 100)
}
