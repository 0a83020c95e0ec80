/** Run as a program: command lines, one after the other, in one process. Before each stands a line `@@` and its number. */

import { readFileSync, writeSync } from 'node:fs'
import { openWith } from '../../src/open.ts'
import { operations } from '../../src/operations/index.ts'
import { runCli } from '../../src/surfaces/cli/cli.ts'

const [list = '', db = ''] = process.argv.slice(2)
const open = async () => openWith({ file: undefined, unknown: [], home: false, db })

for (const [at, argv] of (JSON.parse(readFileSync(list, 'utf8')) as string[][]).entries()) {
  writeSync(1, `\n@@ ${at}\n`)
  const code = await runCli({ argv, commands: operations, runners: {}, debug: false, plain: true, open })
  writeSync(1, `\n@@ code ${code}\n`)
}
