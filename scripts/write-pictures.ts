/** Draws docs/images/terminal.svg: what `ambit demo` shows in a terminal of 80 columns. */

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { terminalPicture } from './docs/terminal-picture.ts'

const ROOT = resolve(import.meta.dirname, '..')

const command = `stty cols 80; '${process.execPath}' '${join(ROOT, 'dist/cli/bin.js')}' demo`
const env = { PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm-256color' }
const printed = execFileSync('script', ['-qec', command, '/dev/null'], { env, encoding: 'utf8' })
writeFileSync(join(ROOT, 'docs/images/terminal.svg'), terminalPicture(printed.replaceAll('\r\n', '\n'), 80))
