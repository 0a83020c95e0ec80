import { describe, expect, it } from 'vitest'
import { scanWords, wordAround } from '../../src/retrieval/index/words.ts'
import { fc, forAll } from '../support/property.ts'

/** What is told of a text, in order: words as they are, runs in `[]`, names in `<>`. */
function told(text: string, from?: number, to?: number): string[] {
  const heard: string[] = []
  const tell = (before: string, after: string) => (start: number, end: number) => {
    heard.push(`${before}${text.slice(start, end)}${after}`)
  }
  scanWords(text, { word: tell('', ''), unspacedRun: tell('[', ']'), compound: tell('<', '>') }, from, to)
  return heard
}

describe('the words of a text', () => {
  it.each([
    ['nothing', '', []],
    ['no words', ' .,;:!?()[]{}<>/\\|"\'`~@$%^&*=-+\t\r\n\0\u2028', []],
    ['English', 'The quick, brown fox!', ['The', 'quick', 'brown', 'fox']],
    ['French', "L'été à l’œuvre", ['L', 'été', 'à', 'l', 'œuvre']],
    ['German', 'Größe: Übermaß', ['Größe', 'Übermaß']],
    ['Greek', 'Οδός Αθηνάς', ['Οδός', 'Αθηνάς']],
    ['Russian', 'Съешь ещё', ['Съешь', 'ещё']],
    ['Arabic, with its vowels', 'كِتَاب جديد', ['كِتَاب', 'جديد']],
    ['Hebrew', 'שלום עולם', ['שלום', 'עולם']],
    ['Hindi, with its marks', 'हिन्दी भाषा', ['हिन्दी', 'भाषा']],
    ['Thai, as a run, without its digits', 'ภาษาไทย๑๒', ['[ภาษาไทย]', '๑๒']],
    ['accents as characters of their own', 'e\u0301te\u0301', ['e\u0301te\u0301']],
    ['letters beyond the basic plane', '𐐀𐐁 𝐀𝐁', ['𐐀𐐁', '𝐀𝐁']],
    ['numbers of any script', '42 ٤٢ ½', ['42', '٤٢', '½']],
    ['Chinese, as a run', '全文检索 引擎', ['[全文检索]', '[引擎]']],
    ['Japanese, as runs of three scripts', '検索エンジンの仕組み。', ['[検索エンジンの仕組み]']],
    ['Korean, as runs', '검색 엔진', ['[검색]', '[엔진]']],
    ['Han beyond the basic plane', '𠀀𠀁x', ['[𠀀𠀁]', 'x']],
    ['scripts without a space between them', 'Node.js入門v2', ['Node', 'js', '[入門]', 'v2']],
    ['a hyphen that may show', 'exam\u00adple', ['exam\u00adple']],
    ['emoji between words', 'a👩‍👩‍👧b', ['a', 'b']],
    ['halves of characters', 'a\ud83db\udc00c', ['a', 'b', 'c']],
  ])('are found in %s', (_, text, expected) => {
    expect(told(text)).toEqual(expected)
  })

  it.each([
    ['snake_case', 'snake_case', ['snake', 'case', '<snake_case>']],
    ['several underscores', '_a__b_c_', ['a', 'b', 'c', '<b_c>']],
    ['a version', '1.0.21', ['1', '0', '21', '<1.0.21>']],
    ['a version with its v', 'v1.0.21.', ['v1', '0', '21', '<v1.0.21>']],
    ['a number at the end of a sentence', 'in 1999. 2 more', ['in', '1999', '2', 'more']],
    ['a domain, whose dots part words', 'www.example.com', ['www', 'example', 'com']],
    ['C++', 'C++ and C', ['C', '<C++>', 'and', 'C']],
    ['C#, before a comma', 'C#, F#', ['C', '<C#>', 'F', '<F#>']],
    ['a sum', 'a+b ab+c', ['a', 'b', 'ab', 'c']],
    ['a heading without a space', 'abc#', ['abc']],
    ['an issue', 'ab#12', ['ab', '12']],
    ['a name in C++', 'CFileFind::FindNextFile', ['CFileFind', 'FindNextFile']],
    ['a path', 'src/lexical/words.ts', ['src', 'lexical', 'words', 'ts']],
    ['camelCase, which stays whole', 'parseHTTPRequest', ['parseHTTPRequest']],
    ['a name that goes on in another script', 'a_検索', ['a', '[検索]']],
    ['a name that ends with the text', 'x_', ['x']],
  ])('are told of %s, and then the name that they make', (_, text, expected) => {
    expect(told(text)).toEqual(expected)
  })

  it('are those between two offsets', () => {
    expect(told('alpha beta gamma', 6, 10)).toEqual(['beta'])
    expect(told('a_b_c', 0, 2)).toEqual(['a'])
  })

  it('are in order, of letters and digits alone, and leave none out', () => {
    forAll(fc.string({ unit: fc.constantFrom(...'aB1é検カ한𝐀𠀀 ._+#-\ud800\udc00\u0301') }), (text) => {
      const spans: [number, number][] = []
      const tell = (start: number, end: number) => void spans.push([start, end])
      scanWords(text, { word: tell, unspacedRun: tell, compound: () => {} })
      const left = spans.reduceRight((rest, [start, end]) => rest.slice(0, start) + rest.slice(end), text)
      expect(left).not.toMatch(/[\p{L}\p{M}\p{N}]/u)
      for (const [start, end] of spans) expect(text.slice(start, end)).toMatch(/^[\p{L}\p{M}\p{N}]+$/u)
      expect(spans).toEqual([...spans].sort(([a], [b]) => a - b))
    })
  })
})

describe('the word around an offset', () => {
  it.each([
    ['in the middle', 'one two three', 5, 'two'],
    ['at its beginning', 'one two', 4, 'two'],
    ['at its last letter', 'one two', 6, 'two'],
    ['of the whole text', 'Größe', 3, 'Größe'],
    ['beside a run', '検two索', 1, 'two'],
    ['where there is none', 'one  two', 3, ''],
    ['in a run', '検索', 1, ''],
    ['behind the end', 'one', 3, ''],
  ])('is found %s', (_, text, at, expected) => {
    const { start, end } = wordAround(text, at)
    expect(text.slice(start, end)).toBe(expected)
  })
})
