import { createHash } from 'node:crypto'
import { htmlOfMarkdown } from '../../text/markdown-html.ts'
import { escapeHtml } from '../../text/xml.ts'
import type { ReportSource, ResearchReport } from '../answers.ts'
import { sourceCaption } from '../report/sources.ts'

/** Styles for screens of any width, light or dark, and for paper. */
const STYLE = `
:root { color-scheme: light dark; --text: #1c1e21; --quiet: #5a6068; --line: #d9dce0; --back: #ffffff; --mark: #f3f4f6; --link: #0b57a4 }
@media (prefers-color-scheme: dark) { :root { --text: #e6e7e9; --quiet: #a3a9b1; --line: #3a3e44; --back: #17191c; --mark: #23262a; --link: #8ab8ee } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 46rem; color: var(--text); background: var(--back); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.75rem; line-height: 1.25 } h2 { font-size: 1.3rem; margin-top: 2.25rem } h3 { font-size: 1.1rem }
a { color: var(--link) } a.ref { font-size: .8em; text-decoration: none } a.ref:hover { text-decoration: underline }
blockquote { margin: .5rem 0; padding: .1rem 1rem; border-left: 3px solid var(--line); color: var(--quiet) }
code, pre { font: .9em/1.5 ui-monospace, monospace; background: var(--mark) } code { padding: .1em .3em } pre { padding: 1rem; overflow-x: auto } pre code { padding: 0 }
table { border-collapse: collapse; display: block; overflow-x: auto } th, td { padding: .35rem .7rem; border: 1px solid var(--line); text-align: left; vertical-align: top }
.sources { margin-top: 3rem; padding-top: .5rem; border-top: 1px solid var(--line); font-size: .92rem } .sources li { margin: 1rem 0 } .sources blockquote { white-space: pre-line } .place { color: var(--quiet) }
:target { background: var(--mark) }
@media print { :root { --text: #000; --quiet: #333; --back: #fff; --mark: #eee; --line: #999; --link: #000 } body { max-width: none; padding: 0; font-size: 10.5pt } h1, h2, h3 { break-after: avoid } .sources li, blockquote, tr { break-inside: avoid } }
`

const CONTENT_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`

export type ShownReport = Pick<ResearchReport, 'question' | 'markdown' | 'sources'>

/**
 * A report as one self-contained page: no script, nothing to load, and no HTML from the report's text. The cited texts are at the
 * end, and each citation links to its text.
 */
export function toHtml({ question, markdown, sources }: ShownReport): string {
  const anchors = new Map(sources.map((_, at) => [String(at + 1), `source-${at + 1}`]))
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(CONTENT_POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(question)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${htmlOfMarkdown(markdown, anchors)}</main>
${sources.length === 0 ? '' : `<section class="sources">\n<h2>What is cited</h2>\n<ol>\n${sources.map(itemOf).join('\n')}\n</ol>\n</section>\n`}</body>
</html>
`
}

/** Maximum UTF-16 units of a source that are shown: a source may be a whole page. */
const MAX_SHOWN = 1500

function itemOf(source: ReportSource, at: number): string {
  const { ref, title, text } = source
  const name = /^https?:\/\//i.test(ref)
    ? `<a href="${escapeHtml(ref)}" rel="noopener noreferrer nofollow">${escapeHtml(title)}</a>`
    : escapeHtml(title)
  const place = sourceCaption({ ...source, title: '' })
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1).toWellFormed()}…` : text
  return `<li id="source-${at + 1}">${name} <span class="place">${escapeHtml(place)}</span><blockquote>${escapeHtml(shown)}</blockquote></li>`
}
