import MarkdownIt from 'markdown-it'

/** The id of the element that a citation links to, by the text in the citation's brackets. */
export type CitationAnchors = ReadonlyMap<string, string>

/** Addresses that a link may have. */
const SAFE_URL = /^(?:https?:\/\/|mailto:|#)/i

/** Maximum UTF-16 units of a citation in brackets. */
const LONGEST_NAME = 1000

/**
 * Markdown as HTML that runs and loads nothing: HTML becomes text, images become their descriptions, and links lead to
 * the web, to a mail address or within the page. A citation such as `[a.md::S1]` links to its source.
 */
export function htmlOfMarkdown(markdown: string, anchors: CitationAnchors): string {
  const parser = new MarkdownIt('default', { html: false, linkify: false })
  parser.validateLink = (url) => SAFE_URL.test(url.trim())
  parser.renderer.rules.image = (tokens, at) => parser.utils.escapeHtml(tokens[at]?.content ?? '')
  parser.renderer.rules.link_open = (tokens, at, options, _, renderer) => {
    tokens[at]?.attrSet('rel', 'noopener noreferrer nofollow')
    return renderer.renderToken(tokens, at, options)
  }
  parser.renderer.rules.citation = (tokens, at) => {
    const { content = '', info = '' } = tokens[at] ?? {}
    return `<a class="ref" href="#${parser.utils.escapeHtml(info)}">[${parser.utils.escapeHtml(content)}]</a>`
  }
  parser.inline.ruler.before('link', 'citation', (state, silent) => {
    if (state.src.charCodeAt(state.pos) !== 0x5b) return false
    const start = state.src.slice(state.pos + 1, state.pos + LONGEST_NAME)
    const name = start.slice(0, Math.max(0, start.indexOf(']')))
    const end = state.pos + 1 + name.length
    const anchor = anchors.get(name)
    if (anchor === undefined || state.src[end + 1] === '(') return false
    if (!silent) Object.assign(state.push('citation', '', 0), { content: name, info: anchor })
    state.pos = end + 1
    return true
  })
  return parser.render(markdown)
}
