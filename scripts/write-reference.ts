/** Writes docs/reference/ and docs/schemas/, and removes files that are no longer needed. */

import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { referenceFiles } from './reference/files.ts'

const DOCS = join(dirname(import.meta.dirname), 'docs')

const files = referenceFiles()
for (const old of globSync('{reference,schemas}/**/*.*', { cwd: DOCS })) {
  if (!files.has(old)) rmSync(join(DOCS, old))
}
for (const [path, text] of files) {
  mkdirSync(dirname(join(DOCS, path)), { recursive: true })
  writeFileSync(join(DOCS, path), text)
}
