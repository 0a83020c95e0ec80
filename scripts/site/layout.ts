/** The layout of a page: navigation, contents, style. */

import { relativeTo, type SitePage } from './page.ts'

/** Pages by what a reader wants to do. Decisions are listed after them. */
export const SECTIONS: readonly { readonly title: string; readonly pages: readonly string[] }[] = [
  { title: 'Start', pages: ['README.md'] },
  {
    title: 'Give Claude Code the right context',
    pages: ['docs/guides/agents.md', 'docs/guides/cli.md', 'docs/guides/task.md'],
  },
  { title: 'Search your notes from an agent', pages: ['docs/guides/collections.md', 'docs/guides/mcp.md'] },
  {
    title: 'Research in your own files',
    pages: [
      'docs/guides/research.md',
      'docs/guides/assistant.md',
      'docs/guides/assistant-tools.md',
      'docs/guides/chat-api.md',
    ],
  },
  {
    title: 'Serve a team',
    pages: [
      'docs/guides/scale.md',
      'docs/guides/database.md',
      'docs/guides/processes.md',
      'docs/guides/operate.md',
      'docs/guides/web.md',
      'SECURITY.md',
    ],
  },
  { title: 'Buckets and packages', pages: ['docs/guides/packages.md', 'docs/guides/bucket-errors.md'] },
  {
    title: 'Reference',
    pages: [
      'docs/reference/commands.md',
      'docs/configuration.md',
      'docs/secrets.md',
      'docs/guides/profiles.md',
      'docs/hooks.md',
      'docs/guides/library.md',
      'docs/reference/mcp.md',
      'docs/reference/http.md',
    ],
  },
  {
    title: 'Figures',
    pages: ['docs/figures/measurements.md'],
  },
  { title: 'Work on it', pages: ['docs/DESIGN.md', 'CONTRIBUTING.md', 'docs/style.md', 'CHANGELOG.md'] },
]

/** The HTML of a page of the site. */
export function pageHtml(page: SitePage, pages: readonly SitePage[], version: string): string {
  const root = relativeTo(page.source, '')
  const sections = [
    ...SECTIONS,
    {
      title: 'Decisions',
      pages: pages.map(({ source }) => source).filter((source) => source.startsWith('docs/decisions/')),
    },
  ]
  const links = sections.map(({ title, pages: sources }) => {
    const items = sources.flatMap((source) => {
      const target = pages.find((each) => each.source === source)
      return target ? [navigationItem(page, target)] : []
    })
    const isOpen = title !== 'Decisions' || sources.includes(page.source)
    return `<details${isOpen ? ' open' : ''}><summary>${title}</summary><ul>${items.join('')}</ul></details>`
  })
  const contents = page.headings
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}${page.source === 'README.md' ? '' : ' – Ambit'}</title>
<link rel="stylesheet" href="${root}style.css">
<script defer src="${root}search.js"></script>
</head>
<body>
<header><a href="${root}index.html"><b>Ambit</b></a> <span id="version">${version}</span>
<input id="search" type="search" placeholder="Search ( / )" aria-label="Search the documentation" autocomplete="off"></header>
<div id="results" role="region" aria-label="Results" aria-live="polite" hidden></div>
<nav aria-label="Pages">${links.join('\n')}</nav>
<main>
${page.body}</main>
${contents.length > 1 ? `<aside aria-label="On this page"><b>On this page</b><ul>${contents.join('')}</ul></aside>` : ''}
</body>
</html>
`
}

function navigationItem(page: SitePage, { source, address, title }: SitePage): string {
  const current = source === page.source ? ' aria-current="page"' : ''
  return `<li><a href="${relativeTo(page.source, address)}"${current}>${escapeHtml(title)}</a></li>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** System fonts, two themes, readable lines. Tables and code have their own scroll areas. */
export const STYLE = `:root { color-scheme: light dark; --line: light-dark(#d8dee4, #30363d); --soft: light-dark(#f6f8fa, #161b22); --faint: light-dark(#57606a, #8b949e); --link: light-dark(#0550ae, #79c0ff) }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; display: grid; grid-template: "head head head" auto "nav main toc" 1fr / 17rem minmax(0, 1fr) 14rem; background: light-dark(#fff, #0d1117); color: light-dark(#1f2328, #e6edf3) }
header { grid-area: head; display: flex; gap: .6rem; align-items: center; padding: .6rem 1.2rem; border-bottom: 1px solid var(--line); position: sticky; top: 0; background: inherit; z-index: 2 }
header span { color: var(--faint) }
header input { margin-left: auto; width: min(24rem, 50vw); padding: .35rem .6rem; font: inherit; border: 1px solid var(--line); border-radius: 6px }
#results { position: fixed; top: 3.4rem; right: 1rem; width: min(40rem, calc(100vw - 2rem)); max-height: 75vh; overflow: auto; background: light-dark(#fff, #161b22); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 8px 24px #0003; z-index: 3; padding: .4rem }
#results a { display: block; padding: .5rem .6rem; text-decoration: none; color: inherit; border-radius: 6px }
#results a:hover, #results a:focus { background: var(--soft) }
#results strong, #results span { display: block; overflow-wrap: anywhere }
#results span { color: var(--faint); font-size: .9em }
nav { grid-area: nav; padding: 1rem 1.2rem; border-right: 1px solid var(--line); font-size: .92em }
nav ul, aside ul { list-style: none; margin: .2rem 0 .8rem; padding: 0 }
nav summary { color: var(--faint); cursor: pointer }
nav a, aside a { color: inherit; text-decoration: none; display: block; padding: .1rem 0 }
nav a[aria-current] { font-weight: 600 }
nav a:hover, aside a:hover { text-decoration: underline }
main { grid-area: main; padding: 1rem 2.5rem 4rem; max-width: 54rem; min-width: 0 }
aside { grid-area: toc; padding: 1.4rem 1rem; font-size: .88em; color: var(--faint); position: sticky; top: 3rem; align-self: start }
main a[href] { color: var(--link) }
main img { max-width: 100%; height: auto }
main table { display: block; overflow-x: auto; border-collapse: collapse; font-size: .92em }
main th, main td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top }
main pre { background: var(--soft); padding: .8rem 1rem; overflow-x: auto; border-radius: 8px; font-size: .86em; line-height: 1.45 }
main code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere }
main :not(pre) > code { background: var(--soft); padding: .1em .3em; border-radius: 4px; font-size: .88em }
main h1, main h2, main h3 { line-height: 1.25; overflow-wrap: anywhere; scroll-margin-top: 4rem }
@media (max-width: 70rem) { body { grid-template: "head head" auto "nav main" 1fr / 15rem minmax(0, 1fr) } aside { display: none } }
@media (max-width: 46rem) { body { display: flex; flex-direction: column } main { padding: 1rem; width: 100% } nav { order: 1; border-right: 0; border-top: 1px solid var(--line) } }
`
