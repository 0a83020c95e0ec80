/**
 * Measures one watch of a tree in its own process: `child.ts collection|workspace watches|polling ROOT`. Reads the names of
 * instruction files from stdin, one in each watched directory. Prints the figures as JSON.
 */

import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { setTimeout } from 'node:timers/promises'

const IDLE_MS = 20_000
const EDITS = 5

const [what = '', way = '', root = ''] = process.argv.slice(2)
const files = fs.readFileSync(0, 'utf8').split('\n')

if (way === 'polling') {
  fs.watch = () => {
    throw Object.assign(new Error('System limit for number of file watchers reached'), { code: 'ENOSPC' })
  }
  syncBuiltinESMExports()
}

/** A watch: how to start it, what it does once a minute, and how to wait for a change. */
interface MeasuredWatch {
  readonly begin: () => Promise<unknown>
  readonly each: () => Promise<unknown>
  readonly changed: () => Promise<unknown>
}

async function collection(): Promise<MeasuredWatch> {
  const { ChangeWatcher } = await import('../../src/ingest/indexing/watch.ts')
  const { walkTree } = await import('../../src/ingest/indexing/tree.ts')
  const changes = new ChangeWatcher()
  const tree = { root, patterns: [], exclude: [] }
  return {
    begin: () => changes.watch([tree]),
    // `ambit watch` checks all files every one to ten minutes.
    each: () => walkTree(tree),
    changed: () => changes.next(60_000),
  }
}

async function workspace(): Promise<MeasuredWatch> {
  const { Workspace } = await import('../../src/context/workspace/workspace.ts')
  const watched = await Workspace.open({ cwd: root, home: false })
  for (const path of files) await watched.touch(path)
  await watched.prompt()
  let notify = () => {}
  return {
    begin: () => watched.watch(() => notify()),
    each: () => watched.prompt(),
    changed: () => new Promise<void>((resolve) => (notify = resolve)),
  }
}

const { begin, each, changed } = what === 'collection' ? await collection() : await workspace()
const before = process.memoryUsage().rss
const start = performance.now()
await begin()
const ready = performance.now() - start
const idle = await cpuOf(() => setTimeout(IDLE_MS))
const memory = process.memoryUsage().rss - before
const latencies: number[] = []
for (let edit = 0; edit < EDITS; edit++) {
  await setTimeout(2000)
  const noticed = changed()
  const at = performance.now()
  fs.writeFileSync(files[(edit * 997) % files.length] ?? '', `# Edit ${edit} ${at}\n`)
  await noticed
  latencies.push(performance.now() - at)
}
const latency = latencies.sort((a, b) => a - b)[Math.floor(EDITS / 2)]
const minute = idle * (60_000 / IDLE_MS) + (await cpuOf(each))
console.log(JSON.stringify({ ready, memory: memory / 1e6, minute, latency }))
process.exit()

/** Milliseconds of processor time that this process uses for the work. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const from = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000
}
