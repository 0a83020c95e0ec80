import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** What a browser keeps from the beginning of a sign-in to its end, and nobody else can read, change or make. */
export interface Begun {
  readonly state: string
  readonly nonce: string
  /** The secret half of PKCE. */
  readonly verifier: string
  /** Milliseconds since 1970. */
  readonly at: number
}

const ALGORITHM = 'aes-256-gcm'
const IV = 12
const TAG = 16

/** Seals with a key of this process. */
export class Seal {
  readonly #key = randomBytes(32)

  sealed(begun: Begun): string {
    const iv = randomBytes(IV)
    const cipher = createCipheriv(ALGORITHM, this.#key, iv)
    const body = Buffer.concat([cipher.update(JSON.stringify(begun), 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
  }

  /** Undefined for what was not sealed here, or was changed. */
  opened(text: string): Begun | undefined {
    const bytes = Buffer.from(text, 'base64url')
    if (bytes.length <= IV + TAG) return undefined
    try {
      const decipher = createDecipheriv(ALGORITHM, this.#key, bytes.subarray(0, IV), { authTagLength: TAG })
      decipher.setAuthTag(bytes.subarray(IV, IV + TAG))
      return JSON.parse(`${decipher.update(bytes.subarray(IV + TAG), undefined, 'utf8')}${decipher.final('utf8')}`)
    } catch {
      return undefined
    }
  }
}
