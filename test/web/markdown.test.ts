/** The one way from Markdown to what is shown, without a browser. */

import { describe, expect, it } from 'vitest'
import { findId } from '../../web/src/ui/markdown/ids.ts'
import { type Node, readHtml, readMarkdown, textIn } from '../../web/src/ui/markdown/tree.ts'
import { ANSWER_FORMULAS } from '../../web/src/ui/remark-formulas.ts'
import { linesInHash } from '../../web/src/ui/text-places.ts'

const CITED: Readonly<Record<string, number>> = { '1': 1, '12': 12, 'a b.md::S3': 3, 'https://a.example/x_y.html': 4 }
const citing = {
  pattern: /^(?:\d+|.+::S\d+|https?:\/\/\S+)$/,
  numberOf: (cited: string) => (Object.hasOwn(CITED, cited) ? CITED[cited] : undefined),
}

const read = (text: string) => readMarkdown(text, { prefix: 'text-' })

/** Elements with those of their attributes that are named, as a line. */
function lineOf(node: Node, names: readonly string[] = []): string {
  if (node.type === 'text') return node.value ?? ''
  const inner = (node.children ?? []).map((child) => lineOf(child, names)).join('')
  if (node.tagName === undefined) return inner
  const own = names.flatMap((name) =>
    node.properties?.[name] === undefined ? [] : ` ${name}=${node.properties[name]}`,
  )
  return `<${node.tagName}${own.join('')}>${inner}</${node.tagName}>`
}

const shown = (text: string, names?: readonly string[]) => lineOf(read(text).root, names).replaceAll('\n', ' ')

describe('HTML in Markdown', () => {
  it.each([
    ['1024<sup>2</sup> H<sub>2</sub>O', '<p>1024<sup>2</sup> H<sub>2</sub>O</p>'],
    ['a<br>b', '<p>a<br></br>b</p>'],
    ['<p align="center">**a**</p>', '<p align=center>**a**</p>'],
    [
      '<details><summary>More</summary>\n\n*b*\n\n</details>',
      '<details><summary>More</summary> <p><em>b</em></p> </details>',
    ],
    ['<b onclick="a()" style="x:y">a</b>', '<p><b>a</b></p>'],
    ['a <script>b</script>', '<p>a <script>b</script></p>'],
    [
      '<picture><source srcset="https://a.example/b.png"><img src="a.png"></picture>',
      '<p><picture><img src=a.png></img></picture></p>',
    ],
    ['a <textarea> *b*', '<p>a <textarea> <em>b</em></p>'],
  ])('%s', (text, elements) => {
    expect(shown(text, ['align', 'src', 'srcSet', 'style', 'onClick'])).toBe(elements)
  })

  it('has no element that runs or loads anything, whatever it is', () => {
    const all = '<script>a</script><style>b</style><iframe src=c></iframe><svg onload=d></svg><object data=e></object>'
    for (const { root } of [read(all), readHtml(all, 'text-')]) {
      const names = (node: Node): string[] => [node.tagName ?? '', ...(node.children ?? []).flatMap(names)]
      expect(names(root).filter((name) => /script|style|iframe|svg|object/.test(name))).toEqual([])
    }
    expect(textIn(readHtml('<style>b</style><p>a</p>', '').root)).toBe('a')
  })

  it('that is nested deeply is refused at once, or shown as its text', () => {
    const start = performance.now()
    for (const text of [`${'>'.repeat(20_000)} a`, `${'- '.repeat(3_000)}a`])
      expect(() => read(text)).toThrow(RangeError)
    expect(performance.now() - start).toBeLessThan(1_000)
    // A parser repeats open elements within each block: this would be millions.
    const repeated = Array.from({ length: 3_000 }, (_, at) => `<i id=${at}><p>`).join('')
    for (const readIt of [read, (text: string) => readHtml(text, '')])
      expect(() => readIt(repeated)).toThrow(RangeError)
    const { root } = read(`${'<b>'.repeat(500)}deep`)
    const depthOf = (node: Node): number => 1 + Math.max(0, ...(node.children ?? []).map(depthOf))
    expect([textIn(root), depthOf(root) < 110]).toEqual(['deep', true])
  })
})

describe('blocks of named lines', () => {
  const hits = (text: string, from: number, to: number): string[] => {
    const visit = (node: Node): string[] =>
      node.properties?.dataHit === undefined ? (node.children ?? []).flatMap(visit) : [textIn(node).trim()]
    return visit(readMarkdown(text, { prefix: '', marked: { from, to } }).root)
  }

  it.each([
    ['# A\n\none\ntwo\n\nthree', 3, 3, ['one\ntwo']],
    ['# A\n\none\n\nthree', 1, 3, ['A', 'one']],
    ['- a\n- b\n  - c\n- d', 3, 3, ['c']],
    ['| h |\n|-|\n| a |\n| b |', 4, 4, ['b']],
    ['```sh\nx\n```\n\ny', 2, 2, ['x']],
    ['<p>a</p>\n\n<table>\n<tr><td>b</td></tr>\n</table>', 4, 4, ['b']],
    ['a', 9, 9, []],
  ] as const)('of %j from %i to %i', (text, from, to, expected) => {
    expect(hits(text, from, to)).toEqual(expected)
  })

  it.each([
    ['L10', '10-10'],
    ['L10-L12', '10-12'],
    ['L10-12', '10-12'],
    ['L10C3-L12C1', '10-12'],
    ['install', undefined],
  ])('are named by #%s', (hash, lines) => {
    expect(linesInHash(hash)).toBe(lines)
  })
})

it.each([
  ['a \\(x_1\\) b', 'a <code className=language-math,math-inline>x_1</code> b'],
  ['\\[\nE = mc^2\n\\]', '<code className=language-math,math-display>E = mc^2</code>'],
  ['\\(never ended', '(never ended'],
  ['a \\[b\\]\n\\[x\\](d)\n\\[y\\]', 'a [b]\n[x](d)\n<code className=language-math,math-display>y</code>'],
  ['`\\(a\\)`', '<code>\\(a\\)</code>'],
])('formulas of an answer %j', (text, expected) => {
  const { root } = readMarkdown(text, { prefix: '', math: ANSWER_FORMULAS })
  expect(lineOf(root, ['className'])).toBe(`<p>${expected}</p>`)
})

describe('headings', () => {
  it.each([
    ['# One\n\n```sh\n# no\n```\n## *Two* `b` [c](d)', ['text-one', 'text-two-b-c']],
    [
      '# about_Execution_Policies\n## The __init__ file and snake_case',
      ['text-about_execution_policies', 'text-the-init-file-and-snake_case'],
    ],
    ['# Twice\n# Twice\n# Twice', ['text-twice', 'text-twice-1', 'text-twice-2']],
    ['Setext\n===\n<h2>Of *HTML*</h2>', ['text-setext', 'text-of-html']],
    ['# 上下文 & more', ['text-上下文--more']],
  ])('of %j have the ids of GitHub', (text, ids) => {
    expect(read(text).headings.map(({ id }) => id)).toEqual(ids)
  })

  it.each([
    ['[a](#twice-1)\n# Twice\n# Twice', '#text-twice-1'],
    ['[a](#Twice)\n# Twice', '#text-twice'],
    ['[a](#%E4%B8%8A)\n# 上', '#text-上'],
    ['[a](#mark) <a name="mark"></a>', '#text-mark'],
    ['[a](#user-content-one)\n# One', '#text-one'],
    ['[a](#nowhere)\n# One', '#nowhere'],
  ])('are where links lead: %j', (text, href) => {
    expect(lineOf(read(text).root, ['href'])).toContain(`<a href=${href}>`)
  })

  it('are found by an address, whatever its capitals', () => {
    expect(findId(['text-a-b', 'text-c'], 'A_B')).toBe('text-a-b')
    expect(findId(['text-a'], 'b')).toBeUndefined()
  })
})

describe('wiki links', () => {
  const links = (text: string) => lineOf(readMarkdown(text, { prefix: 'text-', hasWikiLinks: true }).root, ['href'])

  it.each([
    ['[[Page]]', '<p><a href=wiki:Page>[[Page]]</a></p>'],
    ['See [[a b#C d|words]].', '<p>See <a href=wiki:a%20b%23C%20d>words</a>.</p>'],
    ['[[ -f a ]] and [[1,2],[3]] and `[[x]]`', '<p>[[ -f a ]] and [[1,2],[3]] and <code>[[x]]</code></p>'],
    ['[an [[inner]]](b.md)', '<p><a href=b.md>an [[inner]]</a></p>'],
  ])('%s', (text, shown) => {
    expect(links(text)).toBe(shown)
  })

  it('are read only where they are asked for', () => {
    expect(shown('[[Page]]')).toBe('<p>[[Page]]</p>')
  })
})

it.each([
  ['Twice [1].', 'Twice (1).'],
  ['[1][12]', '(1)(12)'],
  ['never given [2], [0001], [x]', 'never given [2], [0001], [x]'],
  ['a [https://a.example/x_y.html]. It [a b.md::S3].', 'a (4). It (3).'],
  ['[https://a.example/x_y.html][https://a.example/x_y.html]', '(4)(4)'],
  ['\\[1\\] and [12]', '[1] and (12)'],
  ['\\\\[1] and \\\\\\[12]', '\\(1) and \\[12]'],
  ['[1] &amp; [1]', '(1) & (1)'],
  ['`[1]` and\n\n    [1]', '[1] and[1]\n'],
  ['[1](a.md)', '1'],
  ['| a |\n|-|\n| b [1] |', 'ab (1)\n'],
])('citations are read first in %j', (text, expected) => {
  const { root } = readMarkdown(text, { prefix: '', citing })
  const said = (node: Node): string => {
    const inner = node.value ?? (node.children ?? []).map(said).join('')
    return String(node.properties?.href).startsWith('#cites-') ? `(${inner})` : inner
  }
  expect(said(root).replaceAll(/\n(?!$)/g, '')).toBe(expected)
})

it.each([
  ['**重要。**この', '<p><strong>重要。</strong>この</p>'],
  ['**「a」**は', '<p><strong>「a」</strong>は</p>'],
])('emphasis beside signs of Chinese and Japanese: %s', (text, elements) => {
  expect(shown(text)).toBe(elements)
})
