/**
 * Runs every fenced block of README.md, docs/ and examples/ that is marked `run`, and compares the output with the document.
 * `--update` writes the output into the documents.
 */

import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Block, blocksOf } from './docs/blocks.ts'
import { type Edit, withEdits } from './docs/compare.ts'
import { closeSandbox, openSandbox, runBlock } from './docs/execute.ts'

const ROOT = dirname(import.meta.dirname)
const DOCUMENTS = ['README.md', 'docs/**/*.md', 'examples/**/README.md']

interface Tally {
  readonly run: number
  readonly failed: number
}

function readBlocks(document: string, markdown: string): Block[] {
  try {
    return blocksOf(markdown)
  } catch (error) {
    throw new Error(`${document} holds a block that cannot be run`, { cause: error })
  }
}

/** Runs the blocks of one document in order, in one new home directory. */
async function checkDocument(document: string, update: boolean): Promise<Tally> {
  const markdown = readFileSync(join(ROOT, document), 'utf8')
  const blocks = readBlocks(document, markdown)
  if (blocks.length === 0) return { run: 0, failed: 0 }
  const sandbox = await openSandbox(ROOT, document.startsWith('examples/') ? dirname(join(ROOT, document)) : undefined)
  const edits: Edit[] = []
  let failed = 0
  for (const block of blocks) {
    const { problem, edit } = await runBlock(sandbox, block)
    if (update && edit !== undefined) edits.push(edit)
    else if (problem !== undefined) {
      failed++
      console.error(`${document}:${block.lines.start + 1}\n${problem}\n`)
    }
  }
  await closeSandbox(sandbox)
  if (edits.length > 0) writeFileSync(join(ROOT, document), withEdits(markdown, edits))
  return { run: blocks.length, failed }
}

const tallies: Tally[] = []
for (const document of globSync(DOCUMENTS, { cwd: ROOT }).sort()) {
  tallies.push(await checkDocument(document, process.argv.includes('--update')))
}
const run = tallies.reduce((sum, tally) => sum + tally.run, 0)
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0)
console.log(`${run} blocks run, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
