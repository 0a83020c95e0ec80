import { setTimeout as sleep } from 'node:timers/promises'
import { TextDecoder } from 'node:util'
import { ContextError, throwIfAborted } from '../../core/errors.ts'
import { authorIn, type PageDate } from '../../ingest/extracted.ts'
import { Extractor } from '../../ingest/extractor.ts'
import { type Fetched, type FetchOptions, guardedFetch } from '../../internet/fetch.ts'
import { checkedUrl, shownUrl } from '../../internet/guard.ts'
import { matchesStars, STAR } from '../../text/wildcards.ts'

/** Reads pages of the public internet. */
export interface PageReader {
  /**
   * A page, PDF or text as Markdown or plain text. `url`: where it was in the end.
   *
   * @throws ContextError as `guardedFetch`; `unavailable`, too, for what holds no text.
   */
  read(url: string, signal: AbortSignal): Promise<Page>
}

export interface Page {
  readonly url: string
  /** Never empty: the URL where nothing better is known. */
  readonly title: string
  readonly text: string
  /** The days that it says that it is of. */
  readonly dates?: readonly PageDate[]
  readonly author?: string
}

export interface PageReaderOptions extends FetchOptions {
  /** Default: one of its own. */
  readonly extractor?: Extractor
  /** Whether sites are asked for their robots.txt, and left alone as it says. Default: no. */
  readonly isPolite?: boolean
}

/** By media type the name that a file of it would have. */
const NAMES: Readonly<Record<string, string>> = {
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
 * The reader of pages. What is read is parsed in a process of its own, with limits. A polite one reads nothing that a site asks
 * robots not to read, and asks no site for more than two pages at once, or more often than it wants.
 */
export function pageReader({
  extractor = new Extractor(),
  isPolite = false,
  ...options
}: PageReaderOptions = {}): PageReader {
  const sites = isPolite ? new PoliteSites(options) : undefined
  return {
    async read(url, signal) {
      const fetched = await (sites?.fetch(checkedUrl(url, options), signal) ?? guardedFetch(url, signal, options))
      throwIfAborted(signal)
      const name = pageName(fetched)
      const found = await extractor.extractArticle(name, utf8Of(fetched, name), signal)
      if (!found.ok) throw unreadablePage(fetched.url, found.detail)
      const title = found.title === name ? fetched.url : found.title
      const { dates } = found
      return { url: fetched.url, title, text: found.text, ...(dates && { dates }), ...authorIn(found) }
    },
  }
}

/** Pages of one site that are asked for at once. */
const AT_ONCE = 2

/** Sites whose rules are known; what was known longest is forgotten. */
const MOST_SITES = 500

interface Site {
  readonly rules: Promise<RobotRules>
  /** A new request waits for the first of them. */
  readonly turns: Promise<unknown>[]
  /** When the site may be asked again, where it wants to be left alone for a while. Milliseconds. */
  next: number
}

/** Asks each site for its rules once, and for pages as these say. */
class PoliteSites {
  readonly #options: FetchOptions
  readonly #sites = new Map<string, Site>()

  constructor(options: FetchOptions) {
    this.#options = options
  }

  /** @throws ContextError as `guardedFetch`; `denied` for what the site asks robots not to read. */
  async fetch(url: URL, signal: AbortSignal): Promise<Fetched> {
    const site = this.#siteOf(url)
    const rules = await site.rules
    if (!rules.isAllowed(url)) {
      const hint = 'Look for another page, or give it as a file.'
      throw new ContextError('denied', `${shownUrl(url.href)} is not read: the robots.txt of its site asks for that.`, {
        hint,
      })
    }
    const before = site.turns[site.turns.length - AT_ONCE]
    const { promise, resolve } = Promise.withResolvers<void>()
    site.turns.push(promise)
    site.turns.splice(0, site.turns.length - AT_ONCE)
    try {
      await before
      await this.#waitFor(site, rules.delay * 1000, signal)
      return await guardedFetch(url.href, signal, this.#options)
    } finally {
      resolve()
    }
  }

  async #waitFor(site: Site, delay: number, signal: AbortSignal): Promise<void> {
    const wait = site.next - Date.now()
    site.next = Math.max(Date.now(), site.next) + delay
    if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => throwIfAborted(signal))
  }

  #siteOf({ origin }: URL): Site {
    const known = this.#sites.get(origin)
    if (known) return known
    const site: Site = { rules: this.#rulesOf(origin), turns: [], next: 0 }
    this.#sites.set(origin, site)
    if (this.#sites.size > MOST_SITES) this.#sites.delete(this.#sites.keys().next().value ?? '')
    return site
  }

  /** A site without rules allows everything; one that fails to give them, nothing. One that does not answer is not asked for more. */
  async #rulesOf(origin: string): Promise<RobotRules> {
    try {
      // Not ended with the request for the page: the rules are for all.
      const fetched = await guardedFetch(`${origin}/robots.txt`, undefined, { ...this.#options, accepts: () => true })
      if (fetched.status >= 500) return NONE_ALLOWED
      return fetched.status >= 400 ? ALL_ALLOWED : parseRobots(fetched.bytes.toString('utf8'))
    } catch {
      // The request for the page will fail with the reason.
      return ALL_ALLOWED
    }
  }
}

/** Name for a page that does not state its format. */
function pageName({ type, bytes, url }: Fetched): string {
  const known = Object.hasOwn(NAMES, type) ? NAMES[type] : undefined
  if (known !== undefined) return known
  if (type === '' || type === 'application/octet-stream') {
    if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') return 'page.pdf'
    if (/^\s*<(?:!doctype html|html)/i.test(bytes.subarray(0, 512).toString('latin1'))) return 'page.html'
  }
  throw unreadablePage(url, `It is ${type || 'of no known type'}, not a page.`)
}

/** The encoding that the answer names counts more than what stands in the page. */
function utf8Of({ bytes, charset }: Fetched, name: string): Uint8Array {
  if (name === 'page.pdf' || charset === undefined || /^utf-?8$/.test(charset)) return bytes
  try {
    return Buffer.from(`\uFEFF${new TextDecoder(charset).decode(bytes)}`)
  } catch {
    return bytes
  }
}

function unreadablePage(url: string, detail: string): ContextError {
  const hint = 'Look for another page, or give it as a file.'
  return new ContextError('unavailable', `${shownUrl(url)} cannot be read: ${detail}`, { hint })
}

/** Pages that a site asks not to read: its robots.txt, as RFC 9309 defines it. */
interface RobotRules {
  isAllowed(url: URL): boolean
  /** Seconds between two requests; 0 where the site does not say. */
  readonly delay: number
}

/** The name that we go by in a robots.txt. */
const ROBOT = 'ambit'

/** UTF-16 units that are read; RFC 9309 asks for 500 KiB. */
const LONGEST = 512_000

/** Seconds to wait at most, whatever a site asks for. */
const LONGEST_DELAY = 10

const ALL_ALLOWED: RobotRules = { isAllowed: () => true, delay: 0 }
const NONE_ALLOWED: RobotRules = { isAllowed: ({ pathname }) => pathname === '/robots.txt', delay: 0 }

/** Reads a robots.txt, and skips what is no rule. */
export function parseRobots(text: string): RobotRules {
  const groups = groupsIn(text.slice(0, LONGEST))
  const own = groups.filter(({ agents }) => agents.includes(ROBOT))
  const chosen = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))
  const rules = chosen.flatMap((group) => group.rules)
  return {
    isAllowed: ({ pathname, search }) => {
      const path = decodePath(`${pathname}${search}`)
      const fitting = rules.filter(({ pattern }) => matchesPattern(pattern, path))
      const most = Math.max(0, ...fitting.map(({ pattern }) => pattern.length))
      // The longest pattern counts; of two of the same length the one that allows.
      return fitting.length === 0 || fitting.some(({ allows, pattern }) => allows && pattern.length === most)
    },
    delay: Math.min(LONGEST_DELAY, Math.max(0, ...chosen.map(({ delay }) => delay))),
  }
}

function groupsIn(text: string) {
  const groups: { agents: string[]; rules: { allows: boolean; pattern: string }[]; delay: number }[] = []
  let isHead = false
  for (const line of text.split(/\r\n?|\n/)) {
    const [, name = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? []
    const [field, given] = [name.toLowerCase(), value.trim()]
    if (field === 'user-agent') {
      if (!isHead) groups.push({ agents: [], rules: [], delay: 0 })
      groups.at(-1)?.agents.push(given.toLowerCase())
      isHead = true
      continue
    }
    if (!['allow', 'disallow', 'crawl-delay'].includes(field)) continue
    isHead = false
    const group = groups.at(-1)
    if (field === 'crawl-delay' && group && Number(given) > 0) group.delay = Number(given)
    else if (given !== '') group?.rules.push({ allows: field === 'allow', pattern: decodePath(given) })
  }
  return groups
}

/** `*` stands for anything, `$` at the end for the end. */
function matchesPattern(pattern: string, path: string): boolean {
  const whole = pattern.endsWith('$') ? pattern.slice(0, -1) : `${pattern}*`
  return matchesStars(
    [...whole].map((sign) => (sign === '*' ? STAR : sign)),
    [...path],
  )
}

/** Paths are compared decoded: `%7E` is `~`; but `%2F` is no slash. */
function decodePath(path: string): string {
  return path.replace(/%(?!2f)[0-9a-f]{2}/gi, (sign) => {
    const code = Number.parseInt(sign.slice(1), 16)
    return code > 0x20 && code < 0x7f ? String.fromCharCode(code) : sign.toUpperCase()
  })
}
