import { setTimeout as sleep } from 'node:timers/promises'
import { ContextError, throwIfAborted, tryToRead } from '../../core/errors.ts'
import { setNewest } from '../../core/set-newest.ts'
import { authorIn, type ExtractedContent } from '../../ingest/extracted.ts'
import type { Extractor } from '../../ingest/extractor.ts'
import { type FetchedResponse, type FetchOptions, guardedFetch } from '../../internet/fetch.ts'
import { requirePageUrl, shownUrl } from '../../internet/guard.ts'
import { matchesSegment, STAR } from '../../text/wildcards.ts'

export type PageReader = ReturnType<typeof pageReader>

interface Page extends Pick<ExtractedContent, 'text' | 'dates'> {
  readonly url: string
  /** Never empty: by default the URL. */
  readonly title: string
  readonly author?: string
}

export interface PageReaderOptions extends FetchOptions {
  readonly extractor: Extractor
  /** Whether to follow the robots.txt of sites. Default: no. */
  readonly isPolite?: boolean
}

/** File names by media type. */
const FILE_NAMES: Readonly<Record<string, string>> = {
  'text/html': 'page.html',
  'application/xhtml+xml': 'page.html',
  'application/pdf': 'page.pdf',
  'text/plain': 'page.txt',
  'text/markdown': 'page.md',
  'text/x-markdown': 'page.md',
  'text/csv': 'page.csv',
  'application/json': 'page.json',
  'application/ld+json': 'page.json',
  'text/xml': 'page.txt',
  'application/xml': 'page.txt',
}

/**
 * A reader of pages. Pages are parsed in a separate process, with limits. A polite reader follows robots.txt, requests at most
 * two pages of a site at once, and waits between requests as the site asks.
 */
export function pageReader({ extractor, isPolite = false, ...options }: PageReaderOptions) {
  const fetchPage = isPolite ? politeFetch(options) : undefined
  return {
    /**
     * Reads a page, PDF or text as Markdown or plain text. `url`: the address after redirects.
     *
     * @throws ContextError as `guardedFetch`; `unavailable`, too, for a page without text.
     */
    async read(url: string, signal: AbortSignal): Promise<Page> {
      const fetched = await (fetchPage?.(requirePageUrl(url, options), signal) ?? guardedFetch(url, signal, options))
      const name = pageName(fetched)
      const article = await extractor.extractArticle(name, utf8Of(fetched, name), signal)
      if (!article.ok) throw unreadablePage(fetched.url, article.detail)
      const title = article.title === name ? fetched.url : article.title
      const { dates } = article
      return { url: fetched.url, title, text: article.text, ...(dates && { dates }), ...authorIn(article) }
    },
  }
}

/** Maximum sites with stored rules; the oldest are dropped. */
const MAX_SITES = 500

interface Site {
  readonly rules: Promise<RobotRules>
  /** The last two requests, the older first. A new request waits for the older, so that at most two run in parallel. */
  last: readonly [unknown, unknown]
  /** The earliest time of the next request, in milliseconds, if the site asks for a delay. */
  nextRequestAt: number
}

/**
 * A fetch that obeys robots.txt. It requests the robots.txt of each site once, and throws `denied` for a page that it forbids.
 */
function politeFetch(options: FetchOptions) {
  const sites = new Map<string, Site>()
  const siteOf = ({ origin }: URL): Site => {
    const known = sites.get(origin)
    if (known) return known
    const site: Site = { rules: rulesOf(origin, options), last: [undefined, undefined], nextRequestAt: 0 }
    setNewest(sites, origin, site, MAX_SITES)
    return site
  }
  return async (url: URL, signal: AbortSignal): Promise<FetchedResponse> => {
    const site = siteOf(url)
    const rules = await site.rules
    if (!rules.isAllowed(url)) {
      const message = `${shownUrl(url.href)} is not read: the robots.txt of its site asks for that.`
      throw new ContextError('denied', message, { hint: 'Look for another page, or give it as a file.' })
    }
    const [earlier, later] = site.last
    const { promise, resolve } = Promise.withResolvers<void>()
    site.last = [later, promise]
    try {
      await earlier
      await waitFor(site, rules.delay * 1000, signal)
      return await guardedFetch(url.href, signal, options)
    } finally {
      resolve()
    }
  }
}

async function waitFor(site: Site, delay: number, signal: AbortSignal): Promise<void> {
  const wait = site.nextRequestAt - Date.now()
  site.nextRequestAt = Math.max(Date.now(), site.nextRequestAt) + delay
  if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => throwIfAborted(signal))
}

/** The rules of a site. A site without rules, or one that does not answer, allows everything; a server error allows nothing. */
async function rulesOf(origin: string, options: FetchOptions): Promise<RobotRules> {
  try {
    // Without the signal of the page's request, because all requests to the site need the rules.
    const fetched = await guardedFetch(`${origin}/robots.txt`, undefined, { ...options, accepts: () => true })
    if (fetched.status >= 500) return NONE_ALLOWED
    return fetched.status >= 400 ? ALL_ALLOWED : parseRobots(fetched.bytes.toString('utf8'))
  } catch {
    // The request for the page will fail with the reason.
    return ALL_ALLOWED
  }
}

/** The file name of a page, by its media type, else by its first bytes. */
function pageName({ type, bytes, url }: FetchedResponse): string {
  const known = Object.hasOwn(FILE_NAMES, type) ? FILE_NAMES[type] : undefined
  if (known !== undefined) return known
  if (type === '' || type === 'application/octet-stream') {
    if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') return 'page.pdf'
    if (/^\s*<(?:!doctype html|html)/i.test(bytes.subarray(0, 512).toString('latin1'))) return 'page.html'
  }
  throw unreadablePage(url, `It is ${type || 'of no known type'}, not a page.`)
}

/** The page in UTF-8. The encoding in the response has priority over the encoding in the page. */
function utf8Of({ bytes, charset }: FetchedResponse, name: string): Uint8Array {
  if (name === 'page.pdf' || charset === undefined || /^utf-?8$/.test(charset)) return bytes
  return tryToRead(() => Buffer.from(`\uFEFF${new TextDecoder(charset).decode(bytes)}`)) ?? bytes
}

function unreadablePage(url: string, detail: string): ContextError {
  const hint = 'Look for another page, or give it as a file.'
  return new ContextError('unavailable', `${shownUrl(url)} cannot be read: ${detail}`, { hint })
}

/** The rules in the robots.txt of a site, as RFC 9309 defines them. */
interface RobotRules {
  isAllowed(url: URL): boolean
  /** Seconds between two requests; 0 if the site names none. */
  readonly delay: number
}

/** Our name in a robots.txt. */
const ROBOT_NAME = 'ambit'

/** Maximum UTF-16 units of a robots.txt; RFC 9309 requires 500 KiB. */
const MAX_ROBOTS_LENGTH = 512_000

/** Maximum seconds between two requests, whatever a site asks for. */
const MAX_DELAY = 10

const ALL_ALLOWED: RobotRules = { isAllowed: () => true, delay: 0 }
const NONE_ALLOWED: RobotRules = { isAllowed: ({ pathname }) => pathname === '/robots.txt', delay: 0 }

/** Parses a robots.txt. Skips lines that are not user-agent, allow, disallow or crawl-delay. */
export function parseRobots(text: string): RobotRules {
  const groups = groupsIn(text.slice(0, MAX_ROBOTS_LENGTH))
  const own = groups.filter(({ agents }) => agents.includes(ROBOT_NAME))
  const chosen = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))
  const rules = chosen.flatMap((group) => group.rules)
  return {
    isAllowed: ({ pathname, search }) => {
      const path = decodePath(`${pathname}${search}`)
      const matching = rules.filter(({ pattern }) => matchesPattern(pattern, path))
      const longest = Math.max(0, ...matching.map(({ pattern }) => pattern.length))
      // The longest pattern decides. If two have the same length, the pattern that allows wins.
      return matching.length === 0 || matching.some(({ allows, pattern }) => allows && pattern.length === longest)
    },
    delay: Math.min(MAX_DELAY, Math.max(0, ...chosen.map(({ delay }) => delay))),
  }
}

function groupsIn(text: string) {
  const groups: { agents: string[]; rules: { allows: boolean; pattern: string }[]; delay: number }[] = []
  let isHead = false
  for (const line of text.split(/\r\n?|\n/)) {
    const [, name = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? []
    const [field, content] = [name.toLowerCase(), value.trim()]
    if (field === 'user-agent') {
      if (!isHead) groups.push({ agents: [], rules: [], delay: 0 })
      groups.at(-1)?.agents.push(content.toLowerCase())
      isHead = true
      continue
    }
    if (!['allow', 'disallow', 'crawl-delay'].includes(field)) continue
    isHead = false
    const group = groups.at(-1)
    if (field === 'crawl-delay' && group) group.delay = Number(content) || 0
    else if (content !== '') group?.rules.push({ allows: field === 'allow', pattern: decodePath(content) })
  }
  return groups
}

/** Whether a pattern matches a path. `*` matches anything; `$` at the end matches the end. */
function matchesPattern(pattern: string, path: string): boolean {
  const whole = pattern.endsWith('$') ? pattern.slice(0, -1) : `${pattern}*`
  const tokens = [...whole].map((sign) => (sign === '*' ? STAR : sign))
  return matchesSegment(tokens, [...path])
}

/** Decodes a path for comparison: `%7E` is `~`, but `%2F` is not a slash. */
function decodePath(path: string): string {
  return path.replace(/%(?!2f)[0-9a-f]{2}/gi, (encoded) => {
    const code = Number.parseInt(encoded.slice(1), 16)
    return code > 0x20 && code < 0x7f ? String.fromCharCode(code) : encoded.toUpperCase()
  })
}
