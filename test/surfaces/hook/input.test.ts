import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { readEvent } from '../../../src/surfaces/hook/input.ts'

/** Characters: the longest event that is read. */
const MOST = 16 * 1024 * 1024

it.each([
  ['whole at the limit', MOST, MOST],
  ['not read above it', MOST + 1, undefined],
])('an event is %s', async (_, length, read) => {
  const stdin = new PassThrough()
  const event = readEvent(stdin as unknown as NodeJS.ReadStream)
  stdin.end('x'.repeat(length))
  expect((await event)?.length).toBe(read)
})
