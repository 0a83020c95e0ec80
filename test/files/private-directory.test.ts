import { readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { privateDirectory } from '../../src/files/disk/private-directory.ts'
import { ownObjectsAt } from '../../src/files/object-stores.ts'
import { tree } from '../support/tree.ts'
import { keysIn } from './objects.contract.ts'

const BYTES = new Uint8Array([1, 2, 3])

describe('in a directory of the user alone, objects', () => {
  it('make no directory before there is one of them', async () => {
    using at = tree({})
    const objects = privateDirectory(at.at('objects'))
    await objects.remove('a/b')
    await objects.sweep(['a/'])
    await expect(objects.read('a/b')).rejects.toMatchObject({ code: 'not-found' })
    expect([await keysIn(objects), readdirSync(at.base)]).toEqual([[], []])
    await objects.put('a/b', BYTES)
    expect(readdirSync(at.base)).toEqual(['objects'])
  })

  it('are of their owner alone, with all the directories above them', async () => {
    using at = tree({})
    await privateDirectory(at.at('objects')).put('uploads/ab/abc', BYTES)
    const modes = ['', 'uploads', 'uploads/ab', 'uploads/ab/abc'].map((name) => statSync(at.at('objects', name)).mode)
    expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o700, 0o700, 0o600])
  })

  it('are swept of what writers that were killed left behind, where it is old', async () => {
    using at = tree({})
    const objects = privateDirectory(at.base)
    await objects.put('uploads/ab/abc', BYTES)
    const [old, fresh] = ['0', '1'].map((digit) => at.at(`uploads/ab/.ambit-put-${digit.repeat(16)}`))
    for (const path of [old, fresh]) writeFileSync(path ?? '', 'half')
    const before = new Date(Date.now() - 7_200_000)
    utimesSync(old ?? '', before, before)
    utimesSync(at.at('uploads/ab/abc'), before, before)
    await objects.sweep(['uploads/'])
    expect(readdirSync(at.at('uploads/ab')).toSorted()).toEqual([`.ambit-put-${'1'.repeat(16)}`, 'abc'])
    expect(await keysIn(objects)).toEqual(['uploads/ab/abc'])
  })

  it.each(['read', 'put', 'remove'] as const)('%s follows no link that leads outside', async (what) => {
    using at = tree({ 'outside/secret': 'the secret', 'objects/': '' })
    symlinkSync(at.at('outside'), at.at('objects/uploads'))
    const objects = privateDirectory(at.at('objects'))
    const works = {
      read: () => objects.read('uploads/secret'),
      put: () => objects.put('uploads/new', BYTES),
      remove: () => objects.remove('uploads/secret'),
    }
    await expect(works[what]()).rejects.toMatchObject({ code: 'denied' })
    expect(readdirSync(at.at('outside'))).toEqual(['secret'])
  })

  it('say what is in their way', async () => {
    using at = tree({ file: 'x' })
    await expect(privateDirectory(at.at('file')).put('a', BYTES)).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(privateDirectory(at.at('file/below')).put('a', BYTES)).rejects.toMatchObject({ code: 'unavailable' })
    const closed = privateDirectory('/etc')
    await expect(closed.put('a', BYTES)).rejects.toMatchObject({ code: 'denied' })
    await closed.close()
  })
})

it('a place of objects of our own is a directory or a bucket, as it is written', async () => {
  using at = tree({})
  expect((await ownObjectsAt(at.at('x'))).uri).toBe(`file://${at.at('x')}`)
  expect((await ownObjectsAt('s3://bucket/a/')).uri).toBe('s3://bucket/a')
  await expect(ownObjectsAt('s3:bucket')).rejects.toMatchObject({ code: 'invalid-input' })
})
