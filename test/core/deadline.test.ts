import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Deadline } from '../../src/core/steps.ts'

it('a deadline fires when its time is over', async () => {
  using late = new Deadline(1)
  expect(late.isOver).toBe(false)
  await expect.poll(() => late.isOver).toBe(true)
  expect(late.signal.reason).toMatchObject({ name: 'TimeoutError' })
})

it('a deadline fires with others, whichever is first', async () => {
  const other = new AbortController()
  using late = new Deadline(1)
  using never = new Deadline(1e9)
  expect(never.or(undefined)).toBe(never.signal)
  const [first, second] = [late.or(other.signal, undefined), never.or(other.signal)]
  await expect.poll(() => first.aborted).toBe(true)
  expect([second.aborted, other.signal.aborted]).toEqual([false, false])
  other.abort()
  expect([second.aborted, never.isOver]).toEqual([true, false])
})

it('a deadline that is disposed of does not fire', async () => {
  const late = new Deadline(1)
  late[Symbol.dispose]()
  await setTimeout(30)
  expect(late.isOver).toBe(false)
})
