import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pageHtml, SECTIONS } from '../../scripts/site/layout.ts'
import { readPage, slugOf } from '../../scripts/site/page.ts'
import { findPassages, indexPassages, searchData } from '../../scripts/site/search.ts'
import { readPages } from '../../scripts/write-site.ts'
import { ROOT } from '../source-files.ts'

const pages = readPages()
const ids = new Map(pages.map(({ address, headings }) => [address, new Set(headings.map(({ id }) => id))]))
const html = new Map(pages.map((page) => [page.address, pageHtml(page, pages, '1.2.3')]))

/** What a page links to, as the site has it: address and anchor. */
function linksOf(address: string): readonly (readonly [string, string])[] {
  const targets = [...(html.get(address) ?? '').matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target = '']) => target)
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.replaceAll('&amp;', '&').split('#')
      return [path === '' ? address : posix.join(posix.dirname(address), path), decodeURIComponent(anchor)] as const
    })
}

describe('the site', () => {
  it('has every guide, and every page of its sections', () => {
    const sources = new Set(pages.map(({ source }) => source))
    expect(SECTIONS.flatMap((section) => section.pages).filter((source) => !sources.has(source))).toEqual([])
    const listed = new Set(SECTIONS.flatMap((section) => section.pages))
    expect([...sources].filter((source) => source.startsWith('docs/guides/') && !listed.has(source))).toEqual([])
  })

  it.each(pages.map(({ address }) => address))('has all that %s links to', (address) => {
    const missing = linksOf(address).filter(([path, anchor]) => {
      if (path.startsWith('images/')) return !existsSync(join(ROOT, 'docs', path))
      if (['style.css', 'search.js'].includes(path)) return false
      const anchors = ids.get(path)
      return anchors === undefined || (anchor !== '' && !anchors.has(anchor))
    })
    expect(missing).toEqual([])
  })

  it.each([
    ['how do I resume a stopped research', 'guides/research.html'],
    ['secrets are left out of the index', 'guides/collections.html#secrets'],
    ['which hooks does Gemini CLI have', 'guides/agents.html'],
    ['push a directory as a package', 'guides/packages.html'],
  ])('finds "%s" in %s', (query, address) => {
    const data = searchData(pages)
    const found = findPassages(indexPassages(data), data, query).map((each) => each.address)
    expect(found.slice(0, 3).some((each) => each.startsWith(address))).toBe(true)
  })

  it('finds nothing for what it does not speak of', () => {
    const data = searchData(pages)
    expect(findPassages(indexPassages(data), data, 'xyzzy qwrtz')).toEqual([])
  })
})

describe('a page', () => {
  const sources = new Set(['docs/guides/a.md', 'docs/b.md'])
  const read = (markdown: string) => readPage('docs/guides/a.md', markdown, sources).body

  it.each([
    ['a link to a page', '[b](../b.md#x-y)', '<a href="../b.html#x-y">b</a>'],
    ['a link elsewhere', '[w](https://example.org/a.md)', '<a href="https://example.org/a.md">w</a>'],
    ['a link to code', '[c](../../src/c.ts)', '<a data-file="">c</a>'],
    ['a picture', '![p](../images/p.svg)', '<img src="../images/p.svg" alt="p">'],
    ['HTML', '<script>x</script>', '&lt;script&gt;'],
  ])('has %s', (_, markdown, expected) => {
    expect(read(markdown)).toContain(expected)
  })

  it('has an id for each heading, and a number for one that comes again', () => {
    expect(readPage('docs/b.md', '# A `b`!\n\n## C d\n\n## C d\n', sources).headings.map(({ id }) => id)).toEqual([
      'a-b',
      'c-d',
      'c-d-1',
    ])
    expect(slugOf('The `--json` option, 1.2')).toBe('the---json-option-12')
  })
})
