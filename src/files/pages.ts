import { ContextError, throwIfAborted } from '../core/errors.ts'
import type { ListRequest, ObjectPage, Objects } from './objects.ts'

/**
 * The pages of a listing, one after the other.
 *
 * @throws ContextError `unavailable` for a service that goes in circles: its pages would not end.
 */
export async function* pagesOf(
  objects: Objects,
  request: ListRequest = {},
): AsyncGenerator<ObjectPage, void, undefined> {
  const circles = new Circles()
  let next: string | undefined
  do {
    throwIfAborted(request.signal)
    const page = await objects.list(next === undefined ? request : { ...request, token: next })
    yield page
    next = page.next
    if (next !== undefined && circles.has(next)) {
      throw new ContextError('unavailable', `${objects.uri} cannot be listed: its pages come again and again.`)
    }
  } while (next !== undefined)
}

/** Whether tokens come again. One is remembered at a time, for twice as long each time: circles of any size are noticed. */
class Circles {
  #known = ''
  #seen = 0
  #until = 1

  has(token: string): boolean {
    if (token === this.#known) return true
    if (++this.#seen === this.#until) {
      this.#known = token
      this.#until *= 2
    }
    return false
  }
}
