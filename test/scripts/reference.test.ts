import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { API_TYPES, referenceFiles } from '../../scripts/reference/files.ts'

const DOCS = join(import.meta.dirname, '../../docs')
const files = referenceFiles()

describe('the reference (npm run reference)', () => {
  it.each([...files.keys()])('has docs/%s as the source says it', (path) => {
    expect(readFileSync(join(DOCS, path), 'utf8')).toBe(files.get(path))
  })

  it('has nothing else', () => {
    const documents = [...files.keys()].filter((path) => path !== API_TYPES)
    expect(globSync('{reference,schemas}/**/*.*', { cwd: DOCS }).sort()).toEqual(documents.sort())
  })
})
