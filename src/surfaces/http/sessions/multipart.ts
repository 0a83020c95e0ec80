import { ContextError } from '../../../core/errors.ts'
import { UPLOADS, type Upload } from '../../../research/uploads.ts'
import { bytesAtMost } from '../body.ts'

/** Bytes around a file: the other parts, and their headers. */
const AROUND = 256 * 1024

/** Parts of one body. Who sends more wants to keep the parser busy. */
const PARTS = 16

/**
 * The one file of a `multipart/form-data` body, of the field `file`. What is larger than it may be is not read to its end.
 *
 * @throws ContextError `over-limit`; `invalid-input` for what is no such body.
 */
export async function uploadIn(request: Request): Promise<Upload> {
  const type = request.headers.get('content-type') ?? ''
  const boundary = /^multipart\/form-data\s*;.*\bboundary="?([^";]{1,70})"?/is.exec(type)?.[1]
  if (boundary === undefined) throw invalidUpload('The body must be multipart/form-data with a boundary.')
  const most = UPLOADS.file + AROUND
  if (Number(request.headers.get('content-length') ?? 0) > most) throw uploadTooLarge()
  const bytes = await bytesAtMost(request, most)
  if (!bytes) throw uploadTooLarge()
  assertPlain(bytes, boundary)
  // By the boundary that was counted, whatever else the type says.
  const file = await parseUpload(bytes, `multipart/form-data; boundary="${boundary}"`)
  return { name: file.name, type: file.type, bytes: new Uint8Array(await file.arrayBuffer()) }
}

/** Before it is parsed: how many parts there are, and how long their headers. */
function assertPlain(bytes: Buffer, boundary: string): void {
  const mark = Buffer.from(`--${boundary}`)
  let parts = 0
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length)) {
    if (++parts > PARTS + 1) throw invalidUpload(`The body has more than ${PARTS} parts.`)
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
  const hint = 'Send one file: curl -F file=@report.pdf …'
  return new ContextError('invalid-input', message, { hint, cause })
}

function uploadTooLarge(): ContextError {
  const message = `The file has more than ${UPLOADS.file} bytes.`
  return new ContextError('over-limit', message, { hint: 'Make it a collection and search that.' })
}
