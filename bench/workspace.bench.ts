import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Workspace } from '../src/context/workspace/workspace.ts'
import { monorepo } from './fixtures.ts'
import { against, inTurn, type Verdict, within } from './harness.ts'

/** A monorepo of 10,000 directories, 500 instruction files and 5,000 touched files. */
export async function workspaceFigures(): Promise<Verdict[]> {
  const { root, paths, touched } = monorepo(10_000, 500, 5_000)
  await new Promise((resume) => setTimeout(resume, 100))
  const open = async () => {
    const workspace = await Workspace.open({ cwd: root, home: false })
    for (const path of touched) await workspace.touch(path)
    return workspace
  }
  const [first = []] = await inTurn([{ name: 'first', run: async () => (await open()).relevantContexts() }], {
    runs: 5,
    warmup: 1,
  })

  const workspace = await open()
  const files = await workspace.relevantContexts()
  const fresh = paths.filter((path) => !touched.includes(join(path, 'file.ts')))
  let next = 0
  const [one = []] = await inTurn(
    [{ name: 'one more touch', run: () => workspace.touch(join(fresh[next++] ?? root, 'new.ts')) }],
    { runs: 200, warmup: 20 },
  )

  await workspace.relevantContexts()
  const known = knownPaths(root, [...touched, ...fresh.slice(0, next).map((path) => join(path, 'new.ts'))])
  const stats = [...known.directories, ...files.map(({ path }) => path)]
  const revalidation = await against(
    'workspace: full revalidation, nothing changed, over the same stats',
    [
      { name: 'relevantContexts', run: () => workspace.relevantContexts() },
      {
        name: `${stats.length} stats`,
        run: () => stats.map((path) => statSync(path, { bigint: true, throwIfNoEntry: false })),
      },
    ],
    { limit: 1.5, runs: 20 },
  )
  rmSync(root, { recursive: true })
  return [
    within('workspace: first relevantContexts, 5,000 touched, 500 found', first, Number.POSITIVE_INFINITY),
    within('workspace: one more touch', one, 1),
    revalidation,
  ]
}

function knownPaths(root: string, touched: readonly string[]) {
  const directories = new Set([root])
  for (const path of touched) {
    for (let at = join(path, '..'); at.length > root.length; at = join(at, '..')) directories.add(at)
  }
  return { directories: [...directories] }
}
