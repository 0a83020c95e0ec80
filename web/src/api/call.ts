import { type Operations, type Problem, READING } from './schema.ts'

export type Name = keyof Operations
export type Input<One extends Name> = Operations[One]['input']
export type Answer<One extends Name> = Operations[One]['answer']

/** Names of operations that change nothing. */
export type ReadOperation = { [One in Name]: Operations[One]['reads'] extends true ? One : never }[Name]

/** A failed request. The code is that of the server's error, or `unreachable` if the server did not answer. */
export class Failure extends Error {
  readonly code: Problem['code'] | 'unreachable'
  /** What to do about the error. */
  readonly hint: string | undefined
  readonly status: number

  constructor({ code, detail, hint, status }: Pick<Problem, 'detail' | 'hint' | 'status'> & { code: Failure['code'] }) {
    super(detail)
    this.code = code
    this.hint = hint
    this.status = status
  }

  /** For a request that the server did not answer. */
  static unreachable(): Failure {
    return new Failure({
      code: 'unreachable',
      status: 0,
      detail: 'The server does not answer.',
      hint: 'Is "ambit serve" still running? This page continues when it is back.',
    })
  }

  /** Whether the server did not answer. */
  get isUnreachable(): boolean {
    return this.code === 'unreachable'
  }

  /** Whether this browser is signed out. */
  get isSignedOut(): boolean {
    return this.status === 401
  }
}

/** Maximum characters of a URL. A longer input is sent in the body of a POST request. */
const MAX_URL_LENGTH = 4000

/** Calls an operation. @throws Failure */
export async function call<One extends Name>(
  name: One,
  input: Input<One>,
  signal?: AbortSignal | null,
): Promise<Answer<One>> {
  const response = await fetchOrThrow(requestOf(name, input), { signal: signal ?? null })
  return response.json()
}

/** Sends a request. @throws Failure if there is no response, or if the response is an error */
export async function fetchOrThrow(request: Request, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(request, init).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw Failure.unreachable()
  })
  if (response.ok) return response
  throw await failureOf(response)
}

/** Fetches a JSON value. @throws Failure */
export async function fetchJson<Body>(path: string, init?: RequestInit): Promise<Body> {
  return (await fetchOrThrow(new Request(path, init))).json()
}

/** Options of a POST request that sends a value as JSON. */
export function postJson(value: object): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) }
}

async function failureOf(response: Response): Promise<Failure> {
  const isProblem = /problem\+json/.test(response.headers.get('content-type') ?? '')
  if (isProblem) return new Failure((await response.json()) as Problem)
  const detail = `The server answered ${response.status}.`
  return new Failure({ code: 'unavailable', status: response.status, detail, hint: 'Try again.' })
}

/** A GET request if the URL can carry the input; else a POST request. */
export function requestOf(name: Name, input: object): Request {
  const address = READING.has(name) ? addressOf(name, input) : undefined
  if (address !== undefined && address.length <= MAX_URL_LENGTH) return new Request(address)
  return new Request(`/api/${name}`, postJson(input))
}

/** The URL with the input as its query. Undefined for a list of one item with a comma: the server would read several items. */
function addressOf(name: Name, input: object): string | undefined {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(input)) {
    if (value === undefined) continue
    const texts = Array.isArray(value) ? value.map(String) : [String(value)]
    if (Array.isArray(value) && texts.length === 1 && texts[0]?.includes(',')) return undefined
    for (const word of texts) query.append(key, word)
  }
  return query.size === 0 ? `/api/${name}` : `/api/${name}?${query}`
}
