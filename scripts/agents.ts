/**
 * Runs real coding agents against a scripted model on loopback, with and without Ambit's hooks, looks at the requests that they
 * send, and writes what reached the model into docs/figures/reach.md: `npm run agents [-- NAME …]`. Programs are installed into
 * .cache/agents, versions pinned; where the system can, they run in a network that has loopback alone.
 */

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { BUDGET_STEPS, budgetProblems, budgetRows, prepareCollection } from './agents/budgets.ts'
import { type ScriptedModel, type Step, scriptedModel } from './agents/model.ts'
import { type Ground, PROGRAMS, type Program, writeSettings } from './agents/programs.ts'
import { putRows } from './docs/page-table.ts'

const ROOT = dirname(import.meta.dirname)
const CACHE = join(ROOT, '.cache', 'agents')
const AMBIT = join(ROOT, 'dist', 'cli', 'bin.js')
const PAGE = join(ROOT, 'docs', 'figures', 'reach.md')

/** Milliseconds after which a program is ended. */
const PATIENCE_MS = 300_000

/** What stands in which file: each word once, so that it can be counted. */
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

/** First a shell's `cat` of a file below, then the same again; an edit of the instruction file there, and the same again. */
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

/** The first request of the resumed session; some programs ask their model more behind it. */
const RESUMED = COMMANDS.length + 1

/** The request after the same file was named again, which has all that was sent before. */
const AGAIN = 2

/** How often each mark stands in each request. */
type Counts = Readonly<Record<string, readonly number[]>>

function install({ agent, package: name, version, bin }: Program): string {
  const prefix = join(CACHE, `${agent}-${version}`)
  const path = join(prefix, 'node_modules', '.bin', bin)
  if (existsSync(path)) return path
  mkdirSync(prefix, { recursive: true })
  writeFileSync(join(prefix, 'package.json'), '{ "private": true }\n')
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', `${name}@${version}`], { cwd: prefix })
  return path
}

/** A repository, a home directory, and an `ambit` on the PATH. */
function prepare(base: string): {
  readonly home: string
  readonly project: string
  readonly env: Record<string, string>
} {
  const [home, project, bin] = ['home', 'project', 'bin'].map((name) => join(base, name))
  if (!home || !project || !bin) throw new Error('There is no base.')
  for (const directory of [home, bin]) mkdirSync(directory, { recursive: true })
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(project, name)), { recursive: true })
    writeFileSync(join(project, name), text)
  }
  writeFileSync(join(bin, 'ambit'), `#!/bin/sh\nexec '${process.execPath}' '${AMBIT}' "$@"\n`, { mode: 0o755 })
  const env = { PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, HOME: home, LANG: 'C.UTF-8' }
  execFileSync('git', ['init', '-q', '.'], { cwd: project, env })
  return { home, project, env }
}

interface RunOptions {
  /** Words for `ambit init`, which sets the program up as a person would. Default: it is not set up. */
  readonly init?: readonly string[]
  readonly steps?: readonly Step[]
  /** Whether there is a collection to search. Default: false. */
  readonly hasCollection?: boolean
  /** Whether the session goes on in a second run, where the program can. Default: false. */
  readonly isResumed?: boolean
}

type Asked = Pick<ScriptedModel, 'requests' | 'results'>

/** One run of a program: what its model was asked. */
async function run(
  program: Program,
  path: string,
  { init, steps = STEPS, hasCollection = false, isResumed = false }: RunOptions = {},
): Promise<Asked> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-agents-')))
  const model = await scriptedModel(steps)
  try {
    const { home, project, env } = prepare(base)
    const ground: Ground = { home, project, url: model.url }
    if (init)
      execFileSync(process.execPath, [AMBIT, 'init', '--agent', program.agent, '--write', ...init], {
        cwd: project,
        env,
      })
    if (hasCollection) prepareCollection(project, [process.execPath, AMBIT], env)
    writeSettings(program, ground)
    const options = { cwd: project, env: { ...env, ...program.env(ground), ...(hasCollection && program.mcpEnv) } }
    const before = program.setUp && (await started(path, program.setUp(ground), options))
    const output = `${before ?? ''}${await started(path, program.args, options)}`
    if (isResumed && program.resume) {
      const known = model.requests.length
      const told = await started(path, program.resume, options)
      if (model.requests.length === known) throw new Error(`${program.agent} was not resumed:\n${told.slice(-2000)}`)
    }
    if (model.requests.length === 0) throw new Error(`${program.agent} asked no model:\n${output.slice(-2000)}`)
    return { requests: model.requests, results: model.results }
  } finally {
    await model.close()
    rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

function started(
  path: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(path, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    // What it leaves running may hold its streams.
    child.on('exit', () => {
      clearTimeout(timer)
      resolve(output)
    })
  })
}

function countsIn(requests: readonly string[]): Counts {
  const marks = ['MARKROOT', 'MARKNESTED', 'MARKCONTEXT', 'MARKCODE', 'MARKEDITED', 'task_context']
  return Object.fromEntries(marks.map((mark) => [mark, requests.map((text) => text.split(mark).length - 1)]))
}

/** What must hold with Ambit: the start has what applies, the second request the nested file, and nothing comes twice. */
function problemsIn(
  { dropsStart, resume, repeatsResults }: Program,
  { MARKROOT = [], MARKNESTED = [], MARKCONTEXT = [], MARKCODE = [], MARKEDITED = [] }: Counts,
): string[] {
  const first = dropsStart ? 1 : 0
  const edited = MARKEDITED.slice(0, COMMANDS.length + 1).join(', ')
  const problems = [
    MARKCODE[0] === 0 || 'code stands in the first request, unasked',
    MARKROOT[0] === 1 || `the root's AGENTS.md stands ${MARKROOT[0]} times in the first request`,
    MARKCONTEXT[first] === 1 || `the context directory stands ${MARKCONTEXT.join(', ')} times in the requests`,
    MARKNESTED[0] === 0 || 'the nested AGENTS.md stands in the first request',
    MARKNESTED[1] === 1 || `the nested AGENTS.md stands ${MARKNESTED[1]} times in the second request`,
    MARKNESTED[AGAIN] === 1 || `the nested AGENTS.md stands ${MARKNESTED[AGAIN]} times in the third request`,
    edited === '0, 0, 0, 1, 1' || `what it became by the edit stands ${edited} times in the requests`,
    ...Object.entries({ MARKROOT, MARKCONTEXT, MARKNESTED, MARKEDITED }).flatMap(([mark, counts]) => {
      const wanted = repeatsResults && /NESTED|EDITED/.test(mark) ? 2 : 1
      return !resume || counts[RESUMED] === wanted ? [] : [`after a resume, ${mark} stands ${counts[RESUMED]} times`]
    }),
  ]
  return problems.filter((problem) => problem !== true)
}

/** What must hold where the hook may bring code: each request has it once; and the tool for it is offered. */
function problemsOfTask({ dropsPrompts }: Program, { MARKCODE = [], task_context = [] }: Counts): string[] {
  const wanted = dropsPrompts ? 0 : 1
  const problems = [
    MARKCODE.every((times) => times === wanted) ||
      `with --task, the code of the task stands ${MARKCODE.join(', ')} times in the requests`,
    (task_context[0] ?? 0) > 0 || 'the first request does not offer task_context',
  ]
  return problems.filter((problem) => problem !== true)
}

async function report(programs: readonly Program[]): Promise<number> {
  let failed = 0
  for (const program of programs) failed += (await reportOn(program)) ? 0 : 1
  return failed
}

/** Whether all held that must. */
async function reportOn(program: Program): Promise<boolean> {
  const { agent, version, scope = [] } = program
  const path = install(program)
  const began = Date.now()
  const counts = async (options?: RunOptions) => countsIn((await run(program, path, options)).requests)
  const [without, having] = [await counts(), await counts({ init: scope, isResumed: true })]
  const tasked = await counts({ init: [...scope, '--task'] })
  const { results } = await run(program, path, { init: scope, steps: BUDGET_STEPS, hasCollection: true })
  const problems = [...problemsIn(program, having), ...problemsOfTask(program, tasked), ...budgetProblems(results)]
  console.log(`${problems.length > 0 ? '✗' : '✓'} ${agent} ${version} (${Date.now() - began} ms)`)
  console.log(`  without Ambit: ${JSON.stringify(without)}\n  with Ambit:    ${JSON.stringify(having)}`)
  console.log(`  with --task:   ${JSON.stringify(tasked)}`)
  for (const row of budgetRows(results)) console.log(`  ${row.join(' ')}`)
  for (const problem of problems) console.log(`  ${problem}`)
  const shown = ['MARKROOT', 'MARKNESTED', 'MARKCONTEXT'].flatMap((mark) => [
    timesOf(without, mark),
    timesOf(having, mark),
  ])
  writePage([agent, version, ...shown, timesOf(tasked, 'MARKCODE')], budgetRows(results))
  return problems.length === 0
}

/** How often a mark stands in the request before the edit. */
function timesOf(counts: Counts, mark: string): string {
  const times = counts[mark]?.at(AGAIN) ?? 0
  return ['no', 'once'][times] ?? `${times} times`
}

function writePage(row: readonly string[], budgets: readonly string[][]): void {
  const [agent = ''] = row
  const page = putRows(readFileSync(PAGE, 'utf8'), '## In the requests of real programs', [row])
  const rows = budgets.map((cells) => [agent, ...cells])
  writeFileSync(PAGE, putRows(page, '## Answers over MCP, as agents forward them', rows, 2))
}

/** A network and processes of its own: what a program leaves running ends with the script. */
const APART = ['--map-root-user', '--net', '--pid', '--fork', '--kill-child', '--mount-proc']

/** Starts this script again where there is loopback alone; undefined where the system cannot. */
function isolated(names: readonly string[]): number | undefined {
  const tools = spawnSync('unshare', [...APART, 'ip', 'link', 'set', 'lo', 'up'])
  if (tools.status !== 0) return undefined
  const line = 'ip link set lo up && exec "$0" "$@"'
  const args = [...APART, 'sh', '-c', line, process.execPath, import.meta.filename, '--isolated', ...names]
  return spawnSync('unshare', args, { stdio: 'inherit' }).status ?? 1
}

const [first, ...rest] = process.argv.slice(2)
const names = first === '--isolated' ? rest : process.argv.slice(2)
const programs = PROGRAMS.filter(({ agent }) => names.length === 0 || names.includes(agent))
if (first === '--isolated') process.exitCode = (await report(programs)) === 0 ? 0 : 1
else {
  for (const program of programs) install(program)
  const status = isolated(names)
  if (status === undefined)
    console.log('This system makes no network of its own for them: they could reach the internet.')
  process.exitCode = status ?? ((await report(programs)) === 0 ? 0 : 1)
}
