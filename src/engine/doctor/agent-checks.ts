/** Which coding agents are installed, whether their hooks ask Ambit, and whether they are newer than what it was checked with. */

import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { wiredAgents } from '../../context/init.ts'
import { AGENT_NAMES, type AgentName, CHECKED_VERSIONS } from '../../core/choices.ts'
import type { Run } from '../../core/flow.ts'
import { systemHome } from '../../files/home.ts'
import { projectRootOf } from '../../files/roots.ts'
import type { DoctorFinding } from '../config/answers.ts'
import { type DoctorConfig, isNewerVersion } from './doctor.ts'

/** What each agent's program is called. */
const PROGRAMS: Readonly<Record<AgentName, string>> = {
  claude: 'claude',
  codex: 'codex',
  cursor: 'cursor-agent',
  gemini: 'gemini',
  opencode: 'opencode',
  kilo: 'kilo',
  copilot: 'copilot',
  vscode: 'code',
  cline: 'cline',
  crush: 'crush',
  qwen: 'qwen',
  kiro: 'kiro-cli',
  factory: 'droid',
}

/** Milliseconds that a program may take to tell its version. */
const PATIENCE_MS = 10_000

/** An agent whose program is on the PATH, or whose hooks are set. */
interface AgentState {
  readonly agent: AgentName
  /** `''` where the program does not tell it; absent where there is no program. */
  readonly version?: string
  /** Where its hooks are. */
  readonly wired: readonly string[]
}

/** `programs`: what an agent's program is called, or our own, where it is another than usual. */
export async function checkAgents(
  { home }: DoctorConfig,
  { signal }: Run,
  programs: Readonly<Partial<Record<AgentName | 'ambit', string>>> = {},
): Promise<DoctorFinding> {
  const own = home === false ? undefined : (home ?? systemHome())
  const wired = wiredAgents({ root: projectRootOf(process.cwd()), home: own })
  const states = await Promise.all(
    AGENT_NAMES.map(async (agent): Promise<AgentState> => {
      const version = await askVersion(programs[agent] ?? PROGRAMS[agent], signal)
      return { agent, wired: wired[agent], ...(version !== undefined && { version }) }
    }),
  )
  const found = states.filter((state) => state.version !== undefined || state.wired.length > 0)
  const isWired = found.some((state) => state.wired.length > 0)
  return agentFinding(found, !isWired || (await askVersion(programs.ambit ?? 'ambit', signal)) !== undefined)
}

/** The version that a program tells of itself; `''` for one that tells none, undefined where there is no such program. */
async function askVersion(program: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  // Started beside Node, so that no program of that name in the current directory is.
  const options = { cwd: dirname(process.execPath), timeout: PATIENCE_MS, ...(signal && { signal }) }
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], options)
    return /(?<!\d)\d+\.\d+[\w.-]*/.exec(stdout)?.[0] ?? ''
  } catch (error) {
    return Object(error).code === 'ENOENT' ? undefined : ''
  }
}

/** `isLive`: what the hooks start can be started. */
function agentFinding(states: readonly AgentState[], isLive: boolean): DoctorFinding {
  if (states.length === 0) return { status: 'ok', message: 'No coding agent is on the PATH, and no hooks are set.' }
  const message = states.map(sentenceOn).join(' ')
  if (!isLive) {
    const dead = 'The hooks are not live: there is no ambit on the PATH.'
    return {
      status: 'warning',
      message: `${message} ${dead}`,
      hint: 'Install it where all programs find it: npm install -g ambit',
    }
  }
  if (states.some(isUnchecked)) {
    const hint = 'The hooks of a newer agent may differ: look at what "ambit hook" says on stderr.'
    return { status: 'warning', message, hint }
  }
  const isBare = states.some(({ version, wired }) => version !== undefined && wired.length === 0)
  const hint = '"ambit init --agent NAME --user" sets the hooks of an agent.'
  return { status: 'ok', message, ...(isBare && { hint }) }
}

function isUnchecked({ agent, version }: AgentState): boolean {
  const checked = CHECKED_VERSIONS[agent]
  return checked !== undefined && version !== undefined && version !== '' && isNewerVersion(version, checked)
}

function sentenceOn(state: AgentState): string {
  const { agent, version, wired } = state
  const named = version === undefined ? `${agent}, which is not on the PATH` : `${agent} ${version}`.trim()
  const hooks = wired.length === 0 ? 'no hooks' : `hooks in its settings for the ${wired.join(' and the ')}`
  const newer = isUnchecked(state) ? `; newer than ${CHECKED_VERSIONS[agent]}, which Ambit was checked with` : ''
  return `${named}: ${hooks}${newer}.`
}
