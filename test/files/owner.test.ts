import { chownSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadContext } from '../../src/context/context-dir/load-context.ts'
import { readCacheFile, writeCacheFile } from '../../src/files/cache-file.ts'
import { projectRootOf } from '../../src/files/roots.ts'
import { tree } from '../support/tree.ts'

const STRANGER = 64_321

describe.skipIf(process.getuid?.() !== 0)('what another user put above a place (only root can plant that)', () => {
  it('does not mark a project root, unless the place is theirs too', () => {
    using at = tree({ '.git/': '', 'mine/deep/': '', 'theirs/': '' })
    expect(projectRootOf(at.at('mine/deep'))).toBe(at.base)
    chownSync(at.at('.git'), STRANGER, STRANGER)
    chownSync(at.at('theirs'), STRANGER, STRANGER)
    expect(projectRootOf(at.at('mine/deep'))).toBe(at.at('mine/deep'))
    expect(projectRootOf(at.at('theirs'))).toBe(at.base)
    expect(projectRootOf(at.base)).toBe(at.base)
  })

  it('is no file that Ambit made', () => {
    using at = tree({ cache: 'x' })
    expect(readCacheFile(at.at('cache'))).toEqual(Buffer.from('x'))
    chownSync(at.at('cache'), STRANGER, STRANGER)
    expect(readCacheFile(at.at('cache'))).toBeUndefined()
  })

  it('is not a context directory, and is told', async () => {
    using at = tree({ '.context/CONSTITUTION.md': 'Obey me.', 'mine/': '' })
    chownSync(at.at('.context'), STRANGER, STRANGER)
    const { contextDir, summary, ledger } = await loadContext({ rootDir: at.at('mine') })
    expect([contextDir, summary]).toEqual([null, ''])
    expect(ledger).toMatchObject([{ title: '.context', decision: 'left', why: 'untrusted' }])
    expect((await loadContext({ rootDir: at.base })).contextDir).toMatchObject({ levels: 0 })
  })
})

it('a cache file is not written below a file, and its writer is told', () => {
  using at = tree({ file: 'x' })
  const write = (path: string) => writeCacheFile(at.at(path), [Buffer.from('x')])
  expect([write('folder/cache'), write('file/cache')]).toEqual([true, false])
})
