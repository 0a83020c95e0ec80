/** Time that grows with the length of a text, and no faster: of every function of the main thread that takes one. */

import { describe, expect, it } from 'vitest'
import { headerColumns } from '../../src/ingest/extract/csv.ts'
import { extractText } from '../../src/ingest/extract/text.ts'
import { firstHeading } from '../../src/ingest/extract/title.ts'
import { chunksOf } from '../../src/ingest/indexing/chunks.ts'
import { quotable } from '../../src/research/extractive/digest.ts'
import { checkClaims } from '../../src/research/report/claims.ts'
import { plainLine } from '../../src/research/report/plain.ts'
import { checkQuotes } from '../../src/research/report/quotes.ts'
import { numbersIn, termsIn } from '../../src/research/routing/terms.ts'
import { spansOf } from '../../src/research/run/spans.ts'
import { textWork } from '../../src/research/run/text-work.ts'
import { findAnswer } from '../../src/retrieval/answers.ts'
import { passageAround } from '../../src/retrieval/passage.ts'
import { parseQuery } from '../../src/retrieval/query.ts'
import { holdsPhrase, snippetsOf } from '../../src/retrieval/snippets.ts'
import { placesOf, withoutCase } from '../../src/retrieval/substrings.ts'
import { composeText, mainTerms, scanTerms } from '../../src/retrieval/terms.ts'
import { splitTextUnits } from '../../src/retrieval/units.ts'
import { blocksOf, checkbox, plainBlocksOf } from '../../src/text/blocks.ts'
import { escapedInLine, fillBlank, proseOf, unescapedOf, withoutSpans } from '../../src/text/code.ts'
import { displayWidth } from '../../src/text/columns.ts'
import { commandPaths, patchPaths } from '../../src/text/command-paths.ts'
import { oneLine, stripControls, textLine } from '../../src/text/controls.ts'
import { cutElements, elementsOf, fitElements, unescapeText } from '../../src/text/elements.ts'
import { closeFence, withoutFences } from '../../src/text/fences.ts'
import { splitFrontMatter } from '../../src/text/front-matter.ts'
import { gitignore } from '../../src/text/gitignore.ts'
import { headingsAbove, plainHeading } from '../../src/text/headings.ts'
import { neutralise } from '../../src/text/invisible.ts'
import { lineStarts, trimLines } from '../../src/text/lines.ts'
import { marksOf, parseBlocks } from '../../src/text/markdown.ts'
import { htmlOfMarkdown } from '../../src/text/markdown-html.ts'
import { commentsIn, stretchesOf } from '../../src/text/markdown-spans.ts'
import { parseFrontMatter } from '../../src/text/metadata.ts'
import { contentOf, parseMarkdown } from '../../src/text/parse.ts'
import { foldedPath } from '../../src/text/paths.ts'
import { findSecret } from '../../src/text/secrets.ts'
import { isHeadingLine, sectionsOf } from '../../src/text/sections.ts'
import { sentencesOf } from '../../src/text/sentences.ts'
import { seamsOf } from '../../src/text/split-points.ts'
import { guessDelimiter, splitRecords } from '../../src/text/tables.ts'
import { byteEnd, byteStart, clipBytes, clipMarked } from '../../src/text/truncate.ts'
import { typewritten } from '../../src/text/typography.ts'
import { escapeAttribute, escapeHtml, escapeText, illegalIn } from '../../src/text/xml.ts'
import { readSources } from '../source-files.ts'

type Reader = (text: string) => unknown

const ENCODER = new TextEncoder()
const SHOW = () => 'cut'
const NO_LISTENER: Parameters<typeof scanTerms>[1] = { main: () => {}, extra: () => {} }

/** By the name of the function. */
const FUNCTIONS: Readonly<Record<string, Reader>> = {
  blocksOf,
  byteEnd: (text) => byteEnd(text, 0, text.length - 1),
  byteStart: (text) => byteStart(text, text.length, text.length - 1),
  checkQuotes: (text) => checkQuotes(text, () => text),
  checkClaims: (text) => checkClaims(text, () => undefined),
  checkbox,
  clipBytes: (text) => clipBytes(text, text.length - 1),
  clipMarked: (text) => clipMarked(text, text.length - 1),
  closeFence,
  chunksOf: (text) => chunksOf(text, { isMarkdown: true }),
  commandPaths,
  commentsIn: (text) => [...commentsIn(text)],
  composeText,
  contentOf,
  cut: (text) => textWork.cut({ text, syntax: 'markdown' }),
  cutElements: (text) => cutElements(text, text.length >> 1, SHOW),
  displayWidth,
  elementsOf,
  escapeAttribute,
  escapeHtml,
  escapeText,
  escapedInLine,
  extractText: (text) => extractText('a.md', ENCODER.encode(text)),
  fillBlank,
  findSecret,
  findAnswer: (text) => findAnswer('What opens at six?', splitTextUnits(text)),
  firstHeading,
  fitElements: (text) => fitElements(text, text.length >> 1, SHOW),
  foldedPath,
  gitignore,
  guessDelimiter,
  headerColumns,
  headingsAbove: (text) => headingsAbove(text, lineStarts(text), lineStarts(text).length - 1),
  holdsPhrase: (text) => holdsPhrase(text, ['six', 'seven']),
  htmlOfMarkdown: (text) => htmlOfMarkdown(text, new Map()),
  illegalIn,
  isHeadingLine,
  lineStarts,
  mainTerms,
  marksOf: (text) => marksOf(text, {}),
  neutralise,
  numbersIn,
  oneLine,
  parseBlocks,
  parseFrontMatter,
  parseMarkdown,
  parseQuery,
  passageAround: (text) => passageAround(text, { span: { start: text.length >> 1, end: (text.length >> 1) + 9 } }),
  patchPaths,
  placesOf: (text) => placesOf('six', text, 1000),
  plainBlocksOf,
  plainHeading,
  plainLine,
  proseOf,
  quotable,
  scanTerms: (text) => scanTerms(text, NO_LISTENER),
  seamsOf: (text) => plainBlocksOf(text).map((block) => seamsOf(text, block)),
  sectionsOf,
  sentencesOf,
  snippetsOf: (text) =>
    snippetsOf(
      text,
      new Map([
        ['six', 1],
        ['[', 1],
      ]),
    ),
  spansOf: (text) => spansOf({ text, syntax: 'plain' }),
  splitFrontMatter: (text) => splitFrontMatter(`---\n${text}`),
  splitRecords,
  splitTextUnits,
  stretchesOf: (text) => [...stretchesOf(text)],
  stripControls,
  termsIn,
  textLine,
  trimLines: (text) => trimLines(text, '\n'),
  typewritten,
  unescapeText,
  unescapedOf,
  withoutCase,
  withoutFences,
  withoutSpans,
}

/** Doors whose texts are not whole files, or that are measured under another name; each with why. */
const NOT_LISTED: Readonly<Record<string, string>> = {
  closeSpan: 'reads on from one mark, as stretchesOf has it',
  framedContext: 'joins strings that are escaped by escapeText',
  readSimple: 'a part of parseFrontMatter',
  parsedHeading: 'a part of firstHeading',
  quotationsIn: 'a part of checkQuotes',
  laterPattern: 'a pattern of this program',
}

const TEXTS: Readonly<Record<string, string>> = {
  prose: 'The harbour opens at six, and it must not close before ten. ',
  paragraphs: 'The harbour opens at six.\n\n',
  'one line without spaces': 'aB3',
  Chinese: '港口六点开放不得早于十点关闭',
  'Chinese sentences': '港口六点开放。不得早于十点关闭，',
  brackets: '[',
  'brackets both ways': '[](',
  items: '- a\n',
  headings: '# a\n\nb c\n\n',
  quotes: '> ',
  assignments: 'token = "aB3dE5fG7hJ9kL1mN3pQ" ',
  'tokens of a known form': 'ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z5a\n',
  'beginnings of tokens': 'eyJ',
  'beginnings of keys': '-----BEGIN PRIVATE KEY-----\n',
  backticks: '`a ``b ',
  comments: '<!-- a ',
  tags: '<a b="',
  blanks: ' ',
  'empty lines': '\n',
  abbreviations: 'e.g. ',
  'open quotes': '"a,b\n',
  table: '| a | b |\n',
}

const SMALL = 10_000
const LARGE = 320_000

/** Milliseconds above which a time is told apart from what else the machine does; and of the longest text that is read. */
const MEASURABLE = 20

/** The growth over so much of the length decides. */
const SPREAD = 8

/** Milliseconds of this process's own work, the least of some tries. */
function time(read: Reader, text: string, tries: number): number {
  const times = Array.from({ length: tries }, () => {
    const began = process.cpuUsage()
    read(text)
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

const repeatTo = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length))

/** The power of the length by which the time grows; 1 where even the longest text takes no time. */
function exponentOf(read: Reader, unit: string): number {
  let length = SMALL
  while (length < LARGE && time(read, repeatTo(unit, length), 1) < MEASURABLE) length *= 2
  const long = time(read, repeatTo(unit, length), 4)
  if (long < MEASURABLE / 2) return 1
  const short = time(read, repeatTo(unit, length / SPREAD), 4)
  return Math.log(long / Math.max(short, 0.1)) / Math.log(SPREAD)
}

/**
 * The highest power that passes. What grows with the square shows as 2; the collector of garbage and sorting alone make up to 1.4 of
 * what is linear, on texts as long as these.
 */
const MOST_EXPONENT = 1.5

/** Others use the machine, too: what grows too fast by itself does so each time. */
function leastExponent(read: Reader, unit: string): number {
  let least = Number.POSITIVE_INFINITY
  for (let times = 0; times < 6 && least > 1.2; times++) least = Math.min(least, exponentOf(read, unit))
  return least
}

describe('the time of each function', () => {
  it.each(Object.entries(FUNCTIONS))('%s grows with the length of its text', { tags: 'long' }, (_, read) => {
    const found = Object.entries(TEXTS).map(([name, unit]) => [name, leastExponent(read, unit)] as const)
    expect(found.filter(([, exponent]) => exponent > MOST_EXPONENT)).toEqual([])
  })

  it.each([
    ['sentencesOf', sentencesOf],
    ['spansOf', FUNCTIONS.spansOf as Reader],
  ] as const)('%s grows with the length of a text without spaces, also where there is no time for all', (_, read) => {
    for (const unit of ['[', '港口六点开放']) expect(leastExponent(read, unit)).toBeLessThanOrEqual(MOST_EXPONENT)
  })

  it('is told where it grows with the square', () => {
    const square: Reader = (text) => {
      let sum = 0
      for (let at = 0; at < text.length; at += 512) sum += text.lastIndexOf('¤', at)
      return sum
    }
    expect(leastExponent(square, '[')).toBeGreaterThan(1.5)
  })
})

/** What a parameter is called that may be a whole file. */
const OF_A_TEXT = /^(?:text|body|source|markdown|matter|inline|line|report|content|html|plain|prose|command)$/

/** Exported functions of a file whose first input is a text. */
function textFunctions(code: string): string[] {
  const found = code.matchAll(/^export (?:async )?function\*? (\w+)(?:<[^>]*>)?\(\s*(\w+): string\b/gm)
  return [...found].flatMap(([, name = '', input = '']) => (OF_A_TEXT.test(input) ? [name] : []))
}

/** Parsers that worker processes run, which are ended when they take too long. */
const IN_WORKERS = /^ingest\/extract\/(?!csv|text|title)/

describe('the list', () => {
  const rooms = /^(?:text|retrieval)\/[\w-]+\.ts$|^ingest\/|^research\/(?:extractive|report|routing)\//
  const sources = readSources('src').filter(({ file }) => rooms.test(file) && !IN_WORKERS.test(file))

  it('has every function that takes a text, or says why not', () => {
    const names = sources.flatMap(({ text }) => textFunctions(text))
    expect(names.length).toBeGreaterThan(40)
    expect(names.filter((name) => !(name in FUNCTIONS) && !(name in NOT_LISTED))).toEqual([])
  })

  it('finds a new one', () => {
    expect(textFunctions('export function countWords(text: string): number {')).toEqual(['countWords'])
    expect(textFunctions('export function isWithin(directory: string, path: string)')).toEqual([])
  })
})
