import { describe, expect, it } from 'vitest'
import {
  asContextError,
  ContextError,
  hintOf,
  loadPackage,
  NoSpace,
  orElse,
  throwIfAborted,
} from '../../src/core/errors.ts'
import { toProblem } from '../../src/surfaces/http/problem.ts'

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

describe('orElse', () => {
  it('takes the other result for what was refused, but neither for what was cancelled nor for a bug', async () => {
    const refused = (error: Error) => orElse(Promise.reject(error), ({ code }) => code)
    expect(await orElse(Promise.resolve(1), () => 2)).toBe(1)
    expect(await refused(new ContextError('denied', 'No.'))).toBe('denied')
    await expect(refused(new ContextError('cancelled', 'No.'))).rejects.toThrow('No.')
    await expect(refused(new TypeError('bug'))).rejects.toThrow('bug')
  })
})

it.each([
  ['not installed', Object.assign(new Error('no'), { code: 'ERR_MODULE_NOT_FOUND' }), { code: 'unavailable' }],
  ['broken', new TypeError('bug'), { message: 'bug' }],
])('a package that is %s is told as that', async (_, error, told) => {
  await expect(loadPackage(() => Promise.reject(error), 'It needs ajv', 'ajv')).rejects.toMatchObject(told)
})

const failed = (code: string, cause?: unknown) =>
  Object.assign(new Error(`${code}: /secret/place`, { cause }), { code, syscall: 'open' })

describe('what the system refuses because of the machine', () => {
  it.each([
    ['EMFILE', 503, 'ulimit -n'],
    ['ENFILE', 503, 'limit'],
    ['ENOSPC', 507, 'space'],
    ['EDQUOT', 507, 'space'],
    ['EROFS', 503, 'written'],
    ['EIO', 503, 'disk'],
    ['ENOMEM', 503, 'memory'],
    ['EAGAIN', 503, 'ulimit -u'],
  ])('%s is told as a limit of it, also behind another error, and names no path', (code, status, hint) => {
    for (const error of [failed(code), new Error('outside', { cause: failed(code) })]) {
      const problem = toProblem(error)
      expect(problem).toMatchObject({ status, hint: expect.stringContaining(hint) })
      expect(JSON.stringify(problem)).not.toMatch(/bug|secret/)
    }
  })

  it('is of no other error: ours is as it is, a bug is one', () => {
    const own = new ContextError('denied', 'No.')
    expect([
      asContextError(own),
      asContextError(failed('EBADF')),
      asContextError(new TypeError('x', { cause: own })),
    ]).toEqual([own, undefined, undefined])
    expect(asContextError(failed('ENOSPC'))).toBeInstanceOf(NoSpace)
  })
})
