/** What a site asks robots not to read: robots.txt, as RFC 9309 has it. */

/** The rules of a site for us. */
export interface RobotRules {
  isAllowed(url: URL): boolean
  /** Seconds between two requests; 0 where the site does not say. */
  readonly delay: number
}

/** The name that we go by in a robots.txt. */
const ROBOT = 'ambit'

/** UTF-16 units that are read; RFC 9309 asks for 500 KiB. */
const LONGEST = 512_000

/** Seconds that are waited at most, whatever a site asks for. */
const LONGEST_DELAY = 10

interface Rule {
  readonly allows: boolean
  readonly pattern: string
}

interface Group {
  readonly agents: string[]
  readonly rules: Rule[]
  delay: number
}

export const ALL_ALLOWED: RobotRules = { isAllowed: () => true, delay: 0 }
export const NONE_ALLOWED: RobotRules = { isAllowed: ({ pathname }) => pathname === '/robots.txt', delay: 0 }

/** Reads a robots.txt. What is no rule is passed over. */
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

function groupsIn(text: string): Group[] {
  const groups: Group[] = []
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

/** `*` stands for anything, `$` at the end for the end. Time grows with the length of both. */
function matchesPattern(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const pieces = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  const [first = '', ...others] = pieces
  if (!path.startsWith(first)) return false
  let at = first.length
  const last = isWhole ? others.pop() : undefined
  for (const piece of others) {
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  if (!isWhole) return true
  return last === undefined ? at === path.length : path.endsWith(last) && path.length - last.length >= at
}

/** Paths are compared as they are read: `%7E` is `~`, but for a slash. */
function decodePath(path: string): string {
  return path.replace(/%(?!2f)[0-9a-f]{2}/gi, (sign) => {
    const code = Number.parseInt(sign.slice(1), 16)
    return code > 0x20 && code < 0x7f ? String.fromCharCode(code) : sign.toUpperCase()
  })
}
