/** An error as S3 tells it: the status, a code and a message in XML. */
export class S3Fault extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>
  /** More elements of the answer. */
  readonly details: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    more: {
      readonly headers?: Readonly<Record<string, string>>
      readonly details?: Readonly<Record<string, string>>
    } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.headers = more.headers ?? {}
    this.details = more.details ?? {}
  }
}

export function denied(message = 'Access Denied'): S3Fault {
  return new S3Fault(403, 'AccessDenied', message)
}

export function noSuchKey(key: string, headers: Readonly<Record<string, string>> = {}): S3Fault {
  return new S3Fault(404, 'NoSuchKey', 'The specified key does not exist.', { headers, details: { Key: key } })
}
