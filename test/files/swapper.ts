/**
 * Run as a program: keeps exchanging what is inside a root for a link that leads outside, until `stop` lies in the base.
 * Arguments: what to swap; the base, which holds `proj/swapped` (a directory) and `proj/link` (a link to one outside).
 */
import { existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { INSIDE } from './fixtures.ts'

const [what = '', base = ''] = process.argv.slice(2)
const at = (name: string) => join(base, 'proj', name)

const SWAPS: Record<string, () => void> = {
  directory() {
    renameSync(at('swapped'), at('aside'))
    renameSync(at('link'), at('swapped'))
    renameSync(at('swapped'), at('link'))
    renameSync(at('aside'), at('swapped'))
  },
  pipe() {
    renameSync(at('file'), at('file.aside'))
    renameSync(at('pipe'), at('file'))
    renameSync(at('file'), at('pipe'))
    renameSync(at('file.aside'), at('file'))
  },
  leaf() {
    symlinkSync('../outside/secret.md', at('leaf.new'))
    renameSync(at('leaf.new'), at('leaf.md'))
    writeFileSync(at('leaf.new'), INSIDE)
    renameSync(at('leaf.new'), at('leaf.md'))
  },
}

const stop = join(base, 'stop')
let swaps = 0
while (!existsSync(stop)) {
  for (let round = 0; round < 100; round++) SWAPS[what]?.()
  swaps += 100
}
rmSync(stop)
process.stdout.write(String(swaps))
