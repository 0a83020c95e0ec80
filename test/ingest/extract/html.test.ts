import { describe, expect, it } from 'vitest'
import { htmlContent, readHtml } from '../../../src/ingest/extract/html.ts'
import { EXTRACT_LIMITS } from '../../../src/ingest/extracted.ts'

function read(html: string | Uint8Array) {
  return readHtml('docs/page.html', Buffer.from(html), EXTRACT_LIMITS)
}

describe('HTML as Markdown', () => {
  it('keeps headers, footers and asides, which may hold text', () => {
    const html = '<header>a</header><main>b</main><aside>c</aside><footer>d</footer>'
    expect(htmlContent(html).text).toBe('a\n\nb\n\nc\n\nd')
  })
})

describe('an HTML page', () => {
  it('has metadata of what it says of itself', () => {
    const metas = ['description', 'Keywords', 'author', 'viewport'].map((name) => `<meta name="${name}" content=" x ">`)
    const found = read(`<html lang="de"><head>${metas.join('')}<meta name="author" content="y"></head>a`)
    expect(found).toMatchObject({ metadata: { language: 'de', description: 'x', keywords: 'x', author: 'x' } })
  })

  it.each([
    ['as UTF-8', Buffer.from('<p>Grüße'), 'Grüße', 0],
    ['as UTF-16 with a mark', Buffer.from('\uFEFF<p>Grüße', 'utf16le'), 'Grüße', 0],
    ['as it says', Buffer.from('<meta charset="iso-8859-1"><p>Grüße', 'latin1'), 'Grüße', 0],
    [
      'as it says, the long way',
      Buffer.from('<meta http-equiv="Content-Type" content="text/html; charset=windows-1252"><p>Grüße', 'latin1'),
      'Grüße',
      0,
    ],
    ['as XML says', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><p>Grüße', 'latin1'), 'Grüße', 0],
    ['as its mark says, whatever it says itself', Buffer.from('\uFEFF<meta charset=latin1><p>Grüße'), 'Grüße', 0],
    ['as UTF-8 where it says UTF-16', Buffer.from('<meta charset="utf-16"><p>Grüße'), 'Grüße', 0],
    ['as UTF-8 where it says nothing known', Buffer.from('<meta charset="klingon"><p>Grüße'), 'Grüße', 0],
    ['as far as possible', Buffer.from('<p>Grüße', 'latin1'), 'Gr\uFFFD\uFFFDe', 1],
  ])('is decoded %s', (_, bytes, text, warnings) => {
    const found = read(bytes)
    expect(found).toMatchObject({ ok: true, text })
    expect(found).toHaveProperty('warnings', expect.objectContaining({ length: warnings }))
  })

  it('has no NUL and no half of a character', () => {
    expect(read('<p>a&#0;b&#xD800;c')).toMatchObject({ text: 'a\uFFFDb\uFFFDc' })
  })

  it('resolves no entity that it declares itself, and opens nothing', () => {
    const types = ['<!ENTITY x "yyyy">', '<!ENTITY x SYSTEM "file:///etc/hostname">']
    for (const type of types)
      expect(read(`<!DOCTYPE a [${type}]><p>a&x;`)).toMatchObject({ ok: true, title: 'page.html' })
    for (const type of types) expect(JSON.stringify(read(`<!DOCTYPE a [${type}]><p>a&x;`))).not.toMatch(/yyyya|yyyy"/)
  })

  it.each([
    ['elements', '<div>'],
    ['lists', '<ul><li>'],
    ['tables', '<table><tr><td>'],
    ['quotes', '<blockquote>'],
    ['emphasis', '<b>'],
    ['links', '<a href="x">'],
  ])('of 3,000 nested %s keeps its text', (_, tag) => {
    const found = read(`${tag.repeat(3000)}inner<script>no</script> text`)
    expect(found).toHaveProperty('text', expect.stringMatching(/inner\s+text/))
  })
})
