/** Run as a program with few descriptors allowed: reads when none are left, and again when they are back. Argument: root. */
import { closeSync, openSync } from 'node:fs'
import { openRoot } from '../../src/files/disk.ts'

const root = openRoot(process.argv[2] ?? '')
const answers: unknown[] = []
const ask = () => answers.push(root.read('AGENTS.md').ok || root.read('AGENTS.md'), root.list('.').ok || root.list('.'))

ask()
const held: number[] = []
try {
  for (;;) held.push(openSync('/dev/null', 'r'))
} catch {
  ask()
}
for (const fd of held) closeSync(fd)
ask()
process.stdout.write(JSON.stringify(answers))
