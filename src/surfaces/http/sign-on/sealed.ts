import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** State that a browser keeps during a sign-in; only the server can read, change or make it. */
export interface PendingSignIn {
  readonly state: string
  readonly nonce: string
  /** The secret half of PKCE. */
  readonly verifier: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** The page to return to. */
  readonly to: string
}

const ALGORITHM = 'aes-256-gcm'
const KEY = 32
const IV = 12
const TAG = 16
const SALT = 32
const PURPOSE = 'ambit: a sign-in that was begun'

/**
 * Seals with a key that is had in common, and what only those know who ask the provider. Each time with another key that is made
 * of them: one key for all would be used up by whoever begins often enough.
 */
export class Seal {
  readonly #key: () => Promise<Uint8Array>
  readonly #secret: string

  /** `key`: 256 random bits. Default: those of this one alone. */
  constructor(key?: () => Promise<Uint8Array>, secret = '') {
    const own = randomBytes(KEY)
    this.#key = key ?? (async () => own)
    this.#secret = secret
  }

  async sealed(begun: PendingSignIn): Promise<string> {
    const salt = randomBytes(SALT)
    const [key, iv] = await this.#keysOf(salt)
    const cipher = createCipheriv(ALGORITHM, key, iv)
    const body = Buffer.concat([cipher.update(JSON.stringify(begun), 'utf8'), cipher.final()])
    return Buffer.concat([salt, cipher.getAuthTag(), body]).toString('base64url')
  }

  /** Undefined for what was not sealed with this key, or was changed. */
  async opened(text: string): Promise<PendingSignIn | undefined> {
    const bytes = Buffer.from(text, 'base64url')
    if (bytes.length <= SALT + TAG) return undefined
    const [key, iv] = await this.#keysOf(bytes.subarray(0, SALT))
    try {
      const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG })
      decipher.setAuthTag(bytes.subarray(SALT, SALT + TAG))
      return JSON.parse(`${decipher.update(bytes.subarray(SALT + TAG), undefined, 'utf8')}${decipher.final('utf8')}`)
    } catch {
      return undefined
    }
  }

  async #keysOf(salt: Uint8Array): Promise<readonly [key: Buffer, iv: Buffer]> {
    const known = Buffer.concat([await this.#key(), Buffer.from(this.#secret)])
    const bytes = Buffer.from(hkdfSync('sha256', known, salt, PURPOSE, KEY + IV))
    return [bytes.subarray(0, KEY), bytes.subarray(KEY)]
  }
}
