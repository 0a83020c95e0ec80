/** The URL of a service that is set. */

import type { ContextError } from '../../core/errors.ts'

interface UrlRefusal {
  /** What to set. */
  readonly hint: string
  /** Where a password belongs. */
  readonly instead: string
  error(problem: string, hint: string): ContextError
}

/** @throws ContextError `error` for what is no URL of HTTP, or holds a password. What stands before an `@` may be one, and is not shown. */
export function assertServiceUrl(url: string, { hint, instead, error }: UrlRefusal): void {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw error(`has ${JSON.stringify(url.replace(/^.*@/s, '…@'))} as its URL`, hint)
  }
  const { username, password } = new URL(url)
  if (username + password !== '') throw error('has a URL with a password in it', instead)
}
