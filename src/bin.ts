#!/usr/bin/env node
/**
 * The stub that starts the program. On a Node that is too old it says so in one line and loads nothing else,
 * so what stands here keeps to syntax and imports that Node 14 understands.
 */

import { existsSync, mkdirSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import { NEEDED, runsOn } from './core/node-version.ts'

/**
 * `~/.cache/ambit/compiled`; none when it cannot be made. Made step by step: a recursive mkdir would create a home that
 * does not exist, and never ends under /proc. The usual temporary folder could be prepared by someone else, and so could
 * the current directory, which is what an empty or relative home means.
 */
function compiledFolder(): string | undefined {
  try {
    let folder = homedir()
    if (!isAbsolute(folder)) return undefined
    for (const name of ['.cache', 'ambit', 'compiled']) {
      folder = `${folder}/${name}`
      if (!existsSync(folder)) mkdirSync(folder)
    }
    return folder
  } catch {
    return undefined
  }
}

/** Keeps compiled code for the next start, which then takes less time. */
function keepCompiledCode(): void {
  const folder = compiledFolder()
  if (folder !== undefined && typeof module.enableCompileCache === 'function') module.enableCompileCache(folder)
}

if (runsOn(process.versions.node)) {
  keepCompiledCode()
  import('./main.ts').then(({ main }) => main(process.argv.slice(2)))
} else {
  process.exitCode = 1
  process.stderr.write(
    `ambit needs ${NEEDED} ` +
      'Install Node.js 24 from https://nodejs.org or with a version manager, such as `nvm install 24`.\n',
  )
}
