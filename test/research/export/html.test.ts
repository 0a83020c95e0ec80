import { parseHTML } from 'linkedom'
import { describe, expect, it } from 'vitest'
import { type ShownReport, toHtml } from '../../../src/research/export/html.ts'
import { fc, forAll } from '../../support/property.ts'

const SOURCE = {
  ref: 'a_b_.md::S3',
  file: 'a_b_.md',
  author: 'Ann',
  kind: 'context',
  title: 'Tides',
  page: 2,
  lines: { start: 4, end: 6 },
  headings: ['Sea', 'Why'],
  text: 'The tide turns <twice> a day.',
} as const
const PAGE = { ref: 'https://a.example/x?a=1&b=2', kind: 'web', title: 'A "page"', text: 'Knots.' } as const

function html(markdown: string, more: Partial<ShownReport> = {}): string {
  return toHtml({ question: 'Why?', markdown, sources: [SOURCE, PAGE], ...more })
}

function body(markdown: string): string {
  return /<main>\n([\s\S]*?)<\/main>/.exec(html(markdown))?.[1]?.trim() ?? ''
}

describe('a report as a page', () => {
  it.each([
    ['# Title', '<h1>Title</h1>'],
    ['**a** and `b`', '<p><strong>a</strong> and <code>b</code></p>'],
    ['It turns [1].', '<p>It turns <a class="ref" href="#source-1">[1]</a>.</p>'],
    [
      'It runs [1][2].',
      '<p>It runs <a class="ref" href="#source-1">[1]</a><a class="ref" href="#source-2">[2]</a>.</p>',
    ],
    ['Not known [9].', '<p>Not known [9].</p>'],
    ['`[1]`', '<p><code>[1]</code></p>'],
    ['[x](https://b.example/)', '<p><a href="https://b.example/" rel="noopener noreferrer nofollow">x</a></p>'],
    ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
    ['[x](JaVaScRiPt:alert(1))', '<p>[x](JaVaScRiPt:alert(1))</p>'],
    ['[x](data:text/html,y)', '<p>[x](data:text/html,y)</p>'],
    ['[x](file:///etc/passwd)', '<p>[x](file:///etc/passwd)</p>'],
    ['![a picture](https://b.example/a.png)', '<p>a picture</p>'],
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['<img src=x onerror=alert(1)>', '<p>&lt;img src=x onerror=alert(1)&gt;</p>'],
  ])('shows %j safely', (markdown, shown) => expect(body(markdown)).toBe(shown))

  it('has what is cited at its end, with its place', () => {
    const page = html('x')
    expect(page).toContain(
      '<li id="source-1">Tides <span class="place">a_b_.md, Ann, page 2, under “Sea &gt; Why”</span><blockquote>The tide turns &lt;twice&gt; a day.</blockquote></li>',
    )
    expect(page).toContain(
      '<a href="https://a.example/x?a=1&amp;b=2" rel="noopener noreferrer nofollow">A &quot;page&quot;</a>',
    )
  })

  it.each([1500, 1501, 100_000])('shows the beginning of a source of %i characters', (length) => {
    const page = html('x', { sources: [{ ...SOURCE, text: 'x'.repeat(length) }] })
    const shown = /<blockquote>(.*)<\/blockquote>/.exec(page)?.[1] ?? ''
    expect([shown.length, shown.endsWith('…')]).toEqual([1500, length > 1500])
  })

  it('without sources has no list of them', () => expect(html('x', { sources: [] })).not.toContain('What is cited'))

  it('forbids all but its own style, and has rules for paper and for the dark', () => {
    const page = html('x')
    expect(page).toMatch(/default-src &#39;none&#39;; style-src &#39;sha256-[\w+/]+=*&#39;/)
    expect(page).toMatch(/@media print/)
    expect(page).toMatch(/prefers-color-scheme: dark/)
  })

  it('is the same page again', () => expect(html('# A [1]')).toBe(html('# A [1]')))

  it('whatever is written in it has no script, no handler, and nothing that is loaded', () => {
    const piece = fc.constantFrom(
      ...(
        '<script> | </style> | </main> | <img src=x onerror=y> | ![a](https://x/y) | [a](javascript:x) | " | ' +
        '\' | > | \n\n | [1] | ``` | <!-- | ]]> | &lt; | <a href=" | \0'
      ).split(' | '),
    )
    const text = fc.oneof(
      fc.array(piece, { maxLength: 20 }).map((all) => all.join('')),
      fc.string({ unit: 'binary' }),
    )
    forAll(1000, text, text, text, (markdown, question, excerpt) => {
      const page = html(markdown, {
        question,
        sources: [{ ...SOURCE, ref: `x${excerpt}`, title: question, text: excerpt }],
      })
      const { document } = parseHTML(page)
      expect([...document.querySelectorAll('script, img, iframe, object, link, svg, base, form, input')]).toEqual([])
      expect(document.querySelectorAll('style').length).toBe(1)
      for (const element of document.querySelectorAll('*')) {
        const names = [...element.attributes].map(({ name }) => name)
        expect(names.filter((name) => /^on|^style$|^src/.test(name))).toEqual([])
        const href = element.getAttribute('href')
        if (href !== null) expect(href).toMatch(/^(?:https?:\/\/|mailto:|#)/i)
      }
    })
  })
})
