import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/engine/config.ts'
import { tree } from '../../support/tree.ts'

const FILE = '.config/ambit/config.yaml'

async function configOf(environment: Readonly<Record<string, string>>, file = '', mode = 0o600) {
  using planted = tree(file === '' ? {} : { [FILE]: file })
  if (file !== '') chmodSync(join(planted.base, FILE), mode)
  return await readConfig({ HOME: planted.base, ...environment })
}

const FILED = 'search: brave\nsearchKey: filed\n'

describe('the search service', () => {
  it.each<[string, Record<string, string>, string, object | undefined]>([
    ['none where none is set', {}, '', undefined],
    ['none where only its key is', { AMBIT_SEARCH_KEY: 'k' }, '', undefined],
    ['one with a key', { AMBIT_SEARCH: 'tavily', AMBIT_SEARCH_KEY: 'k' }, '', { provider: 'tavily', key: 'k' }],
    [
      'one at a place',
      { AMBIT_SEARCH: 'searxng', AMBIT_SEARCH_URL: 'http://127.0.0.1:8888' },
      '',
      { provider: 'searxng', url: 'http://127.0.0.1:8888' },
    ],
    ['one of the file', {}, FILED, { provider: 'brave', key: 'filed' }],
    [
      'that of the environment before that of the file',
      { AMBIT_SEARCH: 'exa', AMBIT_SEARCH_KEY: 'k' },
      FILED,
      { provider: 'exa', key: 'k' },
    ],
  ])('is %s', async (_, environment, file, expected) => {
    const { search, unknown } = await configOf(environment, file)
    expect([search, unknown]).toEqual([expected, []])
  })

  it.each([
    ['a name that is none', { AMBIT_SEARCH: 'google' }, '', 0o600, 'is "google", which is none'],
    ['no key', { AMBIT_SEARCH: 'serper' }, '', 0o600, 'serper has no key'],
    ['a key that others may read', {}, FILED, 0o644, 'brave has no key'],
    ['no place', { AMBIT_SEARCH: 'searxng' }, '', 0o600, 'searxng has no URL'],
    [
      'a place that is none',
      { AMBIT_SEARCH: 'searxng', AMBIT_SEARCH_URL: 'localhost:8' },
      '',
      0o600,
      '"localhost:8" as its URL',
    ],
    [
      'a password in its place',
      { AMBIT_SEARCH: 'searxng', AMBIT_SEARCH_URL: 'http://me:sesame@h' },
      '',
      0o600,
      'a password in it',
    ],
    ['a key that no header holds', { AMBIT_SEARCH: 'exa', AMBIT_SEARCH_KEY: 'sesame\n' }, '', 0o600, 'cannot be sent'],
    ['a number for a name', {}, 'search: 7\n', 0o600, '"search" must be a text'],
  ])('is refused with %s', async (_, environment, file, mode, message) => {
    const error = await configOf(environment, file, mode).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining(message),
      hint: expect.any(String),
    })
    expect(String(error)).not.toContain('sesame')
  })
})

describe('this machine', () => {
  it.each([
    [{}, undefined],
    [{ AMBIT_ALLOW_LOOPBACK: '1' }, true],
    [{ AMBIT_ALLOW_LOOPBACK: '0' }, undefined],
    [{ AMBIT_ALLOW_LOOPBACK: 'true' }, undefined],
  ])('may be asked for pages with %j: %s', async (environment, allowed) => {
    expect((await configOf(environment)).allowLoopback).toBe(allowed)
  })

  it('may not be by a word in the file', async () => {
    expect(await configOf({}, 'allowLoopback: true\n')).toMatchObject({ unknown: ['allowLoopback'] })
  })
})
