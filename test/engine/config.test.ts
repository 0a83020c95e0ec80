import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig, readToken } from '../../src/engine/config.ts'
import { ROOT, readSources } from '../source-files.ts'
import { tree } from '../support/tree.ts'
import { homeWith } from './config/home.ts'

describe('the token of the server', () => {
  it('is none where nobody chose one', async () => {
    using planted = tree({})
    expect(await readToken({ HOME: planted.base })).toBeUndefined()
    expect(await readToken({ HOME: planted.base, AMBIT_TOKEN: '' })).toBeUndefined()
  })

  it('comes from the environment, before the file', async () => {
    using planted = homeWith('token: from-the-file\n')
    expect(await readToken({ HOME: planted.base })).toBe('from-the-file')
    expect(await readToken({ HOME: planted.base, AMBIT_TOKEN: 'from-outside' })).toBe('from-outside')
  })

  it.each([0o644, 0o640, 0o604, 0o666])('is not taken from a file that others may read: %o', async (mode) => {
    using planted = homeWith('token: from-the-file\n', mode)
    await expect(readToken({ HOME: planted.base })).rejects.toMatchObject({
      code: 'denied',
      hint: expect.stringContaining('chmod 600'),
    })
    expect(await readToken({ HOME: planted.base, AMBIT_TOKEN: 'from-outside' })).toBe('from-outside')
  })

  it.each(['two words', 'línea', 'a\nb', '\u0000'])('is not %j, which no header holds', async (token) => {
    using planted = tree({})
    await expect(readToken({ HOME: planted.base, AMBIT_TOKEN: token })).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('is not a number, which YAML would have changed', async () => {
    using planted = homeWith('token: 007\n')
    await expect(readToken({ HOME: planted.base })).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('is a name that the configuration file may hold, and no part of the configuration', async () => {
    using planted = homeWith('token: from-the-file\n')
    const config = await readConfig({ HOME: planted.base })
    expect(config.unknown).toEqual([])
    expect(JSON.stringify(config)).not.toContain('from-the-file')
  })
})

describe('settings of research', () => {
  const read = async (research: string) => {
    using planted = homeWith(`research: ${research}\n`)
    return (await readConfig({ HOME: planted.base })).research
  }

  it('are read, and those that are not given have their defaults', async () => {
    const given = { models: { report: 'm' }, budget: { calls: 3 }, quota: { sessions: 2 }, contextInQueries: true }
    expect(await read(JSON.stringify(given))).toEqual(given)
    expect(await read('{}')).toEqual({ models: {}, budget: {}, quota: {}, contextInQueries: false })
  })
})

describe('the page of the configuration', () => {
  /** Some names are put together of how they begin: those are told by an underscore or a name at the end. */
  const parts = ['AMBIT_EMBEDDING', 'AMBIT_RERANK', 'AMBIT_OIDC_']

  it('has a row for every variable that is read', () => {
    const told = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
    const named = new Set(told.flatMap((line) => line.split('|')[1]?.match(/AMBIT_[A-Z0-9_]+/g) ?? []))
    const read = new Set(readSources('src').flatMap(({ text }) => text.match(/\bAMBIT_[A-Z0-9_]+/g) ?? []))
    expect([...read].filter((name) => !named.has(name) && !parts.includes(name))).toEqual([])
    for (const part of parts) expect([...named].filter((name) => name.startsWith(part)).length).toBeGreaterThan(2)
    expect([...named].filter((name) => !read.has(name) && !parts.some((part) => name.startsWith(part)))).toEqual([])
  })
})
