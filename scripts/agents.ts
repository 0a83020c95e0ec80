/**
 * Runs real coding agents against a scripted model on loopback, with and without Ambit's hooks, and looks at the requests that they
 * send: `npm run agents [-- NAME …]`. Programs are installed into .cache/agents, versions pinned; where the system can, they run
 * in a network that has loopback alone.
 */

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Step, scriptedModel } from './agents/model.ts'
import { type Ground, PROGRAMS, type Program, writeSettings } from './agents/programs.ts'

const ROOT = dirname(import.meta.dirname)
const CACHE = join(ROOT, '.cache', 'agents')
const AMBIT = join(ROOT, 'dist', 'cli', 'bin.js')

/** Milliseconds after which a program is ended. */
const PATIENCE_MS = 120_000

/** What stands in which file: each word once, so that it can be counted. */
const FILES = {
  'AGENTS.md': '# Project\n\nMARKROOT: the build is run by make.\n',
  'CLAUDE.md': '# Claude\n\nMARKCLAUDE: as for all.\n',
  'packages/a/AGENTS.md': '# Package a\n\nMARKNESTED: tabs, not spaces.\n',
  'packages/a/src/x.ts': 'export const x = 1\n',
  '.context/CONVENTIONS.md': '# Conventions\n\n- MARKCONTEXT: errors have codes.\n',
}

const SHELLS = ['Bash', 'shell_command', 'exec_command', 'shell', 'run_shell_command', 'bash']

/** First a shell's `cat` of a file below, then the same again. */
const STEPS: readonly Step[] = ['cat packages/a/src/x.ts', 'head -1 packages/a/src/x.ts'].map((command) => ({
  tools: SHELLS,
  values: { command, cmd: command },
}))

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

/** One run of a program; with Ambit, it is set up as a person would. */
async function run(program: Program, path: string, withAmbit: boolean): Promise<Counts> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-agents-')))
  const model = await scriptedModel(STEPS)
  try {
    const { home, project, env } = prepare(base)
    const ground: Ground = { home, project, url: model.url }
    if (withAmbit)
      execFileSync(process.execPath, [AMBIT, 'init', '--agent', program.agent, '--write'], { cwd: project, env })
    writeSettings(program, ground)
    const output = await started(path, program.args, { cwd: project, env: { ...env, ...program.env(ground) } })
    if (model.requests.length === 0) throw new Error(`${program.agent} asked no model:\n${output.slice(-2000)}`)
    return countsIn(model.requests)
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
    child.on('close', () => {
      clearTimeout(timer)
      resolve(output)
    })
  })
}

function countsIn(requests: readonly string[]): Counts {
  const marks = ['MARKROOT', 'MARKNESTED', 'MARKCONTEXT']
  return Object.fromEntries(marks.map((mark) => [mark, requests.map((text) => text.split(mark).length - 1)]))
}

/** What must hold with Ambit: the start has what applies, the second request the nested file, and nothing comes twice. */
function problemsIn({ MARKROOT = [], MARKNESTED = [], MARKCONTEXT = [] }: Counts): string[] {
  const problems = [
    MARKROOT[0] === 1 || `the root's AGENTS.md stands ${MARKROOT[0]} times in the first request`,
    MARKCONTEXT[0] === 1 || `the context directory stands ${MARKCONTEXT[0]} times in the first request`,
    MARKNESTED[0] === 0 || 'the nested AGENTS.md stands in the first request',
    MARKNESTED[1] === 1 || `the nested AGENTS.md stands ${MARKNESTED[1]} times in the second request`,
    MARKNESTED[2] === 1 || `the nested AGENTS.md stands ${MARKNESTED[2]} times in the third request`,
  ]
  return problems.filter((problem) => problem !== true)
}

async function report(programs: readonly Program[]): Promise<number> {
  let failed = 0
  for (const program of programs) {
    const path = install(program)
    const began = Date.now()
    const [without, having] = [await run(program, path, false), await run(program, path, true)]
    const problems = problemsIn(having)
    failed += problems.length > 0 ? 1 : 0
    console.log(`${problems.length > 0 ? '✗' : '✓'} ${program.agent} ${program.version} (${Date.now() - began} ms)`)
    console.log(`  without Ambit: ${JSON.stringify(without)}\n  with Ambit:    ${JSON.stringify(having)}`)
    for (const problem of problems) console.log(`  ${problem}`)
  }
  return failed
}

/** Starts this script again where there is loopback alone; undefined where the system cannot. */
function isolated(names: readonly string[]): number | undefined {
  const tools = spawnSync('unshare', ['-rn', 'ip', 'link', 'set', 'lo', 'up'])
  if (tools.status !== 0) return undefined
  const line = 'ip link set lo up && exec "$0" "$@"'
  const args = ['-rn', 'sh', '-c', line, process.execPath, import.meta.filename, '--isolated', ...names]
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
