/** Writes `plugins/` and the lists of plugins, and removes files that are no longer needed. */

import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pluginFiles } from './plugins/files.ts'

const ROOT = dirname(import.meta.dirname)

const files = pluginFiles()
for (const old of globSync('plugins/*/{*,.*,*/*,.*/*,*/*/*}.*', { cwd: ROOT })) {
  if (!files.has(old)) rmSync(join(ROOT, old))
}
for (const [path, text] of files) {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true })
  writeFileSync(join(ROOT, path), text)
}
