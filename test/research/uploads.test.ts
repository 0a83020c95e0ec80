import { afterAll, describe, expect, it } from 'vitest'
import { UPLOAD_LIMITS, uploadAt } from '../../src/research/uploads.ts'
import { SOCKET, sparse, tree } from '../support/tree.ts'

const files = tree({
  'large.md': sparse(UPLOAD_LIMITS.file + 1),
  'full.md': sparse(UPLOAD_LIMITS.file),
  'directory/': '',
  socket: SOCKET,
  'loop -> loop': '',
})
afterAll(() => files[Symbol.dispose]())

const SIZE_HINT = 'Give a file of at most 25 MiB.'
const PATH_HINT = 'Give the path of a readable file.'

describe('an upload of a file of this machine', () => {
  it.each([
    ['large.md', 'over-limit', SIZE_HINT],
    ['missing.md', 'not-found', PATH_HINT],
    ['directory', 'unavailable', PATH_HINT],
    ['socket', 'unavailable', PATH_HINT],
    ['loop', 'unavailable', PATH_HINT],
  ])('of %s fails with a hint that fits', (name, code, hint) => {
    expect(() => uploadAt(files.at(name))).toThrow(expect.objectContaining({ code, hint }))
  })

  it('may have as many bytes as the limit', () => {
    expect(uploadAt(files.at('full.md')).bytes).toHaveLength(UPLOAD_LIMITS.file)
  })
})
