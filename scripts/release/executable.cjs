/**
 * The main script of the single executable. The program is an asset of the executable. It is unpacked once for each content, into
 * the user's cache, because Node cannot load a native module or start a worker from inside an executable.
 */
'use strict'

const { createHash } = require('node:crypto')
const { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { homedir } = require('node:os')
const { dirname, isAbsolute, join } = require('node:path')
const { getAsset } = require('node:sea')
const { gunzipSync } = require('node:zlib')

/** `{ "PATH": "BASE64" }` for every file of the package, as gzip. */
const packed = Buffer.from(getAsset('package'))

const digest = createHash('sha256').update(packed).digest('hex').slice(0, 32)

function cacheFolder() {
  const own = process.env.XDG_CACHE_HOME
  return own !== undefined && isAbsolute(own) ? own : join(homedir(), '.cache')
}

/** Unpacks the package, and returns its folder. If two processes unpack it at the same time, one of the results is used. */
function unpack() {
  const parent = join(cacheFolder(), 'ambit', 'executable')
  const folder = join(parent, digest)
  if (existsSync(folder)) return folder
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  const fresh = mkdtempSync(`${folder}-`)
  for (const [path, content] of Object.entries(JSON.parse(gunzipSync(packed).toString()))) {
    mkdirSync(dirname(join(fresh, path)), { recursive: true })
    writeFileSync(join(fresh, path), Buffer.from(content, 'base64'))
  }
  try {
    renameSync(fresh, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(fresh, { recursive: true, force: true })
  }
  return folder
}

/**
 * A fork of this executable takes no options of Node, so they are passed in `NODE_OPTIONS`. The child gets no other variable of
 * this process, so that it does not know where the user's files are.
 */
function forkWithOptions() {
  const processes = require('node:child_process')
  const { fork } = processes
  processes.fork = (script, args, { execArgv = [], env, ...options }) =>
    fork(script, args, { ...options, execArgv: [], env: { ...env, NODE_OPTIONS: execArgv.join(' ') } })
}

const at = process.argv.findIndex((word) => word.includes(`/${digest}/dist/cli/lazy/`))
if (process.send !== undefined && at > 0) {
  // A worker process. It may read only the program.
  process.argv.splice(1, at - 1)
  const [, script = ''] = process.argv
  createRequire(script)(script)
} else {
  forkWithOptions()
  const script = join(unpack(), 'dist/cli/bin.js')
  process.argv[1] = script
  createRequire(script)(script)
}
