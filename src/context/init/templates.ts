/** Texts that `init` writes into projects: templates, and scripts for agents that cannot run a command line. */

import { readAssetText, readAssetTexts } from '../../files/home.ts'

/** The name of the instruction file among the templates. */
export const INSTRUCTION_FILE = 'AGENTS.md'

/**
 * The templates by file name: the files of a context directory, the most important first, then the instruction file.
 * Their sentences are true, so that an unedited file does not mislead an agent. Examples are not list items, because a
 * list item would count as content.
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

/** A plugin for OpenCode, or for its fork Kilo. Version 1 reads only `server`, and version 2 reads only `setup`. */
export function openCodePlugin(agent: 'opencode' | 'kilo'): string {
  const text = readAssetText('opencode-plugin.js')
  return text.replaceAll('$AGENT', agent).replaceAll('$NAME', agent === 'kilo' ? 'Kilo' : 'OpenCode')
}
