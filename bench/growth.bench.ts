import { rmSync } from 'node:fs'
import { loadContext } from '../src/context/context-dir/load-context.ts'
import { Workspace } from '../src/context/workspace/workspace.ts'
import { contextProject, monorepo } from './fixtures.ts'
import { inTurn, medianOf, timingOf, type Verdict } from './harness.ts'

/** How the cost grows with the number of files: 1 is in proportion. */
export async function growthFigures(): Promise<Verdict[]> {
  return [
    await exponent(
      'growth: loadContext, 10 → 100 → 1,000 files, all fits',
      [10, 100, 1000],
      contextDirectory(10_000_000),
    ),
    await exponent('growth: loadContext, 10 → 100 → 1,000 files, cut to 8000', [10, 100, 1000], contextDirectory(8000)),
    await exponent('growth: workspace, 50 → 500 → 5,000 directories and files', [50, 500, 5000], async (files) => {
      const { root, touched } = monorepo(files, files, files)
      const run = async () => {
        const workspace = await Workspace.open({ cwd: root, home: false })
        for (const path of touched) await workspace.touch(path)
        await workspace.relevantContexts()
      }
      return { run, root }
    }),
  ]
}

function contextDirectory(tokenBudget: number) {
  return async (files: number) => {
    const root = contextProject(files, files * 4000)
    return { run: () => loadContext({ rootDir: root, tokenBudget }), root }
  }
}

type Prepare = (files: number) => Promise<{ run(): Promise<unknown>; root: string }>

async function exponent(figure: string, sizes: readonly number[], prepare: Prepare): Promise<Verdict> {
  const medians: number[] = []
  let last: readonly number[] = []
  for (const size of sizes) {
    const { run, root } = await prepare(size)
    const [times = []] = await inTurn([{ name: figure, run }], { runs: 5, warmup: 2 })
    medians.push(medianOf(times))
    last = times
    rmSync(root, { recursive: true })
  }
  const [first = 1] = medians
  const value = Math.log10((medians.at(-1) ?? 1) / first) / Math.log10((sizes.at(-1) ?? 1) / (sizes[0] ?? 1))
  return { figure, measured: timingOf(figure, last), value, unit: 'exponent', limit: 1.15, held: value <= 1.15 }
}
