/** Runs one block of a document, and tells what it printed. */

import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Block, ConsoleBlock, ModuleBlock, Step } from './blocks.ts'
import { type Edit, matches } from './compare.ts'

/** Longest a block may take, in milliseconds. */
const TIME_LIMIT = 120_000

/** Stands between the outputs of two commands, with the exit code of the first. */
const SEPARATOR = '\u001e'

/** The folders that a document's blocks run in. */
export interface Bench {
  readonly root: string
  /** Home of the commands; printed as `~`. */
  readonly home: string
  /** The document's working directory, kept from block to block; printed as `~/project`. */
  readonly work: string
}

export interface Outcome {
  /** Why the block failed; absent when it did what the document says. */
  readonly problem?: string
  /** What would make the document right; absent when it is right, or when the block itself is broken. */
  readonly edit?: Edit
}

interface Printed {
  readonly out: string
  readonly err: string
  readonly code: number
}

/** An empty home, with a project that is a copy of `example` when there is one, and `ambit` at hand. */
export async function openBench(root: string, example?: string): Promise<Bench> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'ambit-docs-')))
  const bench: Bench = { root, home, work: join(home, 'project') }
  await mkdir(join(home, 'bin'))
  await symlink(join(root, 'dist/cli/bin.js'), join(home, 'bin/ambit'))
  await mkdir(join(home, 'node_modules'))
  await symlink(root, join(home, 'node_modules/ambit'))
  await (example === undefined ? mkdir(bench.work) : cp(example, bench.work, { recursive: true }))
  return bench
}

export async function closeBench(bench: Bench): Promise<void> {
  await rm(bench.home, { recursive: true, force: true })
}

function environment({ root, home }: Bench): NodeJS.ProcessEnv {
  const path = [join(home, 'bin'), join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  return { PATH: path, HOME: home, LANG: 'C.UTF-8', TZ: 'UTC', NO_COLOR: '1', CI: 'true' }
}

function print(bench: Bench, place: Block['place'], command: readonly [string, ...string[]]): Promise<Printed> {
  const [program, ...args] = command
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: place === 'root' ? bench.root : bench.work,
      env: environment(bench),
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
    child.on('close', (code) => resolve({ out: readable(bench, out), err: readable(bench, err), code: code ?? 1 }))
  })
}

/** What a reader would see: the folders of this run by the names that documents give them. */
function readable({ root, home }: Bench, text: string): string {
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
  if (printed.code === undefined) return `$ ${step.command}\nthe shell ended before it`
  if (printed.code !== '0')
    return `$ ${step.command}\nexit code ${printed.code} (write \`; echo $?\` where it is meant)`
  const actual = toLines(printed.out)
  return matches(step.expected, actual) ? undefined : `$ ${step.command}\n${mismatch(step.expected, actual)}`
}

/** One shell runs all commands of a block, so that `cd` and variables last as they do for a reader. */
async function runConsole(bench: Bench, block: ConsoleBlock): Promise<Outcome> {
  const script = block.steps.map(({ command }) => `${command}\nprintf '${SEPARATOR}%s${SEPARATOR}' $?`).join('\n')
  const printed = await print(bench, block.place, ['bash', '-c', script])
  const pieces = printed.out.split(SEPARATOR)
  const outputs = block.steps.map((step, index) => ({
    step,
    out: pieces[index * 2] ?? '',
    code: pieces[index * 2 + 1],
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

async function runModule(bench: Bench, block: ModuleBlock): Promise<Outcome> {
  const file = join(block.place === 'root' ? bench.home : bench.work, `block-${block.lines.start}.mts`)
  await writeFile(file, block.code)
  const printed = await print(bench, block.place, [process.execPath, file])
  await rm(file)
  if (printed.code !== 0) return { problem: `exit code ${printed.code}\n${printed.err}`.trimEnd() }
  const actual = toLines(printed.out)
  if (block.expected === undefined || matches(block.expected, actual)) return {}
  return { problem: mismatch(block.expected, actual), edit: { lines: block.lines, text: actual } }
}

/** Runs a block. A block that cannot be run is a failure like any other. */
export function runBlock(bench: Bench, block: Block): Promise<Outcome> {
  return block.kind === 'console' ? runConsole(bench, block) : runModule(bench, block)
}
