import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { isInBounds, runInBounds } from '../../src/files/root-path.ts'

type BoundsModule = typeof import('../../src/files/root-path.ts')

const kept = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-bounds-')))
afterAll(() => rmSync(kept, { recursive: true }))

it('work is kept to directories by every copy of the module, as the program has one in each of its files', async () => {
  const address = '../../src/files/root-path.ts?copy'
  const copy = (await import(/* @vite-ignore */ address)) as BoundsModule
  expect(copy.isInBounds).not.toBe(isInBounds)
  runInBounds([kept], () => {
    expect(copy.isInBounds(join(kept, 'a.md'))).toBe(true)
    expect(copy.isInBounds('/etc/hostname')).toBe(false)
    copy.runInBounds(['/etc'], () => expect(isInBounds(join(kept, 'a.md'))).toBe(false))
  })
  expect(copy.isInBounds('/etc/hostname')).toBe(true)
})
