import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pagePaths } from '../../../bench/pages.ts'
import { copyCorpus, generatedCorpus, withChanges } from '../../../bench/search/cache.ts'
import { corpusOf } from '../../../bench/search/corpus.ts'
import { tree } from '../../support/tree.ts'

function files(count: number, seed?: number) {
  const corpus = corpusOf(seed)
  return Array.from({ length: count }, (_, index) => corpus.file(index))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

describe('the corpus that is made up', () => {
  it('is the same for the same seed, byte for byte', () => {
    expect(files(20)).toEqual(files(20))
    expect(files(20)).not.toEqual(files(20, 1))
  })

  it('is the one that the figures are about: another one needs a new edition of the cache', () => {
    const text = files(5).map((file) => `${file.path}\n${file.text}`)
    expect(sha256(text.join('\n'))).toBe('68ca6a8faf916f967b1465a620d7a92c6f8c2c38a3f42945ea31af860fe8bbfd')
  })

  it('links only to files that are there', () => {
    const all = files(150)
    const paths = new Set(all.map(({ path }) => path))
    const targets = all.flatMap(({ text }) =>
      [...text.matchAll(/\]\(\.\.\/\.\.\/(.+?)\)/g)].map(([, path = '']) => path),
    )
    expect(targets.length).toBeGreaterThan(50)
    expect(targets.filter((path) => !paths.has(path))).toEqual([])
  })

  it('has a path of its own for each file', () => {
    expect(new Set(files(500).map(({ path }) => path)).size).toBe(500)
  })
})

describe('the cache', () => {
  it('writes a corpus once', () => {
    using dir = tree({})
    const { dir: corpus, files: count, bytes } = generatedCorpus(100, dir.base)
    const [first = ''] = pagePaths(corpus)
    const { ino } = statSync(join(corpus, first))
    expect(generatedCorpus(100, dir.base)).toEqual({ dir: corpus, files: count, bytes })
    expect(statSync(join(corpus, first)).ino).toBe(ino)
    expect(count).toBe(100)
    expect(bytes).toBe(pagePaths(corpus).reduce((sum, path) => sum + readFileSync(join(corpus, path)).length, 0))
  })

  it('copies the Markdown of a folder, and leaves the folder as it is', async () => {
    using dir = tree({ 'from/a/b.md': 'text', 'from/c.txt': 'other', 'cache/': '' })
    const { dir: copy, files: count } = copyCorpus(dir.at('from'), dir.at('cache'))
    expect([pagePaths(copy), count]).toEqual([['a/b.md'], 1])
    await withChanges(copy, { percent: 100, seed: 1 }, async () => {
      expect(readFileSync(dir.at('from/a/b.md'), 'utf8')).toBe('text')
    })
  })

  it('refuses a folder without Markdown', () => {
    using dir = tree({ 'from/c.txt': '', 'cache/': '' })
    expect(() => copyCorpus(dir.at('from'), dir.at('cache'))).toThrow('holds no Markdown')
  })

  it('changes so many percent of the files, and puts them back', async () => {
    using dir = tree({})
    const { dir: corpus } = generatedCorpus(100, dir.base)
    const read = () => pagePaths(corpus).map((path) => readFileSync(join(corpus, path), 'utf8'))
    const before = read()
    const changed = await withChanges(corpus, { percent: 3, seed: 1 }, async (paths) => {
      expect(read().filter((text, at) => text !== before[at])).toHaveLength(3)
      return paths
    })
    expect(changed).toHaveLength(3)
    expect(read()).toEqual(before)
  })

  it('makes a corpus anew when changing it was interrupted', async () => {
    using dir = tree({})
    const { dir: corpus } = generatedCorpus(100, dir.base)
    const fail = () => withChanges(corpus, { percent: 1, seed: 1 }, () => Promise.reject(new Error('stopped')))
    await expect(fail()).rejects.toThrow('stopped')
    writeFileSync(join(corpus, 'left.md'), '')
    generatedCorpus(100, dir.base)
    expect(existsSync(join(corpus, 'left.md'))).toBe(false)
  })
})
