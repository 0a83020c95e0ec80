import { describe, expect, it } from 'vitest'
import { xml } from '../../../src/context/renderers/renderers.ts'
import { countIllegal, escapeAttribute, escapeText } from '../../../src/text/xml.ts'
import { left, selectionOf } from '../../core/fragments.ts'
import { fc, forAll } from '../../support/property.ts'
import { cut, framedAsXml, labelled, readBack, render, SPELLINGS, WHOLE } from './framed.ts'
import { elementsOf } from './xml-scanner.ts'

describe('xml', () => {
  it('is nothing for an empty selection', () => {
    expect(render(selectionOf([], [left('x')]))).toBe('')
  })

  it('is an element for each fragment, in order, the text between two newlines', () => {
    const kept = [
      labelled('one\n', { path: '/a' }, { kind: 'context' }),
      labelled('', { path: '/b' }),
      labelled('three', {}),
    ]
    expect(render(selectionOf(kept))).toBe(
      '<context path="/a" truncated="false">\none\n\n</context>\n<context-file path="/b" truncated="false">\n\n</context-file>\n<context-file truncated="false">\nthree\n</context-file>\n',
    )
  })

  it.each([
    [
      { scope: 's', path: 'p', 'package-name': 'n', other: 'o' },
      cut,
      ' path="p" truncated="true" scope="s" package-name="n"',
    ],
    [{ 'package-name': 'n', path: 'p' }, undefined, ' path="p" truncated="false" package-name="n"'],
    [{ truncated: 'no', path: '' }, undefined, ' path="" truncated="false"'],
    [{}, { to: 'outline', why: 'over-budget' }, ' truncated="true"'],
    [{}, undefined, ' truncated="false"'],
  ] as const)('prints of %j the attributes it was given, in their order', (labels, given, printed) => {
    const text = render(selectionOf([labelled('x', labels, given ? { cut: given } : {})]))
    expect(text).toBe(`<context-file${printed}>\nx\n</context-file>\n`)
  })

  it('prints of each kind the attributes that are given for it, and of others none', () => {
    const byKind = xml({ attributes: { a: ['path'], b: ['truncated'] } })
    const kept = ['a', 'b', 'c'].map((kind) => labelled('x', { path: '/p' }, { kind }))
    expect(byKind(selectionOf(kept))).toBe('<a path="/p">\nx\n</a>\n<b truncated="false">\nx\n</b>\n<c>\nx\n</c>\n')
  })

  it('leaves readable what needs no escape', () => {
    const text = 'a > b, "quoted", it\'s, x -> y, [1][2]] > 3, tab\there, 漢字 😀 \u0085\u2028'
    expect(escapeText(text)).toBe(text)
  })

  it.each([
    ['&', '&amp;'],
    ['&amp;', '&amp;amp;'],
    ['<b>', '&lt;b>'],
    [']]>', ']]&gt;'],
    [']]]>>', ']]]&gt;>'],
    ['a\r\nb\rc', 'a&#13;\nb&#13;c'],
    ['<![CDATA[x]]>', '&lt;![CDATA[x]]&gt;'],
  ])('writes %j as %j', (text, escaped) => {
    expect(escapeText(text)).toBe(escaped)
  })

  it('writes quotes, tabs and line ends of attributes as references', () => {
    expect(escapeAttribute('"a"\t<b>\n&\r\'')).toBe("&quot;a&quot;&#9;&lt;b>&#10;&amp;&#13;'")
  })

  it.each([
    ['\0', '\ufffd', 1],
    ['\u001b[31m', '\ufffd[31m', 1],
    ['\u000b\u000c\u001f', '\ufffd\ufffd\ufffd', 3],
    ['\ufffe\uffff', '\ufffd\ufffd', 2],
    ['\ud83d', '\ufffd', 1],
    ['\ude00\ud83d', '\ufffd\ufffd', 2],
    ['\ud83d\ud83d\ude00\ude00', '\ufffd😀\ufffd', 2],
    ['\t\n\r\u007f\u0085\ufffd😀', '\t\n&#13;\u007f\u0085\ufffd😀', 0],
  ])('replaces in %j what no XML document may hold, and counts it', (text, escaped, count) => {
    expect(escapeText(text)).toBe(escaped)
    expect(countIllegal(text)).toBe(count)
  })
})

describe('the scanner itself', () => {
  it.each(
    (
      '<a>\n</b> | <a> | <a>x</a>y | <a><b></b></a> | <a>]]></a> | <a>&</a> | <a>&nbsp;</a> | <a>\0</a> | ' +
      '<a>\ud800</a> | <a><!-- x --></a> | <a b="<"></a> | <a b=c></a> | <a b="1" b="2"></a> | ' +
      '<a b="1"c="2"></a> | <a>< /a>'
    ).split(' | '),
  )('refuses %j', (text) => {
    expect(() => elementsOf(text)).toThrow()
  })

  it('reads what a parser reads', () => {
    expect(elementsOf('<a b="1&#10;2\n3">\r\nx&#13;\r&lt;&#x41;</a>\n<c/>'.replace('<c/>', '<c></c>'))).toEqual([
      { name: 'a', attributes: [['b', '1\n2 3']], text: '\nx\r\n<A' },
      { name: 'c', attributes: [], text: '' },
    ])
  })
})

describe('no text leaves its frame', () => {
  it.each(SPELLINGS)('%j is text', (spelling) => {
    for (const text of [spelling, `\n${spelling}\n`, `x${spelling}y`, spelling.repeat(3)]) {
      const kept = [labelled(text, { path: text }), labelled('next', { path: '/b' })]
      expect(elementsOf(render(selectionOf(kept)))).toEqual([
        { name: 'context-file', attributes: [['path', readBack(text)], WHOLE], text: `\n${readBack(text)}\n` },
        { name: 'context-file', attributes: [['path', '/b'], WHOLE], text: '\nnext\n' },
      ])
    }
  })

  it('whatever it is made of: 100,000 generated texts and attributes', { tags: 'long' }, () => {
    fc.assert(framedAsXml, { numRuns: 100_000 })
  })

  it('whatever its UTF-16 units are', () => {
    const text = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) })
    forAll(3000, text, (given) => {
      const [element] = elementsOf(render(selectionOf([labelled(given, { path: given })])))
      expect(element?.text).toBe(`\n${readBack(given)}\n`)
      expect(element?.attributes).toEqual([['path', readBack(given)], WHOLE])
      expect(countIllegal(given)).toBe([...given].filter((char, index) => [...readBack(given)][index] !== char).length)
    })
  })
})
