import { createHash } from 'node:crypto'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { getMimeType } from 'hono/utils/mime'
import { tryToRead } from '../../core/errors.ts'
import { type LocalRoot, openRoot } from '../../files/disk.ts'

/** First segments of the paths that are pages of the UI. */
const PAGES = new Set(['browse', 'search', 'packages', 'context', 'task', 'research', 'chat', 'settings'])

/** The ending of compressed assets. The build contains large assets only in this encoding. */
const BROTLI_ENDING = '.br'

/** Assets may be cached forever, because the name of an asset changes with its content. */
const IMMUTABLE = 'private, max-age=31536000, immutable'

/** A file in one encoding. */
interface CachedFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
}

/** Whether an address is a page of the UI. All pages have the same HTML, which reads the address. */
export function isPagePath(path: string): boolean {
  return path === '/' || PAGES.has(path.split('/')[1] ?? '')
}

/** Whether the request comes from a browser that opens a page. */
export function wantsPage({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean {
  return method !== 'POST' && readsPages({ headers })
}

export function readsPages({ headers }: Pick<Request, 'headers'>): boolean {
  return /\btext\/html\b/.test(headers.get('accept') ?? '')
}

/** The built files of the UI: a page, and assets whose names contain a hash of their content. */
export class WebUi {
  readonly #root: LocalRoot | undefined
  /** Requested files stay in memory. This is bounded, because only files of the build are read. */
  readonly #cached = new Map<string, CachedFile>()

  /** `directory`: the built UI. If it is undefined or does not exist, all methods return undefined. */
  constructor(directory: string | undefined) {
    this.#root = directory === undefined ? undefined : tryToRead(() => openRoot(directory))
  }

  page(request: Request): Response | undefined {
    return this.#answer(request, 'index.html', 'no-cache')
  }

  /** The page for an unknown address, with status 404. It has links to other pages. */
  notFoundPage({ url, headers }: Request): Response | undefined {
    const request = new Request(url, { headers: { 'Accept-Encoding': headers.get('accept-encoding') ?? '' } })
    const page = this.page(request)
    return page && new Response(page.body, { status: 404, headers: page.headers })
  }

  asset(request: Request, name: string): Response | undefined {
    return /^[\w-]+(\.[\w-]+)+$/.test(name) ? this.#answer(request, `assets/${name}`, IMMUTABLE) : undefined
  }

  #answer(request: Request, name: string, cacheControl: string): Response | undefined {
    const file = this.#readEncoded(name, request.headers.get('accept-encoding') ?? '')
    if (!file) return undefined
    const headers = {
      'Content-Type': getMimeType(name) ?? 'application/octet-stream',
      'Cache-Control': cacheControl,
      ETag: file.etag,
      Vary: 'Accept-Encoding',
      ...(file.encoding && { 'Content-Encoding': file.encoding }),
    }
    const isKnown = request.headers.get('if-none-match') === file.etag
    return isKnown ? new Response(null, { status: 304, headers }) : new Response(file.bytes, { headers })
  }

  #readEncoded(name: string, acceptEncoding: string): (CachedFile & { readonly encoding?: string }) | undefined {
    const brotliFile = this.#read(`${name}${BROTLI_ENDING}`)
    if (!brotliFile) return this.#read(name)
    if (acceptsEncoding(acceptEncoding, 'br')) return { ...brotliFile, encoding: 'br' }
    const plain = () => brotliDecompressSync(brotliFile.bytes)
    if (!acceptsEncoding(acceptEncoding, 'gzip')) return this.#cache(name, plain)
    return { ...this.#cache(`${name}.gz`, () => gzipSync(plain())), encoding: 'gzip' }
  }

  #read(name: string): CachedFile | undefined {
    const cached = this.#cached.get(name)
    if (cached) return cached
    const read = this.#root?.read(name)
    return read?.ok ? this.#cache(name, () => read.bytes) : undefined
  }

  #cache(name: string, make: () => Uint8Array): CachedFile {
    const cached = this.#cached.get(name)
    if (cached) return cached
    const bytes = Uint8Array.from(make())
    const file = { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
    this.#cached.set(name, file)
    return file
  }
}

function acceptsEncoding(acceptEncoding: string, encoding: string): boolean {
  return acceptEncoding.split(',').some((each) => {
    const [name = '', quality = ''] = each.split(';')
    return name.trim() === encoding && !/^\s*q=0(\.0*)?\s*$/.test(quality)
  })
}
