/**
 * Measures the cost of the code index: a first index, an update without changes, a whole process; on generated trees of two
 * sizes.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openCodeIndex } from '../../src/code/code-index.ts'
import { statOf } from '../../src/files/file-version.ts'
import { BIN, scratch, sizeBelow, write } from '../fixtures.ts'
import { against, bound, inTurn, medianOf, type Verdict, within } from '../harness.ts'

const HERE = fileURLToPath(new URL('../..', import.meta.url))
const SIZES = [
  { files: 2000, processMs: 1000 },
  { files: 20_000, processMs: 3000 },
]
const FIRST_MS_EACH = 5
const TASK = 'The budget of a pack is ignored when `highestRung` finds no rung that fits'
const MB = 1e6

/** A script for a process: writes its peak memory in kB to descriptor 3. */
const MEMORY = `process.on('exit', () => require('node:fs').writeSync(3, String(process.resourceUsage().maxRSS)))`

/** Measures the figures on 2,000 and on 20,000 files. */
export async function speedFigures(): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  for (const size of SIZES) verdicts.push(...(await figuresOf(size)))
  return verdicts
}

async function figuresOf({ files, processMs }: { files: number; processMs: number }): Promise<Verdict[]> {
  const at = scratch()
  try {
    const root = join(at, 'tree')
    const source = writeTree(root, files)
    const of = files.toLocaleString('en')
    const run = () => runTask(root, at)
    const first = [0, 1, 2].map(() => {
      rmSync(join(at, 'cache'), { recursive: true, force: true })
      return run()
    })
    const index = sizeBelow(join(at, 'cache'))
    const [times = []] = await inTurn([{ name: 'ambit task', run: run }], { runs: 11, warmup: 2 })
    return [
      within(
        `task: first index of ${of} files, a process`,
        first.map(({ ms }) => ms),
        files * FIRST_MS_EACH,
      ),
      bound(`task: memory of the first index of ${of} files`, medianOf(first.map(({ memory }) => memory)) / MB, {
        unit: 'MB',
        limit: 300,
      }),
      bound(`task: index of ${of} files over their source`, index / source, { unit: 'score', limit: 0.5 }),
      await unchangedLook(root, { cacheFile: join(at, 'look'), of }),
      within(`task: ambit task in ${of} files, a process`, times, processMs),
    ]
  } finally {
    rmSync(at, { recursive: true })
  }
}

/** Measures an update of an unchanged tree, compared with only the stats of its files and directories. */
async function unchangedLook(root: string, { cacheFile, of }: { cacheFile: string; of: string }): Promise<Verdict> {
  await openCodeIndex(root, { cacheFile })
  const paths = ['.', ...readdirSync(root, { recursive: true, encoding: 'utf8' })]
  const look = {
    name: 'unchanged look',
    async run() {
      const { changed } = await openCodeIndex(root, { cacheFile })
      if (changed > 0) throw new Error(`${changed} files were read again.`)
    },
  }
  const stats = {
    name: 'the stats alone',
    run: () => paths.reduce((sum, path) => sum + (statOf(`${root}/${path}`)?.size ?? 0), 0),
  }
  return against(`task: unchanged look at ${of} files`, [look, stats], { limit: 2, runs: 101, warmup: 20 })
}

/** Writes copies of this project's source, each with other names, until there are enough files. Returns the number of bytes. */
function writeTree(root: string, files: number): number {
  const texts = ['src', 'test'].flatMap((folder) => textsBelow(join(HERE, folder)))
  let bytes = 0
  mkdirSync(join(root, '.git'), { recursive: true })
  for (let index = 0; index < files; index++) {
    const [path = '', text = ''] = texts[index % texts.length] ?? []
    const round = Math.floor(index / texts.length)
    // Each copy gets its own names of several words, and so its own vocabulary.
    const copyText = text.replace(/\b[a-z]+[A-Z]\w*/g, (name) => (round === 0 ? name : `${name}Of${round}`))
    write(join(root, `part${round}`, path), copyText)
    bytes += Buffer.byteLength(copyText)
  }
  return bytes
}

function textsBelow(folder: string): (readonly [path: string, text: string])[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  return paths.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')])
}

/** Runs the program once. Returns the wall time in milliseconds and the peak memory in bytes. */
function runTask(root: string, at: string): { readonly ms: number; readonly memory: number } {
  const probe = join(at, 'probe.cjs')
  writeFileSync(probe, MEMORY)
  const env = { ...process.env, XDG_CACHE_HOME: join(at, 'cache'), XDG_STATE_HOME: join(at, 'state'), HOME: at }
  const start = performance.now()
  const { status, output } = spawnSync(process.execPath, ['-r', probe, BIN, 'task', TASK, root, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * MB,
  })
  const ms = performance.now() - start
  if (status !== 0) throw new Error(`ambit task failed: ${output[2]}`)
  return { ms, memory: Number(output[3]) * 1024 }
}
