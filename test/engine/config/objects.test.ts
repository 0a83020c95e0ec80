import { chmodSync } from 'node:fs'
import { homedir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { objectsOf, readConfig } from '../../../src/engine/config.ts'
import { tree } from '../../support/tree.ts'

/** What the environment and a file say of where uploads are. */
async function placeOf(environment: Readonly<Record<string, string>>, file?: string) {
  using at = tree(file === undefined ? {} : { '.config/ambit/config.yaml': file })
  if (file !== undefined) chmodSync(at.at('.config/ambit/config.yaml'), 0o600)
  const config = await readConfig({ HOME: at.base, ...environment })
  const place = objectsOf(config)
  return place && { ...place, root: place.root.replace(at.base, '~') }
}

const POSTGRES = { AMBIT_DATABASE_URL: 'postgres://user@db.example/ambit' }

describe('the place of uploads', () => {
  it.each<[string, Record<string, string>, string, boolean]>([
    ['beside the database of the user', {}, '~/.local/share/ambit/ambit.db.objects', false],
    ['beside another database', { AMBIT_DB: '/srv/a.db' }, '/srv/a.db.objects', false],
    ['with the data of the user', { XDG_DATA_HOME: '/srv/data' }, '/srv/data/ambit/ambit.db.objects', false],
    ['a directory', { AMBIT_OBJECTS: '/srv/objects' }, '/srv/objects', false],
    ['a directory in the home of the user', { AMBIT_OBJECTS: '~/objects' }, `${homedir()}/objects`, false],
    ['a bucket', { AMBIT_OBJECTS: 's3://bucket/of/ambit' }, 's3://bucket/of/ambit', false],
    ['of this machine alone beside PostgreSQL', POSTGRES, '~/.local/share/ambit/objects', true],
    ['a bucket beside PostgreSQL', { ...POSTGRES, AMBIT_OBJECTS: 's3://bucket' }, 's3://bucket', false],
    ['a directory that all share', { ...POSTGRES, AMBIT_OBJECTS: '/mnt/shared' }, '/mnt/shared', false],
    ['beside the other one', { ...POSTGRES, AMBIT_DB: ':memory:' }, '~/.local/share/ambit/objects', true],
  ])('is %s', async (_, environment, root, isHereAlone) => {
    expect(await placeOf(environment)).toEqual({ root, isHereAlone })
  })

  it('is in the file, unless the environment says another', async () => {
    const file = 'objects: s3://filed/a\n'
    expect(await placeOf({}, file)).toMatchObject({ root: 's3://filed/a' })
    expect(await placeOf({ AMBIT_OBJECTS: '/srv/told' }, file)).toMatchObject({ root: '/srv/told' })
    await expect(placeOf({}, 'objects: 7\n')).rejects.toMatchObject({
      code: 'invalid-input',
      hint: expect.stringContaining('objects: s3'),
    })
  })

  it.each([
    'http://user:secret@127.0.0.1:9000/bucket',
    'https://s3.example/bucket',
    'file:///srv/objects',
    'GS://bucket',
  ])('is not an address of another kind, which would be a directory by that name: %s', async (address) => {
    await expect(readConfig({ AMBIT_OBJECTS: address })).rejects.toMatchObject({
      code: 'invalid-input',
      message: `Files cannot be kept at an address of ${address.split(':')[0]}.`,
      hint: expect.stringContaining('s3://BUCKET'),
    })
  })

  it.each<[string, Record<string, string>]>([
    ['a database in memory', { AMBIT_DB: ':memory:' }],
    ['a database in memory, whatever else is said', { AMBIT_DB: ':memory:', AMBIT_OBJECTS: 's3://bucket' }],
  ])('is none for %s, which keeps them itself', async (_, environment) => {
    expect(await placeOf(environment)).toBeUndefined()
  })

  it('is a name that the file may hold', async () => {
    using at = tree({ '.config/ambit/config.yaml': 'objects: /srv/objects\n' })
    expect((await readConfig({ HOME: at.base })).unknown).toEqual([])
  })
})
