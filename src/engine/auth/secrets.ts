/** Secrets of tokens and cookies. The store has only their hashes. */

import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, in characters for a URL, a header and a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Whether a text has the form of a secret. */
export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/** SHA-256, hex. A fast hash is safe, because nobody can guess the 256 random bits of a secret. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Prefix of every token. Scanners of repositories recognize it. A string without it is refused without a query. */
const TOKEN_PREFIX = 'ambit_'

export function newTokenSecret(): string {
  return `${TOKEN_PREFIX}${newSecret()}`
}

/** Whether a text has the form of a token. */
export function isTokenSecret(text: string): boolean {
  return text.startsWith(TOKEN_PREFIX) && isSecret(text.slice(TOKEN_PREFIX.length))
}
