/** The log of a server: a line of JSON for each event, on stderr. */

import { ContextError } from '../../core/errors.ts'
import type { AnsweredRequest } from './http-parts.ts'

interface LogParts {
  /** Whether to log stack traces. */
  readonly debug: boolean
  /** Secrets that are removed from every line. */
  readonly secrets: readonly string[]
  /** Writes a line. Default: to stderr. */
  write?(line: string): void
}

/** Patterns of secrets anywhere in a message. */
const SECRET_PATTERNS = [
  /\bambit_[\w-]{20,}/g,
  /\b(bearer|basic) +[\w.~+/=-]{8,}/gi,
  /\bsk-[\w-]{16,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /(?<=:\/\/)[^\s/@]+@/g,
  /(?<=(?:key|token|secret|password|passwd|pwd)["']?\s{0,9}[=:]\s{0,9}["']?)[^\s"',;&]+/gi,
]

const HIDDEN = '[hidden]'

/** Maximum characters of a message. An error may quote a whole text. */
const MAX_MESSAGE_LENGTH = 500

export class Log {
  readonly #parts: LogParts

  constructor(parts: LogParts) {
    this.#parts = parts
  }

  /** Logs a request by the template of its route, without its address, headers and body. */
  logRequest({ ms, ...request }: AnsweredRequest): void {
    this.logEvent('request', { ...request, ms: Math.round(ms * 10) / 10 })
  }

  logBug(error: unknown, where: string): void {
    const message = error instanceof Error ? error.message : String(error)
    const stack = this.#parts.debug && error instanceof Error ? { stack: error.stack } : {}
    this.#writeLine('error', 'internal', { where, message: message.slice(0, MAX_MESSAGE_LENGTH), ...stack })
  }

  /** Logs that something the server needs is unavailable and will be retried. */
  logUnavailable(error: unknown, where: string): void {
    if (error instanceof ContextError) {
      const { message, hint, cause } = error
      const why = cause instanceof Error && cause.message !== '' ? ` ${cause.message}` : ''
      const shown = `${message}${why}`.slice(0, MAX_MESSAGE_LENGTH)
      this.#writeLine('error', 'unavailable', { where, message: shown, ...(hint && { hint }) })
    } else this.logBug(error, where)
  }

  logEvent(event: string, values: Readonly<Record<string, unknown>>): void {
    this.#writeLine('info', event, values)
  }

  #writeLine(level: 'info' | 'error', event: string, values: Readonly<Record<string, unknown>>): void {
    const { write = (line) => void process.stderr.write(line) } = this.#parts
    const clean = (value: unknown) => (typeof value === 'string' ? this.#hideSecrets(value) : value)
    const cleaned = Object.entries(values).map(([name, value]) => [name, clean(value)])
    write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...Object.fromEntries(cleaned) })}\n`)
  }

  #hideSecrets(text: string): string {
    const secrets = this.#parts.secrets.filter((secret) => secret.length > 3)
    const textWithoutSecrets = secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text)
    return SECRET_PATTERNS.reduce((rest, pattern) => rest.replace(pattern, HIDDEN), textWithoutSecrets)
  }
}
