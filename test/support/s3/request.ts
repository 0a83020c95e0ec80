import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { S3Fault } from './fault.ts'

/** A request, taken apart as it was sent: names and values are decoded, nothing is normalised. */
export interface S3Request {
  readonly method: string
  /** Decoded; begins with a slash. */
  readonly path: string
  readonly query: ReadonlyMap<string, string>
  readonly headers: IncomingHttpHeaders
  /** Of the path, or of the host where that is `bucket.…`; `''` for the service itself. */
  readonly bucket: string
  readonly key: string
}

/** @throws S3Fault for what is not UTF-8. */
export function parsed(message: IncomingMessage, host: string): S3Request {
  const url = message.url ?? '/'
  const mark = url.indexOf('?')
  const path = decoded(mark === -1 ? url : url.slice(0, mark))
  const query = new Map<string, string>()
  for (const part of mark === -1 ? [] : url.slice(mark + 1).split('&')) {
    const equals = part.indexOf('=')
    if (part !== '')
      query.set(
        decoded(equals === -1 ? part : part.slice(0, equals)),
        equals === -1 ? '' : decoded(part.slice(equals + 1)),
      )
  }
  const { method = '', headers } = message
  return { method, path, query, headers, ...placeOf(path, headers.host ?? '', host) }
}

function placeOf(path: string, asked: string, host: string): Pick<S3Request, 'bucket' | 'key'> {
  if (asked !== host && asked.endsWith(`.${host}`)) {
    return { bucket: asked.slice(0, -host.length - 1), key: path.slice(1) }
  }
  const slash = path.indexOf('/', 1)
  return slash === -1
    ? { bucket: path.slice(1), key: '' }
    : { bucket: path.slice(1, slash), key: path.slice(slash + 1) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new S3Fault(400, 'InvalidURI', "Couldn't parse the specified URI.")
  }
}

/** Percent-encoded by the rules of the signature: all but letters, digits and `-._~`. */
export function encoded(text: string, keep = ''): string {
  return [...Buffer.from(text, 'utf8')]
    .map((byte) => {
      const char = String.fromCharCode(byte)
      return /[\w.~-]/.test(char) || keep.includes(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}
