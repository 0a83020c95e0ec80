/**
 * Compares how the web UI and GitHub's own parser read Markdown: `npm run compare:markdown -- FOLDER…`. Needs `cmark-gfm`, a
 * package of Debian. Both trees pass the same sanitizer. Compares letters and link targets.
 */

import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import GithubSlugger from 'github-slugger'
import rehypeRaw from 'rehype-raw'
import rehypeSanitize from 'rehype-sanitize'
import { unified } from 'unified'
import { type Node, readMarkdown, textIn } from '../web/src/ui/markdown/tree.ts'
import { withoutFrontMatter } from '../web/src/ui/text-places.ts'

const EXTENSIONS = ['footnotes', 'table', 'strikethrough', 'autolink', 'tagfilter', 'tasklist'].flatMap((name) => [
  '-e',
  name,
])

const sanitizer = unified().use(rehypeRaw).use(rehypeSanitize)

/** The tree of GitHub's parser. */
function referenceOf(text: string): Node {
  const html = execFileSync('cmark-gfm', ['--unsafe', ...EXTENSIONS], { input: text, maxBuffer: 1e9 })
  return sanitizer.runSync({
    type: 'root',
    children: [{ type: 'raw', value: String(html) }],
  } as never) as unknown as Node
}

function* nodesIn(node: Node): Generator<Node> {
  yield node
  for (const child of node.children ?? []) yield* nodesIn(child)
}

/** Whether a node is the heading or a back link of footnotes. The two parsers word these differently. */
function isFootnoteLabel({ properties = {} }: Node): boolean {
  return /footnote-label$/.test(String(properties.id)) || properties.dataFootnoteBackref !== undefined
}

function textOf(node: Node): string {
  if (isFootnoteLabel(node)) return ''
  return node.value ?? (node.children ?? []).map(textOf).join('')
}

/**
 * The letters of a tree, in order. The kind of an alert counts as a word: GitHub shows it as a title, but its parser does not.
 */
function lettersOf(root: Node): string[] {
  const text = textOf(root).replace(/\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]/gi, (_, kind: string) => kind)
  return text.toLowerCase().match(/[\p{L}\p{N}\p{P}\p{S}]/gu) ?? []
}

/** Links within the text, and the ids to which they may lead. */
function anchorsOf(root: Node): { readonly all: readonly string[]; readonly ids: ReadonlySet<unknown> } {
  const nodes = [...nodesIn(root)]
  const hrefs = nodes.map(({ properties }) => String(properties?.href ?? '')).filter((href) => /^#./.test(href))
  return { all: hrefs, ids: new Set(nodes.flatMap(({ properties }) => [properties?.id, properties?.name])) }
}

/** The ids of headings on GitHub. */
function slugsOf(root: Node): ReadonlySet<unknown> {
  const slugger = new GithubSlugger()
  const headings = [...nodesIn(root)].filter(({ tagName }) => /^h[1-6]$/.test(tagName ?? ''))
  return new Set(headings.map((heading) => slugger.slug(textIn(heading).trim())))
}

let [files, anchors, dead, different] = [0, 0, 0, 0]
for (const folder of process.argv.slice(2)) {
  for (const path of globSync('**/*.{md,markdown}', { cwd: folder }).sort()) {
    const { body } = withoutFrontMatter(readFileSync(join(folder, path), 'utf8'))
    const shown = readMarkdown(body, { prefix: '' }).root
    const reference = referenceOf(body)
    const [words, wanted] = [lettersOf(shown), lettersOf(reference)]
    files++
    const at = words.findIndex((word, index) => word !== wanted[index])
    if (at !== -1 || words.length !== wanted.length) {
      different++
      const around = (all: readonly string[]) => all.slice(Math.max(0, at - 30), at + 50).join('')
      console.log(`${path}: other words\n  page:   ${around(words)}\n  GitHub: ${around(wanted)}`)
    }
    const { all, ids } = anchorsOf(shown)
    const slugs = slugsOf(reference)
    for (const href of all) {
      anchors++
      if (ids.has(href.slice(1))) continue
      const isAlive = slugs.has(decodeURIComponent(href.slice(1)).toLowerCase())
      if (isAlive) dead++
      console.log(`${path}: ${href} leads nowhere${isAlive ? ', but works on GitHub' : ', as on GitHub'}`)
    }
  }
}
console.log(
  `${files} files, ${different} with other words; ${anchors} links within a file, ${dead} dead that GitHub knows.`,
)
process.exitCode = different + dead === 0 ? 0 : 1
