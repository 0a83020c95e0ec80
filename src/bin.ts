#!/usr/bin/env node
/**
 * Starts the program. If Node.js is too old, prints one line and loads nothing else. Therefore this file uses only syntax and
 * imports that Node 14 understands.
 */

import { REQUIRED_NODE, runsOn } from './core/node-version.ts'
import { CompiledFiles, compiledFolder, QUICK_COMMANDS } from './start.ts'

/** A hash of all files of the program, which the build inserts. */
declare const BUILD_HASH: string | undefined

/**
 * The commands of main.ts that are started most often. They run from the cache of `CompiledFiles`, like the commands of
 * quick-main.ts.
 */
const CACHED_COMMANDS: readonly string[] = ['index', 'search']

/** Runs a command line with as little code as it needs, and caches compiled code so that the next start is faster. */
function start(argv: readonly string[]): void {
  const folder = compiledFolder()
  const [command = ''] = argv
  const asksForHelp = argv.includes('--help') || argv.includes('-h')
  const isQuick = QUICK_COMMANDS.includes(command) && !asksForHelp
  const isCached = isQuick || (CACHED_COMMANDS.includes(command) && !asksForHelp)
  if (isCached && folder !== undefined && typeof BUILD_HASH !== 'undefined') {
    const files = new CompiledFiles(folder, `${command}-${BUILD_HASH}`)
    if (isQuick) (files.require(`${import.meta.dirname}/quick-main.js`) as QuickModule).quickMain(argv)
    else (files.require(`${import.meta.dirname}/main.js`) as MainModule).main(argv)
  } else if (isQuick) import('./quick-main.ts').then(({ quickMain }) => quickMain(argv))
  else {
    if (folder !== undefined) process.getBuiltinModule('node:module').enableCompileCache(folder)
    import('./main.ts').then(({ main }) => main(argv))
  }
}

type QuickModule = typeof import('./quick-main.ts')
type MainModule = typeof import('./main.ts')

if (runsOn(process.versions.node)) start(process.argv.slice(2))
else {
  process.exitCode = 1
  process.stderr.write(
    `ambit needs ${REQUIRED_NODE} ` +
      'Install Node.js 24 from https://nodejs.org or with a version manager, such as `nvm install 24`.\n',
  )
}
