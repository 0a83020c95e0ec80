/** Run as a program: keeps writing to a file until a file named `stop` lies beside it. Arguments: mode, file. */
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'

/** Bytes of a state of the file; each state is one letter over and over. */
export const STATE_BYTES = 256 * 1024

const STATES = ['A', 'B'].map((letter) => Buffer.alloc(STATE_BYTES, letter))

/** What is done to the file in round `n`. */
export const MODES: Record<string, (file: string, n: number) => void> = {
  /** Overwrites it where it lies, and puts its mtime back. */
  overwrite(file, n) {
    const fd = fs.openSync(file, 'r+')
    fs.writeSync(fd, stateOf(n), 0, STATE_BYTES, 0)
    fs.closeSync(fd)
    fs.utimesSync(file, 1, 1)
  },
  /** Puts another file in its place, as editors do. */
  replace(file, n) {
    fs.writeFileSync(`${file}.new`, stateOf(n))
    fs.renameSync(`${file}.new`, file)
  },
  /** Adds a line; now and then starts anew. */
  append(file, n) {
    const fd = fs.openSync(file, 'a')
    if (n % 100 === 0) fs.ftruncateSync(fd, 0)
    else fs.writeSync(fd, 'a line of text\n')
    fs.closeSync(fd)
  },
  /** Takes it away, and puts a whole one back. */
  vanish(file, n) {
    fs.rmSync(file, { force: true })
    fs.writeFileSync(`${file}.new`, stateOf(n))
    fs.renameSync(`${file}.new`, file)
  },
}

function stateOf(n: number): Buffer {
  return STATES[n % STATES.length] ?? Buffer.alloc(0)
}

if (import.meta.main) {
  const [mode = '', file = ''] = process.argv.slice(2)
  const stop = join(dirname(file), 'stop')
  let rounds = 0
  while (!fs.existsSync(stop)) MODES[mode]?.(file, rounds++)
  process.stdout.write(String(rounds))
}
