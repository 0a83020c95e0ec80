/** Texts that `init` writes into projects: templates, and scripts for agents that cannot run a command line. */

import { readAssetText, readAssetTexts } from '../../files/home.ts'

/** The name of the instruction file among the templates. */
export const INSTRUCTION_FILE = 'AGENTS.md'

/**
 * The templates by name: of a context directory, the most important first; then of an instruction file. Every sentence is true, so that an
 * unedited file misleads no agent; and no example is a list item, which would count as content.
 */
export function readSkeletons(): ReadonlyMap<string, string> {
  return readAssetTexts('skeletons.txt')
}

/** A hook of Cline, which treats a missing answer as a failure. */
export function clineHook(event: string): string {
  return `#!/bin/sh
# Gives Cline the context that is new where it works: see "ambit hook".
# Written by "ambit init --agent cline".
answer=$(command -v ambit >/dev/null 2>&1 && ambit hook cline ${event})
printf '%s\\n' "\${answer:-{\\"cancel\\":false\\}}"
`
}

/** A plugin of OpenCode, or of Kilo, its fork. Version 1 reads `server`, version 2 reads `setup`; each ignores the other. */
export function openCodePlugin(agent: 'opencode' | 'kilo'): string {
  const text = readAssetText('opencode-plugin.js')
  return text.replaceAll('$AGENT', agent).replaceAll('$NAME', agent === 'kilo' ? 'Kilo' : 'OpenCode')
}
