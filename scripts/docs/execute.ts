/** Runs one block of a document, and compares its output with the document. */

import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Block, ConsoleBlock, ModuleBlock, Step } from './blocks.ts'
import { type Edit, matches } from './compare.ts'

/** Maximum milliseconds that a block may take. */
const TIME_LIMIT = 120_000

/** Printed after each command, before and after its exit code. */
const SEPARATOR = '\u001e'

/** The directories in which a document's blocks run. */
export interface Sandbox {
  readonly root: string
  /** Home of the commands; printed as `~`. */
  readonly home: string
  /** The working directory, the same for all blocks of a document; printed as `~/project`. */
  readonly work: string
}

export interface Outcome {
  /** Why the block failed; absent if its output is that of the document. */
  readonly problem?: string
  /** The edit that corrects the document; absent if the document is right, or if the block does not run. */
  readonly edit?: Edit
}

interface Printed {
  readonly out: string
  readonly err: string
  readonly code: number
}

/** Creates a home directory with `ambit` on the PATH, and with a project: a copy of `example`, by default empty. */
export async function openSandbox(root: string, example?: string): Promise<Sandbox> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'ambit-docs-')))
  const sandbox: Sandbox = { root, home, work: join(home, 'project') }
  await mkdir(join(home, 'bin'))
  await symlink(join(root, 'dist/cli/bin.js'), join(home, 'bin/ambit'))
  await mkdir(join(home, 'node_modules'))
  await symlink(root, join(home, 'node_modules/ambit'))
  await (example === undefined ? mkdir(sandbox.work) : cp(example, sandbox.work, { recursive: true }))
  return sandbox
}

export async function closeSandbox(sandbox: Sandbox): Promise<void> {
  await rm(sandbox.home, { recursive: true, force: true })
}

function environment({ root, home }: Sandbox): NodeJS.ProcessEnv {
  const path = [join(home, 'bin'), join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  return { PATH: path, HOME: home, LANG: 'C.UTF-8', TZ: 'UTC', NO_COLOR: '1', CI: 'true' }
}

function runCommand(
  sandbox: Sandbox,
  place: Block['place'],
  command: readonly [string, ...string[]],
): Promise<Printed> {
  const [program, ...args] = command
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: place === 'root' ? sandbox.root : sandbox.work,
      env: environment(sandbox),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIME_LIMIT,
    })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ out: readable(sandbox, out), err: readable(sandbox, err), code: code ?? 1 }))
  })
}

/** Replaces the directories of this run by their names in documents. */
function readable({ root, home }: Sandbox, text: string): string {
  return text.replaceAll(home, '~').replaceAll(root, '~/ambit')
}

function toLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

function mismatch(expected: readonly string[], actual: readonly string[]): string {
  return ['expected:', ...expected.map((line) => `  ${line}`), 'printed:', ...actual.map((line) => `  ${line}`)].join(
    '\n',
  )
}

function stepProblem(step: Step, printed: { out: string; code: string | undefined }): string | undefined {
  if (printed.code === undefined) return `$ ${step.command}\nthe shell ended before this command`
  if (printed.code !== '0')
    return `$ ${step.command}\nexit code ${printed.code} (write \`; echo $?\` if it is intended)`
  const actual = toLines(printed.out)
  return matches(step.expected, actual) ? undefined : `$ ${step.command}\n${mismatch(step.expected, actual)}`
}

/** Runs the commands of a console block in one shell, so that `cd` and variables last as they do for a reader. */
async function runConsole(sandbox: Sandbox, block: ConsoleBlock): Promise<Outcome> {
  const script = block.steps.map(({ command }) => `${command}\nprintf '${SEPARATOR}%s${SEPARATOR}' $?`).join('\n')
  const printed = await runCommand(sandbox, block.place, ['bash', '-c', script])
  const outputsAndCodes = printed.out.split(SEPARATOR)
  const outputs = block.steps.map((step, index) => ({
    step,
    out: outputsAndCodes[index * 2] ?? '',
    code: outputsAndCodes[index * 2 + 1],
  }))
  const problems = outputs.map((output) => stepProblem(output.step, output)).filter((problem) => problem !== undefined)
  if (problems.length === 0) return {}
  const text = outputs.flatMap(({ step, out }) => [
    ...`$ ${step.command.replaceAll('\n', '\n> ')}`.split('\n'),
    ...(matches(step.expected, toLines(out)) ? step.expected : toLines(out)),
  ])
  const problem = [...problems, printed.err].join('\n').trimEnd()
  return outputs.every(({ code }) => code === '0') ? { problem, edit: { lines: block.lines, text } } : { problem }
}

async function runModule(sandbox: Sandbox, block: ModuleBlock): Promise<Outcome> {
  const file = join(block.place === 'root' ? sandbox.home : sandbox.work, `block-${block.lines.start}.mts`)
  await writeFile(file, block.code)
  const printed = await runCommand(sandbox, block.place, [process.execPath, file])
  await rm(file)
  if (printed.code !== 0) return { problem: `exit code ${printed.code}\n${printed.err}`.trimEnd() }
  const actual = toLines(printed.out)
  if (block.expected === undefined || matches(block.expected, actual)) return {}
  return { problem: mismatch(block.expected, actual), edit: { lines: block.lines, text: actual } }
}

/** Runs a block. A block that cannot run has failed. */
export function runBlock(sandbox: Sandbox, block: Block): Promise<Outcome> {
  return block.kind === 'console' ? runConsole(sandbox, block) : runModule(sandbox, block)
}
