/** Secrets of tokens: made here, and only ever kept as a hash. */

import { createHash, randomBytes } from 'node:crypto'

/** What every secret begins with: scanners of repositories know it, and what is none costs no look into the database. */
const PREFIX = 'ambit_'

const FORM = /^ambit_[\w-]{43}$/

/** 256 random bits in a text that can stand in a header. */
export function newTokenSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`
}

/** 128 random bits: unlike all others, and no secret. Older ones have 64, and are good. */
export function newTokenId(): string {
  return randomBytes(16).toString('hex')
}

/** Whether it may be one of ours. */
export function isTokenSecret(text: string): boolean {
  return FORM.test(text)
}

/**
 * SHA-256, hex. A slow hash protects passwords, which people choose and others guess; nobody guesses 256 random bits,
 * and each request pays for the hash.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
