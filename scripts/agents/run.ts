/** Installs published coding agents, and runs them against a scripted model. */

import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { prepareCollection } from './budgets.ts'
import { type ScriptedModel, type Step, startScriptedModel } from './model.ts'
import { type Program, type RunPlace, writeSettings } from './programs.ts'

const ROOT = dirname(dirname(import.meta.dirname))
const CACHE = join(ROOT, '.cache', 'agents')
/** The built program. */
export const AMBIT = join(ROOT, 'dist', 'cli', 'bin.js')

/** How long a program may run. */
const TIME_LIMIT_MS = 300_000

export function install({ agent, package: name, version, bin }: Program): string {
  const prefix = join(CACHE, `${agent}-${version}`)
  const path = join(prefix, 'node_modules', '.bin', bin)
  if (existsSync(path)) return path
  mkdirSync(prefix, { recursive: true })
  writeFileSync(join(prefix, 'package.json'), '{ "private": true }\n')
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', `${name}@${version}`], { cwd: prefix })
  return path
}

/** Creates a repository, a home directory, and an `ambit` on the PATH. */
function prepare(base: string): {
  readonly home: string
  readonly project: string
  readonly env: Record<string, string>
} {
  const [home, project, bin] = ['home', 'project', 'bin'].map((name) => join(base, name))
  if (!home || !project || !bin) throw new Error('A directory is missing.')
  for (const directory of [home, project, bin]) mkdirSync(directory, { recursive: true })
  writeFileSync(join(bin, 'ambit'), `#!/bin/sh\nexec '${process.execPath}' '${AMBIT}' "$@"\n`, { mode: 0o755 })
  const env = { PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, HOME: home, LANG: 'C.UTF-8' }
  execFileSync('git', ['init', '-q', '.'], { cwd: project, env })
  return { home, project, env }
}

export interface RunOptions {
  /** Fills the project, and says what the model does there. */
  readonly fill: (project: string) => readonly Step[]
  /** Arguments for `ambit init`, which sets the program up as a person would. Default: no setup. */
  readonly init?: readonly string[]
  /** Whether there is a collection to search. Default: false. */
  readonly hasCollection?: boolean
  /** Whether a second run resumes the session, if the program can do that. Default: false. */
  readonly isResumed?: boolean
}

type ModelLog = Pick<ScriptedModel, 'requests' | 'results' | 'steps' | 'after'>

/** Runs a program once. Returns the requests that its model received. */
export async function runAgent(
  program: Program,
  path: string,
  { init, fill, hasCollection = false, isResumed = false }: RunOptions,
): Promise<ModelLog> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-agents-')))
  const { home, project, env } = prepare(base)
  const model = await startScriptedModel(fill(project))
  try {
    const place: RunPlace = { home, project, url: model.url }
    if (init)
      execFileSync(process.execPath, [AMBIT, 'init', '--agent', program.agent, '--write', ...init], {
        cwd: project,
        env,
      })
    if (hasCollection) prepareCollection(project, [process.execPath, AMBIT], env)
    writeSettings(program, place)
    const options = { cwd: project, env: { ...env, ...program.env(place), ...(hasCollection && program.mcpEnv) } }
    const setUpOutput = program.setUp && (await runProgram(path, program.setUp(place), options))
    const output = `${setUpOutput ?? ''}${await runProgram(path, program.args, options)}`
    if (isResumed && program.resume) {
      const count = model.requests.length
      const resumed = await runProgram(path, program.resume, options)
      if (model.requests.length === count) throw new Error(`${program.agent} was not resumed:\n${resumed.slice(-2000)}`)
    }
    if (model.requests.length === 0)
      throw new Error(`${program.agent} sent no request to its model:\n${output.slice(-2000)}`)
    return model
  } finally {
    await model.close()
    rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

function runProgram(
  path: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const timer = setTimeout(() => child.kill('SIGKILL'), TIME_LIMIT_MS)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    // Not `close`: processes that the program leaves running may hold its streams.
    child.on('exit', (_, signal) => {
      clearTimeout(timer)
      if (signal === 'SIGKILL') reject(new Error(`${path} did not end:\n${output.slice(-2000)}`))
      else resolve(output)
    })
  })
}
