/** Measures how many of the files and lines that a fix changed are shown by tools that pick code for a model. */

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BIN, scratch } from './fixtures.ts'
import { type BenchOptions, type Findings, medianOf } from './harness.ts'
import { meanOf } from './quality/measure.ts'
import { grepRanking } from './quality/rankers/ripgrep.ts'
import { STOP_WORDS, wordsOf } from './quality/words.ts'
import { type FixTask, fixTasks } from './task/fix-commits.ts'
import { Repository } from './task/repository.ts'

const BUDGET = 8000
/** Tokens are counted as Ambit counts them: four bytes each. */
const BYTES = 4
const TASKS_EACH = 8

/** A tool: the text that a model would read of a tree, for a task. */
interface Peer {
  readonly name: string
  /** Maximum tokens of its text that count. The tool may keep the limit itself. */
  readonly budget: number
  show(tree: string, task: string): string
}

interface PeerShare {
  readonly files: number
  readonly lines: number
  readonly tokens: number
  readonly ms: number
}

export async function peersFigures({ folders = [], peers }: BenchOptions): Promise<Findings> {
  const root = scratch()
  try {
    const tools = peersIn(peers, root)
    const shares = new Map(tools.map(({ name }) => [name, [] as PeerShare[]]))
    const names: string[] = []
    for (const folder of folders) {
      const repository = new Repository(folder, root)
      names.push(repository.name.replace('+', '/'))
      for (const task of fixTasks(repository, TASKS_EACH)) {
        repository.checkOut(task.parent)
        const gold = goldOf(repository.tree, task)
        for (const tool of tools) shares.get(tool.name)?.push(shareOf(tool, repository.tree, { task, gold }))
      }
    }
    const count = shares.get('ambit task')?.length ?? 0
    const title = `What is shown of ${count} fixes of ${names.join(', ')}`
    const rows = [...shares].map(([name, all]) => [
      name,
      meanOf(all.map(({ files }) => files)).toFixed(3),
      meanOf(all.map(({ lines }) => lines)).toFixed(3),
      meanOf(all.map(({ tokens }) => tokens)).toFixed(0),
      `${medianOf(all.map(({ ms }) => ms)).toFixed(0)} ms`,
    ])
    return { verdicts: [], tables: [{ title, note: NOTE, columns: COLUMNS, rows }] }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const NOTE = `The task is the message of the fix. Of the files that it changed the share that is named, and of the lines that it changed the share that stands in the
text; tokens of the text, of ${BUDGET} at most; the time of a process, with what it keeps of the commit before.`
const COLUMNS = ['tool', 'files named', 'changed lines shown', 'tokens', 'median time']

function peersIn(folder: string | undefined, root: string): readonly Peer[] {
  const repomix = folder && join(folder, 'node_modules/repomix/bin/repomix.cjs')
  const python = folder && join(folder, 'venv/bin/python')
  return [
    {
      name: 'ambit task',
      budget: BUDGET,
      show: (tree, task) =>
        outputOf(process.execPath, [BIN, 'task', '-', tree, '--budget', `${BUDGET}`], { input: task, cache: root }),
    },
    { name: 'ripgrep, whole files by their words', budget: BUDGET, show: showGrep },
    ...(repomix && existsSync(repomix) ? repomixPeers(repomix, root) : []),
    ...(python && existsSync(python)
      ? [
          {
            name: "aider's map",
            budget: BUDGET,
            show: (tree: string, task: string) =>
              outputOf(python, [join(import.meta.dirname, 'peers/aider-map.py'), tree, `${BUDGET}`], {
                input: task,
                cache: root,
              }),
          },
        ]
      : []),
  ]
}

/** Repomix takes no task. Its pack is measured both cut to the budget and whole. */
function repomixPeers(bin: string, root: string): readonly Peer[] {
  const show = (tree: string) =>
    outputOf(process.execPath, [bin, '--stdout', '--style', 'markdown', tree], { input: '', cache: root })
  return [
    { name: 'repomix, cut', budget: BUDGET, show },
    { name: 'repomix, whole', budget: Number.POSITIVE_INFINITY, show },
  ]
}

function showGrep(tree: string, task: string): string {
  const words = [...new Set(wordsOf(task))].filter((word) => word.length > 2 && !STOP_WORDS.has(word))
  let text = ''
  for (const path of grepRanking(tree, words)) {
    text += `## ${path}\n${readFileSync(join(tree, path), 'utf8')}\n`
    if (text.length > BUDGET * BYTES) break
  }
  return text
}

function outputOf(
  program: string,
  args: readonly string[],
  { input, cache }: { readonly input: string; readonly cache: string },
): string {
  const env = { ...process.env, XDG_CACHE_HOME: join(cache, 'cache') }
  const { stdout, stderr, status } = spawnSync(program, args, { input, env, encoding: 'utf8', maxBuffer: 1 << 30 })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr}`)
  return stdout
}

/** The texts of the lines that the fix changed, without lines such as a single bracket. */
function goldOf(tree: string, { files }: FixTask): ReadonlyMap<string, readonly string[]> {
  return new Map(
    files.map(({ path, lines }) => {
      const all = readFileSync(join(tree, path), 'utf8').split('\n')
      return [path, lines.map((line) => all[line - 1]?.trim() ?? '').filter((line) => /\w.*\w/.test(line))]
    }),
  )
}

function shareOf(
  tool: Peer,
  tree: string,
  { task, gold }: { readonly task: FixTask; readonly gold: ReadonlyMap<string, readonly string[]> },
): PeerShare {
  const began = performance.now()
  const all = tool.show(tree, task.task)
  const ms = performance.now() - began
  const bytes = Buffer.from(all)
  const text = bytes.subarray(0, Math.min(bytes.length, tool.budget * BYTES)).toString()
  const shownLines = new Set(text.split('\n').map((line) => line.replace(/^[│⋮█ \t]+/, '').trim()))
  const lines = [...gold.values()].flat()
  return {
    files: meanOf([...gold.keys()].map((path) => (text.includes(path) ? 1 : 0))),
    lines: lines.length === 0 ? 1 : meanOf(lines.map((line) => (shownLines.has(line) ? 1 : 0))),
    tokens: Buffer.byteLength(text) / BYTES,
    ms,
  }
}
