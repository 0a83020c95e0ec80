import { chmodSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/engine/config.ts'
import { openWith } from '../../../src/open.ts'
import { tree } from '../../support/tree.ts'

const FILE = '.config/ambit/config.yaml'
const URL_TOLD = 'postgres://ambit@db.example/ambit'
const WITH_PASSWORD = 'postgres://ambit:s3cret@db.example/ambit'

async function configOf(environment: Readonly<Record<string, string>>, file = '', mode = 0o600) {
  using planted = tree(file === '' ? {} : { [FILE]: file })
  if (file !== '') chmodSync(planted.at(FILE), mode)
  return await readConfig({ HOME: planted.base, ...environment })
}

describe('the database', () => {
  it.each<[string, Record<string, string>, string, object | undefined]>([
    ['a file where no server is set', {}, '', undefined],
    ['a file where the setting is empty', { AMBIT_DATABASE_URL: '' }, 'databaseUrl: ""\n', undefined],
    ['that of the environment', { AMBIT_DATABASE_URL: URL_TOLD }, '', { url: URL_TOLD }],
    ['that of the file', {}, `databaseUrl: ${WITH_PASSWORD}\n`, { url: WITH_PASSWORD }],
    [
      'that of the environment before that of the file',
      { AMBIT_DATABASE_URL: URL_TOLD },
      `databaseUrl: ${WITH_PASSWORD}\n`,
      { url: URL_TOLD },
    ],
  ])('is %s', async (_, environment, file, expected) => {
    const { database, unknown } = await configOf(environment, file)
    expect([database, unknown]).toEqual([expected, []])
  })

  it.each([
    ['a password in its URL', WITH_PASSWORD],
    ['a password behind its URL', `${URL_TOLD}?password=s3cret`],
    ['what is not a URL', 'ambit:s3cret@db'],
  ])('is not used where others may read the file, and it has %s', async (_, url) => {
    const config = await configOf({}, `databaseUrl: "${url}"\n`, 0o644)
    const opening = openWith(config).library()
    await expect(opening).rejects.toMatchObject({ code: 'denied', hint: expect.stringContaining('chmod 600') })
    await expect(opening).rejects.not.toThrow('s3cret')
  })

  it('is used where others may read the file, and it has no password', async () => {
    expect((await configOf({}, `databaseUrl: ${URL_TOLD}\n`, 0o644)).database).toEqual({ url: URL_TOLD })
  })

  it('is refused where it is not text', async () => {
    await expect(configOf({}, 'databaseUrl: 5\n')).rejects.toMatchObject({ code: 'invalid-input' })
  })
})

describe('the heartbeat of workers', () => {
  it.each<[Record<string, string>, string, number | undefined]>([
    [{}, '', undefined],
    [{ AMBIT_HEARTBEAT: '2' }, '', 2_000],
    [{ AMBIT_HEARTBEAT: '2.5' }, 'heartbeat: 30\n', 2_500],
    [{}, 'heartbeat: 30\n', 30_000],
  ])('told by %j and %j is %s', async (environment, file, expected) => {
    const { heartbeatMs, unknown } = await configOf(environment, file)
    expect([heartbeatMs, unknown]).toEqual([expected, []])
  })

  it.each(['0', '0.9', '601', 'often', '-5'])('is not %s seconds', async (told) => {
    await expect(configOf({ AMBIT_HEARTBEAT: told })).rejects.toMatchObject({ code: 'invalid-input' })
  })
})
