import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { profileFor } from '../src/context/profiles/own-profile.ts'
import { filesLoadedBy } from '../src/context/reach/applying.ts'
import type { AgentName } from '../src/core/choices.ts'
import { openWith } from '../src/open.ts'
import { HOOK_AGENTS, type HookAgent } from '../src/surfaces/hook/agents.ts'
import { hook } from '../src/surfaces/hook/hook.ts'
import { scratch } from './fixtures.ts'
import type { Table } from './harness.ts'

/** Names of instruction files. In a directory, the first of them applies. */
const NAMES = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'] as const

/** Folders that people do not work on. */
const SKIPPED = new Set(['.git', 'node_modules', 'vendor'])

/** The name of each agent, and its names for the tools that read a file and that run a command line. */
const TOOLS: Readonly<Record<AgentName, readonly [name: string, read: string | undefined, shell: string]>> = {
  claude: ['Claude Code', 'Read', 'Bash'],
  codex: ['Codex', undefined, 'Bash'],
  gemini: ['Gemini CLI', 'read_file', 'run_shell_command'],
  qwen: ['Qwen Code', 'read_file', 'run_shell_command'],
  copilot: ['Copilot CLI', 'view', 'bash'],
  vscode: ['VS Code', 'read_file', 'run_in_terminal'],
  cursor: ['Cursor', 'Read', 'Shell'],
  cline: ['Cline', 'read_file', 'execute_command'],
  crush: ['Crush', 'view', 'bash'],
  kiro: ['Kiro', 'fs_read', 'execute_bash'],
  factory: ['Factory', 'Read', 'Execute'],
  opencode: ['OpenCode', 'read', 'bash'],
  kilo: ['Kilo', 'read', 'bash'],
}

/** A file that is touched first, and the instruction files at and above it. */
interface Place {
  readonly root: string
  readonly file: string
  readonly applicable: readonly string[]
}

/** Applicable files, and how many of them reach the model. */
interface Share {
  readonly of: number
  readonly reached: number
}

/**
 * Measures the share of the instruction files at and above a file that reaches the model in the turn that first touches the
 * file, with each agent alone and with `ambit hook`. A file has arrived if the agent loads or the hook prints its first lines.
 * The files that apply are found by name, without the code under test.
 */
export async function reachOfRepositories(folders: readonly string[]): Promise<Table> {
  const places = folders.flatMap((folder) => placesIn(resolve(folder)))
  const rows: string[][] = []
  for (const [name, [label, read, shell]] of Object.entries(TOOLS)) {
    if (!isAgent(name)) continue
    const cells: string[] = []
    for (const tool of [read, shell]) {
      const shares = tool === undefined ? undefined : await sharesOf(name, tool, places)
      cells.push(...(shares?.map(percent) ?? ['no such tool', '–']))
    }
    rows.push([label, ...cells])
  }
  const files = places.reduce((sum, { applicable }) => sum + applicable.length, 0)
  const set = `${files} instruction files at ${places.length} places of ${folders.length} repositories`
  return {
    title: `Instruction files that reach the model at the first touch: ${set}`,
    note: 'For the tool that reads files, and for a command line (cat FILE).',
    columns: ['agent', 'read: alone', 'with Ambit', 'shell: alone', 'with Ambit'],
    rows,
  }
}

function isAgent(name: string): name is AgentName {
  return Object.hasOwn(HOOK_AGENTS, name)
}

function percent({ of, reached }: Share): string {
  return `${((reached * 100) / of).toFixed(0)} %`
}

/** A place for each directory with an instruction file: the first other file in the directory, or a new file. */
function placesIn(root: string): Place[] {
  const directories = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => NAMES.some((name) => name === entry.name) && !entry.isDirectory())
    .map(({ parentPath }) => parentPath)
    .filter(
      (path) =>
        !relative(root, path)
          .split('/')
          .some((part) => SKIPPED.has(part)),
    )
  return [...new Set([root, ...directories])].flatMap((directory) => {
    const entries = readdirSync(directory, { withFileTypes: true })
    const other = entries.find((entry) => entry.isFile() && !NAMES.some((name) => name === entry.name))
    const applicable = applicableTo(directory, root)
    return applicable.length > 0 ? [{ root, file: join(directory, other?.name ?? 'new.ts'), applicable }] : []
  })
}

function applicableTo(directory: string, root: string): readonly string[] {
  const present = readdirSync(directory)
  const name = NAMES.find((one) => present.includes(one) && headOf(join(directory, one)).length > 0)
  const above = directory === root ? [] : applicableTo(dirname(directory), root)
  return name === undefined ? above : [join(directory, name), ...above]
}

/** The first lines of a file that are not empty. Comments are left out, because a cut removes them first. */
function headOf(path: string): readonly string[] {
  try {
    const lines = readFileSync(path, 'utf8')
      .replaceAll(/<!--[\s\S]*?-->/g, '')
      .split('\n')
    return lines.flatMap((line) => (line.trim() === '' ? [] : [line.trim()])).slice(0, 3)
  } catch {
    return []
  }
}

async function sharesOf(name: AgentName, tool: string, places: readonly Place[]): Promise<[Share, Share]> {
  const [alone, helped] = [[], []] as [number[], number[]]
  for (const place of places) {
    const loaded = await loadedTexts(name, tool, place)
    const reached = (texts: readonly string[]) =>
      place.applicable.filter((path) => headOf(path).every((line) => texts.some((text) => text.includes(line)))).length
    alone.push(reached(loaded))
    helped.push(reached([...loaded, ...(await hookTexts(name, tool, place))]))
  }
  const of = places.reduce((sum, { applicable }) => sum + applicable.length, 0)
  const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)
  return [
    { of, reached: total(alone) },
    { of, reached: total(helped) },
  ]
}

/** What the agent itself has loaded after the call. */
async function loadedTexts(name: AgentName, tool: string, { root, file }: Place): Promise<string[]> {
  const agent: HookAgent = HOOK_AGENTS[name]
  const setUp = await profileFor(agent.profile ?? name, { cwd: root, home: false })
  const touched = agent.selfLoadingTools?.test(tool) ? [file] : []
  const { items } = await filesLoadedBy(setUp, { root, cwd: root, touched, home: false })
  return items.map(({ fragment }) => fragment.text)
}

/** All texts that the hooks print in a session that starts and touches one file. */
async function hookTexts(name: AgentName, tool: string, { root, file }: Place): Promise<string[]> {
  const state = scratch()
  const events = Object.entries(HOOK_AGENTS[name].events)
  const eventNameOf = (moments: readonly string[], like: RegExp) =>
    events
      .filter(([, moment]) => moments.includes(moment))
      .toSorted(([a], [b]) => Number(like.test(b)) - Number(like.test(a)))[0]?.[0]
  const input = /bash|shell|command|execute|terminal/i.test(tool) ? { command: `cat ${file}` } : { file_path: file }
  const start = { hook_event_name: eventNameOf(['start', 'begin'], /^session|^task/), source: 'startup' }
  const call = { hook_event_name: eventNameOf(['call'], /post|after/), tool_name: tool, tool_input: input }
  const texts: string[] = []
  for (const event of [start, call].filter(({ hook_event_name }) => hook_event_name !== undefined))
    texts.push(await hookOutput(name, { session_id: 's', cwd: root, ...event }, state))
  rmSync(state, { recursive: true })
  return texts
}

async function hookOutput(name: AgentName, event: object, state: string): Promise<string> {
  const config = { state, home: false as const, db: join(state, 'none.db'), file: undefined, unknown: [] }
  let out = ''
  const write = (text: string) => {
    out += text
  }
  const failed = (text: string) => {
    throw new Error(`${basename(name)}: ${text}`)
  }
  await hook({
    agent: name,
    debug: false,
    open: async () => openWith(config),
    input: async () => JSON.stringify(event),
    out: { write },
    err: { write: failed },
  })
  return withoutFrames(out)
}

/** The texts in an answer, without their frames. */
function withoutFrames(answer: string): string {
  const text = answer.startsWith('{') ? stringsIn(JSON.parse(answer)).join('\n') : answer
  return text.replaceAll('&lt;', '<').replaceAll('&#13;', '\r').replaceAll(']]&gt;', ']]>').replaceAll('&amp;', '&')
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}
