import { describe, expect, it } from 'vitest'
import { htmlContent, readHtml } from '../../../src/ingest/extract/html.ts'
import { EXTRACT_LIMITS } from '../../../src/ingest/extracted.ts'

function read(html: string | Uint8Array) {
  return readHtml('docs/page.html', Buffer.from(html), EXTRACT_LIMITS)
}

/** The rows of a table. */
function rows(...lines: readonly string[]): string {
  return lines.map((line) => `| ${line} |`).join('\n')
}

describe('HTML as Markdown', () => {
  it.each([
    ['headings', '<h1>One</h1><h3>Three</h3>', '# One\n\n### Three'],
    ['paragraphs', '<p>a</p><p>b</p>', 'a\n\nb'],
    ['lines', 'a<br>b', 'a\nb'],
    ['emphasis', '<b>a</b> <em>b</em> <code>c_d</code>', '**a** *b* `c_d`'],
    ['lists', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '- a\n  - b\n- c'],
    ['numbered lists', '<ol start="9"><li>a</li><li><p>b</p><p>c</p></li></ol>', '9. a\n10. b\n\n    c'],
    ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n> \n> b'],
    ['code within a span', '<ul><li>a. <span><pre>b\n</pre></span></li></ul>', '- a.\n\n  ```\n  b\n  ```'],
    ['links', '<a href="/a">b</a>', '[b](/a)'],
    ['links with blanks', '<a href="/a b(c)">b</a>', '[b](</a b(c)>)'],
    ['links that say nothing', '<a href="#a">a</a> <a href="javascript:b()">b</a> <a name="c">c</a>', 'a b c'],
    ['images', '<img src="a.png" alt="A  picture"><img src="b.png">', '![A picture](a.png)'],
    ['images in the page', '<img src="data:image/png;base64,AAAA" alt="A picture">', 'A picture'],
    ['entities', '&lt;p&gt; &amp; &eacute;&nbsp;&#x65E5; &unknown;', '\\<p> & é 日 &unknown;'],
    ['code', '<pre><code class="language-ts">if (a &lt; b)\n  c_d()\n</code></pre>', '```ts\nif (a < b)\n  c_d()\n```'],
    ['code without code', '<pre class="lang-sh">a<br>  # b</pre>', '```sh\na\n  # b\n```'],
    ['code with a fence', '<pre>```\na\n```</pre>', '````\n```\na\n```\n````'],
    ['white space', '<p>  a\n\n  b  </p>\n\n\n<p>c</p>', 'a b\n\nc'],
    ['Markdown', '<p># a</p><p>1. b</p><p>- c</p><p>d_e *f* [g]</p>', '\\# a\n\n1\\. b\n\n\\- c\n\nd_e *f* [g]'],
    ['a text without elements', 'a & b', 'a & b'],
    ['unclosed elements', '<p>a<p>b<ul><li>c<li>d', 'a\n\nb\n\n- c\n- d'],
    ['elements that close nothing', '</div>a</p></section><p>b', 'a\n\nb'],
    ['elements that close each other', '<b>a<i>b</b>c</i>', '**a*b***c'],
    ['a cut off element', '<p>a<a href="b', 'a'],
    ['a head that is not closed', '<head><title>T</title><p>a', 'a'],
    ['two bodies', '<body>a</body><body>b</body>', 'a\n\nb'],
  ])('keeps %s', (_, html, text) => {
    expect(htmlContent(html).text).toBe(text)
  })

  it.each([
    ['scripts', 'a<script>b</script><script type="text/template"><p>b</p></script>'],
    ['styles', '<style>b { }</style>a'],
    ['templates', '<template><p>b</p></template>a'],
    ['navigation', '<nav><ul><li>b</li></ul></nav>a<div role="navigation">b</div>'],
    ['comments', '<!-- b -->a<!--[if IE]>b<![endif]-->'],
    ['frames', 'a<iframe src="/b">b</iframe><object data="/b">b</object>'],
    ['the title, which is told apart', '<title>b</title>a'],
    ['processing instructions', '<?php b ?>a'],
  ])('leaves out %s', (_, html) => {
    expect(htmlContent(html).text).toBe('a')
  })

  it('keeps headers, footers and asides, which may hold text', () => {
    const html = '<header>a</header><main>b</main><aside>c</aside><footer>d</footer>'
    expect(htmlContent(html).text).toBe('a\n\nb\n\nc\n\nd')
  })
})

describe('a table in HTML', () => {
  it.each([
    [
      'with a head',
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
      rows('a | b', '--- | ---', '1 | 2'),
    ],
    ['without a head', '<table><tr><td>a<td>b<tr><td>1<td>2</table>', rows('a | b', '--- | ---', '1 | 2')],
    ['with empty cells', '<table><tr><td>a<td></td><td></table>', '| a |  |  |\n| --- | --- | --- |'],
    ['with bars and lines', '<table><tr><td>a|b<td><p>c</p><p>d</p></table>', rows('a\\|b | c d', '--- | ---')],
    ['with a caption', '<table><caption>C</caption><tr><td>a<td>b</table>', `C\n\n${rows('a | b', '--- | ---')}`],
    ['that is layout', '<table><tr><td><h2>a</h2><td>b</table>', '## a\n\nb'],
    ['in layout', '<table><tr><td>x<table><tr><td>a<td>b</table></table>', `x\n\n${rows('a | b', '--- | ---')}`],
  ])('%s is one of Markdown, or its cells in order', (_, html, text) => {
    expect(htmlContent(html).text).toBe(text)
  })
})

describe('an HTML page', () => {
  it.each([
    ['its title', '<title> The\n title </title><h1>Heading</h1>', 'The title'],
    ['its title, in a body', '<h1>Heading</h1><title>Title</title>', 'Title'],
    ['its first h1', '<h2>Two</h2><h1>A <b>heading</b></h1><h1>Another</h1>', 'A heading'],
    ['its first h1, where the title is empty', '<title> </title><h1>Heading</h1>', 'Heading'],
    ['its first h1, and no drawing', '<svg><title>Icon</title></svg><h1>Heading</h1>', 'Heading'],
    ['its name', '<p>a</p>', 'page.html'],
  ])('is titled by %s', (_, html, title) => {
    expect(read(`<p>x</p>${html}`)).toMatchObject({ ok: true, title, format: 'html', syntax: 'markdown' })
  })

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

  it.each([
    ['', 'empty'],
    ['<script>a()</script>', 'empty'],
    ['<nav>a</nav>', 'empty'],
    ['<p>a\0b', 'binary'],
    ['<meta charset="latin1"><p>a\0b', 'binary'],
  ])('%j gives nothing: %s', (html, why) => {
    expect(read(html)).toMatchObject({ ok: false, why })
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
