import { describe, expect, it } from 'vitest'
import { ContextError, hintOf, throwIfAborted } from '../../src/core/errors.ts'

describe('a context error', () => {
  it('has a code, a message, and a hint and a cause where they are given', () => {
    const cause = new Error('disk')
    const error = new ContextError('unavailable', 'It failed.', { hint: 'Try again.', cause })
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: 'ContextError',
      code: 'unavailable',
      message: 'It failed.',
      hint: 'Try again.',
      cause,
    })
    const bare = new ContextError('denied', 'No.')
    expect([bare.hint, bare.cause]).toEqual([undefined, undefined])
  })
})

describe('the hint for programs', () => {
  it('is that of the error, or what its code asks for', () => {
    expect(hintOf(new ContextError('denied', 'No.', { hint: 'Ask somebody.' }))).toBe('Ask somebody.')
    expect(hintOf(new ContextError('denied', 'No.'))).toBe('Check the permissions, or name another place.')
  })
})

describe('throwIfAborted', () => {
  it('throws `cancelled` with the reason, only when the signal has fired', () => {
    const controller = new AbortController()
    throwIfAborted()
    throwIfAborted(controller.signal)
    controller.abort('enough')
    expect(() => throwIfAborted(controller.signal)).toThrow(
      expect.objectContaining({ code: 'cancelled', cause: 'enough' }),
    )
  })
})
