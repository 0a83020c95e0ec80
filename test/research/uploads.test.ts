import { afterAll, describe, expect, it } from 'vitest'
import { assertRoom, UPLOAD_LIMITS, uploadAt } from '../../src/research/uploads.ts'
import { SOCKET, sparse, tree } from '../support/tree.ts'
import { memoryEngine, sessionOn } from './model-run.ts'

const files = tree({
  'large.md': sparse(UPLOAD_LIMITS.file + 1),
  'full.md': sparse(UPLOAD_LIMITS.file),
  'directory/': '',
  id_rsa: '',
  socket: SOCKET,
  'loop -> loop': '',
})
afterAll(() => files[Symbol.dispose]())

const engine = memoryEngine()
const SIZE_HINT = 'Give a file of at most 25 MiB.'
const PATH_HINT = 'Give the path of a readable file.'

describe('an upload of a file of this machine', () => {
  it.each([
    ['large.md', 'over-limit', SIZE_HINT],
    ['missing.md', 'not-found', PATH_HINT],
    ['directory', 'unavailable', PATH_HINT],
    ['socket', 'unavailable', PATH_HINT],
    ['loop', 'unavailable', PATH_HINT],
    ['id_rsa', 'denied', 'Rename the file, if a model may see it.'],
  ])('of %s fails with a hint that fits', (name, code, hint) => {
    expect(() => uploadAt(files.at(name))).toThrow(expect.objectContaining({ code, hint }))
  })

  it('may have as many bytes as the limit', () => {
    expect(uploadAt(files.at('full.md')).bytes).toHaveLength(UPLOAD_LIMITS.file)
  })

  it.each([
    [26_214_400, [], ''],
    [26_214_401, [], 'The file has 26214401 bytes; at most 26214400 are accepted.'],
    [2, [104_857_598], ''],
    [2, [104_857_599], 'The files have 104857601 bytes together; at most 104857600 are accepted.'],
    [1, Array(49).fill(1), ''],
    [1, Array(50).fill(1), 'The session has 50 files, the maximum.'],
  ])('of %i bytes beside others: %#', (length, sizes: readonly number[], problem) => {
    const others = sizes.map((size) => ({ size }))
    const add = () => assertRoom({ bytes: { length } as Uint8Array }, others)
    if (problem === '') expect(add).not.toThrow()
    else expect(add).toThrow(problem)
  })

  it('is taken while its session has room, and is not over', async () => {
    const files = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}.md`, 'x']))
    const { research, id } = await sessionOn(engine, {}, files)
    const add = () => research.addFile(id, { name: 'a.md', type: '', bytes: new Uint8Array(1) })
    await expect(add()).rejects.toMatchObject({ code: 'over-limit' })
    await research.stop(id)
    await expect(add()).rejects.toMatchObject({ code: 'conflict' })
  })
})
