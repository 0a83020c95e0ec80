import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { contextProject } from './fixtures.ts'
import { against, bound, inTurn, medianOf, type Subject, type Verdict } from './harness.ts'

const BIN = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))

/** The program as a process, beside a Node that does nothing. */
export async function startUpFigures(): Promise<Verdict[]> {
  const root = contextProject(10, 20_000)
  const empty = program('node -e 0', ['-e', '0'], root)
  const load = (budget: number) =>
    program(`ambit load, budget ${budget}`, [BIN, 'load', '--no-home', '--budget', `${budget}`], root)
  const verdicts = [
    await against('start-up: load, all fits, over node -e 0', [load(20_000), empty], { limit: 1.5, runs: 25 }),
    await against('start-up: load, cut, over node -e 0', [load(1000), empty], { limit: 2.5, runs: 25 }),
    await against('start-up: --help, over node -e 0', [program('ambit --help', [BIN, '--help'], root), empty], {
      limit: 2,
      runs: 25,
    }),
    await demoFigure(root),
  ]
  rmSync(root, { recursive: true })
  return verdicts
}

/** What `npm start` shows a newcomer. */
async function demoFigure(cwd: string): Promise<Verdict> {
  const [demo = []] = await inTurn([program('ambit demo', [BIN, 'demo'], cwd)], { runs: 5, warmup: 1 })
  return bound('start-up: demo', medianOf(demo), { unit: 'ms', limit: 3000 })
}

function program(name: string, args: readonly string[], cwd: string): Subject {
  return {
    name,
    run() {
      const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
      if (status !== 0) throw new Error(`${name} failed: ${stderr}`)
    },
  }
}
