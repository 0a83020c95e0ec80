import { describe, expect, it } from 'vitest'
import type { Objects } from '../../src/files/objects.ts'
import { Registries, type RegistryScope } from '../../src/quilt/registries.ts'

const COLLECTIONS = [
  { name: 'lab', root: '/srv/lab' },
  { name: 'mine', root: 's3://held' },
]

/** Opens nothing, and notes what was asked for. */
function around(within: RegistryScope) {
  const opened: string[] = []
  const open = async (root: string) => {
    opened.push(root)
    return { uri: root } as Objects
  }
  return { opened, registries: new Registries({ collections: async () => COLLECTIONS, open }, within) }
}

describe('a registry that is named as a bucket', () => {
  it.each([
    ['a directory that is a collection of that name', 'lab', '/srv/lab', { collection: 'lab' }],
    ['the bucket of a collection', 'held', 's3://held', { bucket: 'held' }],
    ['a bucket whose name another collection has', 'mine', 's3://mine', { bucket: 'mine' }],
    ['any other bucket', 'away', 's3://away', { bucket: 'away' }],
  ])('is %s', async (_, bucket, root, name) => {
    const { registries, opened } = around('anywhere')
    expect((await registries.find({ bucket })).name).toEqual(name)
    expect(opened).toEqual([root])
  })

  it('is a local collection also where no other bucket may be asked', async () => {
    const { registries } = around('collections')
    expect((await registries.find({ bucket: 'lab' })).name).toEqual({ collection: 'lab' })
    await expect(registries.find({ bucket: 'away' })).rejects.toMatchObject({ code: 'denied' })
  })
})
