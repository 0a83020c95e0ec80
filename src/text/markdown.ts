import MarkdownIt, { type Env, type StateBlock, type StateInline, type Token } from 'markdown-it'
import { lazyPattern } from './wildcards.ts'

export type Blocks = ReturnType<typeof parseBlocks>

/** A `#tag` or a `**Key**:` of an inline text, outside code, HTML and link targets. */
export interface Mark {
  readonly type: 'tag' | 'field'
  /** The tag without `#`, the key without its asterisks and colon. */
  readonly name: string
  /** Offsets in the inline text. */
  readonly start: number
  readonly end: number
}

/**
 * Maximum nesting. Deeper quotes are read as paragraphs, because the parser reads the lines of a quote again at each
 * level. Deeper lists (two levels each) are read as paragraphs, because past `maxNesting` the parser would drop the
 * rest of the document.
 */
const MAX_QUOTE_LEVELS = 6
const MAX_LEVELS = 40

/** Characters before a `#` that are searched for the start of a URL. */
const LONGEST_URL = 200

const tagPattern = lazyPattern(
  String.raw`#(\p{L}(?:[\p{L}\p{M}\p{N}-]|[_/]+(?=[\p{L}\p{N}]))*(?::[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]|[_./:]+(?=[\p{L}\p{N}]))*)?)`,
  'uy',
)
const FIELD =
  /(\*\*|__)(?=\S)((?:(?!\1)[^\n]){1,200}?)(?:(?<!\s)\1[ \t]*(?::(?=\s|$)|：)|(?::[ \t]*\1(?=\s|$)|：[ \t]*\1))/y

/** Creates tokens as plain objects, because the constructor of the library takes half of the time of a parse. */
class BlockState extends MarkdownIt.StateBlock {
  override push(type: string, tag: string, nesting: Token['nesting']): Token {
    if (nesting < 0) this.level--
    const { level } = this
    if (nesting > 0) this.level++
    const token = { type, tag, nesting, level, map: null, content: '', markup: '', info: '', hidden: false }
    this.tokens.push(token as Token)
    return token as Token
  }
}

const parser = new MarkdownIt({ html: true })
const displayer = new MarkdownIt('commonmark')
parser.block.State = BlockState
parser.core.ruler.enableOnly(['normalize', 'block'])
parser.block.ruler.before('table', 'deep', deepRule)
parser.inline.ruler.before('emphasis', 'field', fieldRule)
parser.inline.ruler.push('tag', tagRule)

/**
 * The block tokens of a Markdown text; inline texts are not parsed. Never throws: a text that markdown-it fails to read
 * has no tokens.
 *
 * @returns `env`: links by label, for `[text][label]` in an inline text. `isTooDeep`: whether some blocks were nested
 * too deeply to be parsed.
 */
export function parseBlocks(text: string) {
  const env: Env = {}
  try {
    const tokens = parser.parse(text, env)
    return { tokens, env, isTooDeep: env.deep === true }
  } catch {
    return { tokens: [], env, isTooDeep: false }
  }
}

/** The tags and fields of an inline text (the `content` of an inline token), in order. */
export function marksOf(inline: string, env: Env): Mark[] {
  if (!inline.includes('#') && !inline.includes('**') && !inline.includes('__')) return []
  const tokens: Token[] = []
  parser.inline.parse(inline, parser, env, tokens)
  const marks: Mark[] = []
  for (const { type, content, meta } of tokens) {
    if (type !== 'tag' && type !== 'field') continue
    marks.push({ type, name: content, start: Number(meta?.start), end: Number(meta?.end) })
  }
  return marks
}

/** An inline text as displayed: without marks of emphasis and code, targets of links, and escapes. HTML stays. */
export function displayText(inline: string): string {
  const tokens: Token[] = []
  displayer.inline.parse(inline, displayer, {}, tokens)
  return tokens.map(({ type, content }) => (type.endsWith('break') ? '\n' : content)).join('')
}

const WEB_LINK = /\[([^[\]\n]{1,1000})\]\((?:https?:\/\/|mailto:)[^()\s]{1,2000}\)/g

/** A Markdown text with the words of each link to the web instead of the link. */
export function withoutWebAddresses(text: string): string {
  return text.replace(WEB_LINK, '$1')
}

/** Reads text that is nested too deeply as one paragraph, up to the next blank line. */
function deepRule(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent || state.level < MAX_QUOTE_LEVELS) return false
  const isQuote = state.src.charAt((state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0)) === '>'
  if (state.level < MAX_LEVELS && !isQuote) return false
  let line = startLine + 1
  while (line < endLine && !state.isEmpty(line) && (state.sCount[line] ?? 0) >= state.blkIndent) line++
  state.env.deep = true
  state.push('paragraph_open', 'p', 1).map = [startLine, line]
  state.push('inline', '', 0).content = state.getLines(startLine, line, state.blkIndent, false).trim()
  state.push('paragraph_close', 'p', -1)
  state.line = line
  return true
}

function fieldRule(state: StateInline, silent: boolean): boolean {
  const char = state.src.charCodeAt(state.pos)
  if ((char !== 0x2a && char !== 0x5f) || !startsLine(state)) return false
  return addMark(state, silent, ['field', FIELD])
}

function tagRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x23 || !startsWord(state)) return false
  return addMark(state, silent, ['tag', tagPattern()])
}

/**
 * Adds a token for a mark that starts at the parser's position. `pattern`: sticky; its last group is the mark's name.
 */
function addMark(state: StateInline, silent: boolean, [type, pattern]: readonly [Mark['type'], RegExp]): boolean {
  pattern.lastIndex = state.pos
  const match = pattern.exec(state.src)
  const end = pattern.lastIndex
  if (!match || end > state.posMax) return false
  if (!silent) {
    const token = state.push(type, '', 0)
    token.content = (match.at(-1) ?? '').trim()
    token.meta = { start: state.pos, end }
  }
  state.pos = end
  return true
}

function startsLine({ src, pos }: StateInline): boolean {
  let at = pos - 1
  while (at >= 0 && (src[at] === ' ' || src[at] === '\t')) at--
  return at < 0 || src[at] === '\n'
}

/**
 * Whether a word may start at the parser's position: at the start of the text, or after white space, an opening bracket
 * or a quote, with optional emphasis between. The parser does not know bare URLs, so a position within a URL is
 * refused.
 */
function startsWord({ src, pos }: StateInline): boolean {
  let at = pos - 1
  while (at >= 0 && (src[at] === '*' || src[at] === '_' || src[at] === '~')) at--
  if (at < 0 || /\s/.test(src.charAt(at))) return true
  if (!/[([{"'“‘«,;（「【、，。]/.test(src.charAt(at))) return false
  return !/:\/\/\S*$/.test(src.slice(Math.max(0, at - LONGEST_URL), at))
}
