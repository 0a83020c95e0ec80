import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, it, vi } from 'vitest'
import { refusalForError } from '../../src/files/confine.ts'
import { openDirectory } from '../../src/files/directory.ts'
import { putError } from '../../src/files/disk/directory-put.ts'
import { privateDirectory } from '../../src/files/disk/private-directory.ts'
import { makeTemporaryDirectory } from '../../src/files/file-version.ts'
import { listPages, openOnce, shareRequests } from '../../src/files/objects.ts'
import { memoryObjects } from '../support/memory-objects.ts'
import { tree } from '../support/tree.ts'
import { descriptorsBelow } from './fixtures.ts'
import { HELD_BY_SOME } from './keys.ts'
import { objectsContract } from './objects.contract.ts'

for (const [name, open] of [
  ['a directory', openDirectory],
  ['a directory of the user alone, that share requests', (path: string) => shareRequests(privateDirectory(path))],
] as const)
  objectsContract(
    name,
    async () => {
      const at = tree({}, 'ambit-objects-')
      return {
        objects: open(at.base),
        fill: async (objects) => {
          for (const [key, bytes] of objects) {
            mkdirSync(dirname(at.at(key)), { recursive: true })
            writeFileSync(at.at(key), bytes)
          }
        },
        running: () => descriptorsBelow(at.base).length,
        close: async () => {
          await expect.poll(() => descriptorsBelow(at.base)).toEqual([])
          at[Symbol.dispose]()
        },
      }
    },
    { holds: (key) => !HELD_BY_SOME.includes(key) },
  )

it.each([
  ['EACCES', 'denied', 'may not be written (EACCES).', 'may not be read: permission denied.'],
  ['EPERM', 'denied', 'may not be written (EPERM).', 'may not be read: permission denied.'],
  ['EROFS', 'denied', 'may not be written (EROFS).', 'could not be read (EROFS).'],
  ['ENOTEMPTY', 'invalid-input', 'there is a directory of this name.', 'could not be read (ENOTEMPTY).'],
  ['ENOSPC', 'unavailable', 'no space is left (ENOSPC).', 'could not be read (ENOSPC).'],
  ['EDQUOT', 'unavailable', 'no space is left (EDQUOT).', 'could not be read (EDQUOT).'],
  ['EIO', 'unavailable', 'could not be written (EIO).', 'could not be read (EIO).'],
  ['ENFILE', 'unavailable', 'could not be written (ENFILE).', 'could not be opened: too many open files (ENFILE).'],
])('a system call that fails with %s is told as that', (code, told, written, read) => {
  const failure = Object.assign(new Error('It failed.'), { code, syscall: 'write' })
  const message = expect.stringContaining(written)
  expect(putError({ uri: 'file:///d' }, 'a', failure)).toMatchObject({ code: told, message })
  expect(refusalForError(failure, 'a').detail).toBe(`a ${read}`)
})

it('an error of ours is no failure of the system', () => {
  const ours = [new TypeError('A bug.'), Object.assign(new TypeError('A bug.'), { code: 'ERR_INVALID_ARG_TYPE' })]
  for (const error of ours) expect(() => refusalForError(error, 'a')).toThrow('A bug.')
})

it('a temporary directory that cannot be made says what to set', () => {
  vi.stubEnv('TMPDIR', '/none/of/this')
  expect(() => makeTemporaryDirectory('x')).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('TMPDIR') }),
  )
  vi.unstubAllEnvs()
})

it('a listing whose pages come again is given up', async () => {
  let times = 0
  const list = async () => {
    if (++times > 9) throw new Error('It goes on.')
    return { objects: [], prefixes: [], left: [], next: String(times % 2) }
  }
  const pages = listPages({ ...memoryObjects({}), list })
  await expect(Array.fromAsync(pages)).rejects.toMatchObject({ code: 'unavailable' })
})

it('a bucket is opened once, and again after it failed or was closed', async () => {
  let times = 0
  const { open, close } = openOnce(async () => {
    if (++times === 1) throw new Error('It is gone.')
    return memoryObjects({})
  })
  await expect(open('s3://b')).rejects.toThrow('It is gone.')
  expect(await open('s3://b')).toBe(await open('s3://b'))
  await close()
  await open('s3://b')
  expect(times).toBe(3)
})
