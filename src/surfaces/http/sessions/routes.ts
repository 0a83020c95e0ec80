/** Research sessions over HTTP, with uploads, runs and events, which are not operations. */

import { ContextError, invalidInput, quoteValue } from '../../../core/errors.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { Research } from '../../../research/research.ts'
import { REPORT_FORMATS } from '../../../research/settings.ts'
import { UPLOAD_LIMITS, type Upload } from '../../../research/uploads.ts'
import { decodeUri } from '../../../text/paths.ts'
import { jsonBody, jsonResponse, readLimitedBody, streamResponse } from '../body.ts'
import { type EventLimits, eventStream, iteratorFeed } from '../events/event-stream.ts'
import { methodRefusal } from '../guard.ts'
import type { ConnectedRequest, TakeSlot } from '../http-parts.ts'
import { NOT_FOUND, refuse } from '../problem.ts'
import { newSessionInputs, REPORT_TYPES, sessionPaths } from './openapi.ts'
import { eventText, frameEvents } from './stream.ts'

interface SessionParts {
  readonly engine: Engine
  readonly limits: EventLimits
  /** Maximum bytes of a JSON body. */
  readonly maxBodyBytes: number
  readonly closing: AbortSignal | undefined
  /** Takes a slot for an open stream. */
  readonly takeStreamSlot: TakeSlot
  /** Takes a slot for an upload. Parallel uploads are limited, because each may be in memory completely. */
  readonly takeBodySlot: TakeSlot
  /**
   * Maximum number of missed events that a reconnecting client gets. A client that missed more gets a snapshot. Default: 2,000.
   */
  readonly maxMissed?: number
}

const MAX_MISSED = 2000

const FINAL_STATES = ['completed', 'stopped', 'quarantined']

/** Returns a response, a value for JSON, or nothing for an empty response. */
type SessionHandler = (research: Research, ask: ConnectedRequest, ids: readonly string[]) => Promise<unknown>

/** The paths of the OpenAPI document as patterns. `names`: by method, the name of the handler in `SessionRoutes`. */
const ROUTES = Object.entries(sessionPaths()).map(([path, endpoints]) => ({
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}$`),
  names: new Map(
    Object.entries(endpoints).map(([method, one]) => [method.toUpperCase(), one.operationId.replace('sessions.', '')]),
  ),
}))
/** Answers /api/sessions and all paths below it. */
export class SessionRoutes {
  readonly #parts: SessionParts

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  async answer(connected: ConnectedRequest): Promise<Response> {
    const { pathname } = new URL(connected.request.url)
    const route = ROUTES.find(({ pattern }) => pattern.test(pathname))
    if (!route) return refuse(NOT_FOUND)
    const { method } = connected.request
    const answer = this.#answers[route.names.get(method === 'HEAD' ? 'GET' : method) ?? '']
    if (!answer) return refuse(methodRefusal([...route.names.keys()]))
    const [, ...ids] = (route.pattern.exec(pathname) ?? []).map(decodeUri)
    const value = await answer(await this.#parts.engine.research(), connected, ids)
    if (value instanceof Response) return value
    return value === undefined ? new Response(null, { status: 204 }) : jsonResponse(value)
  }

  readonly #answers: Readonly<Record<string, SessionHandler>> = {
    list: async (research, { request }) => {
      const { searchParams: query } = new URL(request.url)
      return research.list(queryNumber(query, 'limit', 1000) ?? 100, query.get('before') ?? undefined)
    },
    create: async (research, { request }) => {
      const body = await jsonBody(request, this.#parts.maxBodyBytes)
      return jsonResponse(await research.create(newSessionInputs.parse(body)), 201)
    },
    show: (research, _, [id = '']) => research.show(id),
    remove: (research, _, [id = '']) => research.remove(id),
    files: async (research, _, [id = '']) => ({ files: (await research.show(id)).files }),
    upload: (research, connected, [id = '']) => this.#upload(research, connected, id),
    removeFile: (research, _, [id = '', file = '']) => research.removeFile(id, file),
    text: (research, _, [id = '', file = '']) => research.text(id, file),
    start: runAction('start', 202),
    resume: runAction('start', 202),
    pause: runAction('pause'),
    stop: runAction('stop'),
    plan: async (research, { request }, [id = '']) => {
      const body = await jsonBody(request, this.#parts.maxBodyBytes)
      const add = questionsToAdd(body)
      return add ? research.editPlan(id, { add }) : research.plan(id, plannedQuestions(body))
    },
    report: (research, { request }, [id = '']) => reportResponse(research, id, new URL(request.url).searchParams),
    events: (research, connected, [id = '']) => this.#events(research, connected, id),
  }

  async #upload(research: Research, { request }: ConnectedRequest, id: string): Promise<Response> {
    const freeSlot = this.#parts.takeBodySlot()
    try {
      // Finds the session first, so that the body for an unknown session is not read.
      const { session_id } = await research.show(id)
      return jsonResponse(await research.addFile(session_id, await readUpload(request)), 201)
    } finally {
      freeSlot()
    }
  }

  async #events(research: Research, { request, drop }: ConnectedRequest, id: string): Promise<Response> {
    // The response to HEAD has no body, so its stream would never end.
    if (request.method === 'HEAD') return refuse(methodRefusal(['GET']))
    const after = clientPosition(request)
    const session = await research.show(id)
    if (after > session.seq) throw badPosition(String(after))
    const hasEnded = FINAL_STATES.includes(session.status)
    if (hasEnded && after === session.seq && after > 0) return new Response(null, { status: 204 })
    const missedCount = session.seq - after
    const isGap = after > 0 && missedCount > (this.#parts.maxMissed ?? MAX_MISSED)
    const gap = { type: 'gap', from: after + 1, to: session.seq, events: missedCount }
    const firstEvents = isGap ? [eventText('gap', gap), eventText('snapshot', session, session.seq)] : []
    if (hasEnded && isGap) return streamResponse(firstEvents.join(''))
    const controller = new AbortController()
    const closing = this.#parts.closing ? [this.#parts.closing] : []
    const signal = AbortSignal.any([controller.signal, ...closing])
    const done = this.#parts.takeStreamSlot()
    const events = research.events(session.session_id, isGap ? session.seq : after, signal)
    const feed = iteratorFeed(frameEvents(events, firstEvents), () => controller.abort())
    return streamResponse(eventStream(feed, this.#parts.limits, { drop, done }))
  }
}

function runAction(action: 'start' | 'pause' | 'stop', status = 200): SessionHandler {
  return async (research, _, [id = '']) => jsonResponse(await research[action](id), status)
}

/** A whole number from 1 to `maximum`; undefined if absent. @throws ContextError `invalid-input`. */
function queryNumber(query: URLSearchParams, name: string, maximum: number): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= maximum) return Number(text)
  throw invalidInput(`${quoteValue(text)} is not a ${name}.`, `Give a whole number from 1 to ${maximum}.`)
}

/**
 * The number of the last event that the client has, from `Last-Event-ID`; else from `after`, for a page that already loaded
 * events; else 0.
 */
function clientPosition({ headers, url }: Request): number {
  const position = headers.get('last-event-id') ?? new URL(url).searchParams.get('after') ?? '0'
  if (/^\d{1,15}$/.test(position)) return Number(position)
  throw badPosition(position)
}

function badPosition(position: string): ContextError {
  const hint = 'Send the id of the last event that arrived, as it was.'
  return invalidInput(`${quoteValue(position)} is not the id of an event of this session.`, hint)
}

async function reportResponse(research: Research, id: string, query: URLSearchParams): Promise<Response> {
  const format = query.get('format') ?? 'md'
  const version = queryNumber(query, 'version', 999_999)
  if (format === 'json') return jsonResponse((await research.exportReport(id, 'md', version)).report)
  const reportFormat = REPORT_FORMATS.find((one) => one === format)
  if (reportFormat === undefined) {
    throw invalidInput(`There is no format ${quoteValue(format)}.`, `Use ${REPORT_FORMATS.join(', ')} or json.`)
  }
  const { text, encoding, session_id } = await research.exportReport(id, reportFormat, version)
  const name = `research-${session_id.slice(0, 8)}.${format === 'csl' ? 'json' : format}`
  // A report may quote anything. It is a download, so that it does not run as a page of this server.
  const headers = {
    'Content-Type': REPORT_TYPES[reportFormat],
    'Content-Disposition': `attachment; filename="${name}"`,
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  }
  return new Response(encoding ? Buffer.from(text, encoding) : text, { headers })
}

/** Questions to add to a plan or to a completed run; undefined if the body has no valid `add`. */
function questionsToAdd(value: unknown): string[] | undefined {
  const add: unknown = Object(value).add
  const isList = Array.isArray(add) && add.length > 0 && add.length <= 7 && add.every((one) => typeof one === 'string')
  return isList ? add : undefined
}

function plannedQuestions(value: unknown): { readonly question: string; readonly pinned?: boolean }[] {
  const children: unknown = Object(value).children
  const isPlanned = (one: unknown) =>
    typeof Object(one).question === 'string' && ['boolean', 'undefined'].includes(typeof Object(one).pinned)
  if (Array.isArray(children) && children.length <= 7 && children.every(isPlanned)) {
    return children.map(({ question, pinned }) => ({ question, ...(pinned === true && { pinned }) }))
  }
  const hint = 'Send {"children":[{"question":"…","pinned":false}]} or {"add":["…"]} with at most 7 questions.'
  throw invalidInput('The body holds no plan.', hint)
}

/** Maximum bytes of a body in addition to the file: other parts and headers. */
const FORM_OVERHEAD_BYTES = 256 * 1024

/** Maximum number of parts of a body. More parts would only keep the parser busy. */
const MAX_FORM_PARTS = 16

/**
 * The file in the field `file` of a `multipart/form-data` body. A body above the limit is not read to its end.
 *
 * @throws ContextError `over-limit`; `invalid-input` for another body.
 */
async function readUpload(request: Request): Promise<Upload> {
  const type = request.headers.get('content-type') ?? ''
  const boundary = /^multipart\/form-data\s*;.*\bboundary="?([^";]{1,70})"?/is.exec(type)?.[1]
  if (boundary === undefined) throw invalidUpload('The body must be multipart/form-data with a boundary.')
  const bytes = await readLimitedBody(request, UPLOAD_LIMITS.file + FORM_OVERHEAD_BYTES)
  const hint = 'Add the files as a collection, and search it.'
  if (!bytes) throw new ContextError('over-limit', `The file has more than ${UPLOAD_LIMITS.file} bytes.`, { hint })
  assertFewParts(bytes, boundary)
  // Parses with the boundary that was used to count the parts, regardless of the rest of the header.
  const file = await parseUpload(bytes, `multipart/form-data; boundary="${boundary}"`)
  return { name: file.name, type: file.type, bytes: new Uint8Array(await file.arrayBuffer()) }
}

/** Checks the number of parts and the length of their headers before parsing. */
function assertFewParts(bytes: Buffer, boundary: string): void {
  const mark = Buffer.from(`--${boundary}`)
  let parts = 0
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length)) {
    if (++parts > MAX_FORM_PARTS + 1) throw invalidUpload(`The body has more than ${MAX_FORM_PARTS} parts.`)
    const head = bytes.subarray(at, at + 16_384).indexOf('\r\n\r\n')
    const isEnd = bytes.subarray(at + mark.length, at + mark.length + 2).toString('latin1') === '--'
    if (head < 0 && !isEnd) throw invalidUpload('A part has no end of its headers, or more than 16 kB of them.')
  }
  if (parts < 2) throw invalidUpload('The body does not hold the boundary that its type names.')
}

async function parseUpload(bytes: Buffer, type: string): Promise<File> {
  let form: FormData
  try {
    form = await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': type } }).formData()
  } catch (cause) {
    throw invalidUpload('The body is not a multipart/form-data that can be read.', cause)
  }
  const files = form.getAll('file')
  const [file] = files
  if (files.length === 1 && file instanceof File) return file
  throw invalidUpload('The body must hold one file, in a field called "file".')
}

function invalidUpload(message: string, cause?: unknown): ContextError {
  return new ContextError('invalid-input', message, { hint: 'Send one file: curl -F file=@report.pdf …', cause })
}
