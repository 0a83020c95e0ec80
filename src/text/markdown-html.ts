import MarkdownIt from 'markdown-it'

/** Ids of the elements that citations lead to, by the text in their brackets. */
export type CitationAnchors = ReadonlyMap<string, string>

/** Addresses that a link may have. */
const SAFE = /^(?:https?:\/\/|mailto:|#)/i

/** UTF-16 units of what stands in brackets and may be a citation: further on none is looked for. */
const LONGEST_NAME = 1000

/**
 * Markdown as HTML that nothing runs in and that loads nothing: HTML in it is text, images are their descriptions, links
 * lead to pages of the web or stay within. `[a.md::S1]` leads to what it cites.
 */
export function htmlOfMarkdown(markdown: string, anchors: CitationAnchors): string {
  const parser = new MarkdownIt('default', { html: false, linkify: false })
  parser.validateLink = (url) => SAFE.test(url.trim())
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
    const near = state.src.slice(state.pos + 1, state.pos + LONGEST_NAME).indexOf(']')
    const end = near < 0 ? -1 : state.pos + 1 + near
    const name = end < 0 ? '' : state.src.slice(state.pos + 1, end)
    const anchor = anchors.get(name)
    if (anchor === undefined || state.src[end + 1] === '(') return false
    if (!silent) Object.assign(state.push('citation', '', 0), { content: name, info: anchor })
    state.pos = end + 1
    return true
  })
  return parser.render(markdown)
}
