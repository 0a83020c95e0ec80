/**
 * Runs real coding agents against a scripted model on loopback, with and without Ambit's hooks, and records what the
 * model got: `npm run agents [-- NAME …]`. With directories of repositories, checks whether each way to touch a
 * directory sends their instruction files. With the word `diff` before the directories, checks the verdicts of
 * `ambit diff` on them. With `sync`, runs no agent: checks what `ambit sync` makes of the rules of another generator.
 * Agents are installed into .cache/agents, with pinned versions. If possible, they run in a network with loopback only.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { keepRows } from '../bench/report.ts'
import { BUDGET_STEPS, budgetProblems, budgetRows } from './agents/budgets.ts'
import type { Step } from './agents/model.ts'
import { PROGRAMS, type Program } from './agents/programs.ts'
import { reportRoundTrips } from './agents/round-trip.ts'
import { install, type RunOptions, runAgent } from './agents/run.ts'
import { reportTouches } from './agents/touches.ts'
import { reportVerdicts } from './agents/verdicts.ts'

const COMMAND = 'npm run agents'
const REQUESTS = {
  title: 'How often a text stands in the last request of the real program',
  note: 'Alone, and after `ambit init`; the model has read a file of `packages/a` twice by a command line.',
  columns: [
    'agent',
    'version',
    '`AGENTS.md` of the root: alone',
    'with Ambit',
    'of `packages/a`: alone',
    'with Ambit',
    '`.context/`: alone',
    'with Ambit',
    'code of the task, with `--task`',
  ],
}
const ANSWERS = {
  title: 'Tokens of an answer over MCP that the model reads, by budget',
  columns: ['agent', 'tool', '500', '1,000', '2,000', '4,000', '8,000', '16,000', '32,000'],
}

/** The files of the project. Each marker word is in one file only, so that it can be counted. */
const FILES = {
  'AGENTS.md': '# Project\n\nMARKROOT: the build is run by make.\n',
  'CLAUDE.md': '# Claude\n\nMARKCLAUDE: as for all.\n',
  'packages/a/AGENTS.md': '# Package a\n\nMARKNESTED: tabs, not spaces.\n',
  'packages/a/next.txt': '# Package a\n\nMARKEDITED: spaces, not tabs.\n',
  'packages/a/src/x.ts': 'export const x = 1\n',
  'packages/a/src/axis.ts': 'export function scaleAxis(width: number) {\n  // MARKCODE: charts\n  return width\n}\n',
  '.context/CONVENTIONS.md': '# Conventions\n\n- MARKCONTEXT: errors have codes.\n',
}

const SHELLS = ['Bash', 'shell_command', 'exec_command', 'shell', 'run_shell_command', 'bash', 'run_commands']

/** Reads a file of a subdirectory twice, edits the instruction file there, and reads the file again. */
const COMMANDS = [
  'cat packages/a/src/x.ts',
  'head -1 packages/a/src/x.ts',
  'cp packages/a/next.txt packages/a/AGENTS.md',
  'head -1 packages/a/src/x.ts',
]
const STEPS: readonly Step[] = COMMANDS.map((command) => ({
  tools: SHELLS,
  values: { command, cmd: command, commands: command },
}))

/** Index of the first request of the resumed session. Some agents send more requests after it. */
const RESUMED = COMMANDS.length + 1

/** Index of the request after the second read. It has everything that was sent before. */
const SECOND_READ = 2

function fillWith(steps: readonly Step[]): RunOptions['fill'] {
  return (project) => {
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(project, name)), { recursive: true })
      writeFileSync(join(project, name), text)
    }
    return steps
  }
}

/** How often each marker occurs in each request. */
type Counts = Readonly<Record<string, readonly number[]>>

function countsIn(requests: readonly string[]): Counts {
  const marks = ['MARKROOT', 'MARKNESTED', 'MARKCONTEXT', 'MARKCODE', 'MARKEDITED', 'task_context']
  return Object.fromEntries(marks.map((mark) => [mark, requests.map((text) => text.split(mark).length - 1)]))
}

/**
 * Problems of a session with Ambit. The first request must have the context that applies, the second request the nested file, and
 * nothing may come twice.
 */
function problemsIn(
  { dropsStart, resume, repeatsResults }: Program,
  { MARKROOT = [], MARKNESTED = [], MARKCONTEXT = [], MARKCODE = [], MARKEDITED = [] }: Counts,
): string[] {
  const first = dropsStart ? 1 : 0
  const edited = MARKEDITED.slice(0, COMMANDS.length + 1).join(', ')
  const problems = [
    MARKCODE[0] === 0 || 'the first request has code, although the hook may not send any',
    MARKROOT[0] === 1 || `the root's AGENTS.md occurs ${MARKROOT[0]} times in the first request`,
    MARKCONTEXT[first] === 1 || `the context directory occurs ${MARKCONTEXT.join(', ')} times in the requests`,
    MARKNESTED[0] === 0 || 'the first request has the nested AGENTS.md',
    MARKNESTED[1] === 1 || `the nested AGENTS.md occurs ${MARKNESTED[1]} times in the second request`,
    MARKNESTED[SECOND_READ] === 1 ||
      `the nested AGENTS.md occurs ${MARKNESTED[SECOND_READ]} times in the third request`,
    edited === '0, 0, 0, 1, 1' || `the edited AGENTS.md occurs ${edited} times in the requests`,
    ...Object.entries({ MARKROOT, MARKCONTEXT, MARKNESTED, MARKEDITED }).flatMap(([mark, counts]) => {
      const wanted = repeatsResults && /NESTED|EDITED/.test(mark) ? 2 : 1
      return !resume || counts[RESUMED] === wanted ? [] : [`after a resume, ${mark} occurs ${counts[RESUMED]} times`]
    }),
  ]
  return problems.filter((problem) => problem !== true)
}

/** Problems of a session with `--task`. Each request must have the code once, and the first request must offer `task_context`. */
function taskProblemsIn({ dropsPrompts }: Program, { MARKCODE = [], task_context = [] }: Counts): string[] {
  const wanted = dropsPrompts ? 0 : 1
  const problems = [
    MARKCODE.every((times) => times === wanted) ||
      `with --task, the code of the task occurs ${MARKCODE.join(', ')} times in the requests`,
    (task_context[0] ?? 0) > 0 || 'the first request does not offer task_context',
  ]
  return problems.filter((problem) => problem !== true)
}

async function report(programs: readonly Program[]): Promise<number> {
  let failed = 0
  for (const program of programs) failed += (await reportAgent(program)) ? 0 : 1
  return failed
}

/** Runs one agent, and prints its problems. Returns whether there are none. */
async function reportAgent(program: Program): Promise<boolean> {
  const { agent, version, scope = [] } = program
  const path = install(program)
  const began = Date.now()
  const fill = fillWith(STEPS)
  const counts = async (options?: Partial<RunOptions>) =>
    countsIn((await runAgent(program, path, { fill, ...options })).requests)
  const [without, withAmbit] = [await counts(), await counts({ init: scope, isResumed: true })]
  const withTask = await counts({ init: [...scope, '--task'] })
  const budgets = { init: scope, fill: fillWith(BUDGET_STEPS), hasCollection: true }
  const { results } = await runAgent(program, path, budgets)
  const problems = [...problemsIn(program, withAmbit), ...taskProblemsIn(program, withTask), ...budgetProblems(results)]
  console.log(`${problems.length > 0 ? '✗' : '✓'} ${agent} ${version} (${Date.now() - began} ms)`)
  console.log(`  without Ambit: ${JSON.stringify(without)}\n  with Ambit:    ${JSON.stringify(withAmbit)}`)
  console.log(`  with --task:   ${JSON.stringify(withTask)}`)
  for (const row of budgetRows(results)) console.log(`  ${row.join(' ')}`)
  for (const problem of problems) console.log(`  ${problem}`)
  const shown = ['MARKROOT', 'MARKNESTED', 'MARKCONTEXT'].flatMap((mark) => [
    timesOf(without, mark),
    timesOf(withAmbit, mark),
  ])
  keepAgent([agent, version, ...shown, timesOf(withTask, 'MARKCODE')], budgetRows(results))
  return problems.length === 0
}

/** How often a marker occurs in the request before the edit. */
function timesOf(counts: Counts, mark: string): string {
  const times = counts[mark]?.at(SECOND_READ) ?? 0
  return ['no', 'once'][times] ?? `${times} times`
}

function keepAgent(row: readonly string[], budgets: readonly string[][]): void {
  const [agent = ''] = row
  const rows = budgets.map((cells) => [agent, ...cells])
  keepRows('agents', COMMAND, { ...REQUESTS, rows: [row] })
  keepRows('agents', COMMAND, { ...ANSWERS, rows }, 2)
}

/** Arguments of `unshare`: a separate network, and separate processes, which end with the script. */
const UNSHARE = ['--map-root-user', '--net', '--pid', '--fork', '--kill-child', '--mount-proc']

/** Runs this script again in a network with loopback only. Returns its exit code; undefined if the system cannot do that. */
function runIsolated(names: readonly string[]): number | undefined {
  const tools = spawnSync('unshare', [...UNSHARE, 'ip', 'link', 'set', 'lo', 'up'])
  if (tools.status !== 0) return undefined
  const line = 'ip link set lo up && exec "$0" "$@"'
  const args = [...UNSHARE, 'sh', '-c', line, process.execPath, import.meta.filename, '--isolated', ...names]
  return spawnSync('unshare', args, { stdio: 'inherit' }).status ?? 1
}

const [first, ...argsAfterFirst] = process.argv.slice(2)
const args = first === '--isolated' ? argsAfterFirst : process.argv.slice(2)
const names = args.filter((name) => PROGRAMS.some(({ agent }) => agent === name))
const isDiff = args.includes('diff')
const repositories = args
  .filter((name) => !names.includes(name) && name !== 'diff' && name !== 'sync')
  .map((path) => resolve(path))
const programs = PROGRAMS.filter(({ agent }) => names.length === 0 || names.includes(agent))
const measure = async () => {
  const reportRepositories = isDiff ? reportVerdicts : reportTouches
  const failed = repositories.length > 0 ? await reportRepositories(programs, repositories) : await report(programs)
  return failed === 0 ? 0 : 1
}
if (first === 'sync') process.exitCode = reportRoundTrips(repositories) === 0 ? 0 : 1
else if (first === '--isolated') process.exitCode = await measure()
else {
  for (const program of programs) install(program)
  const status = runIsolated([...names, ...(isDiff ? ['diff'] : []), ...repositories])
  if (status === undefined) console.log('This system cannot isolate the network: the agents can reach the internet.')
  process.exitCode = status ?? (await measure())
}
