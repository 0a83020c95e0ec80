/** Scripts that are written into projects, for agents that cannot run a command line. */

import { readAsset } from '../../files/home.ts'

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
  const text = Buffer.from(readAsset('opencode-plugin.js')).toString('utf8')
  return text.replaceAll('$AGENT', agent).replaceAll('$NAME', agent === 'kilo' ? 'Kilo' : 'OpenCode')
}
