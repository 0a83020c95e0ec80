/** How the time of a function grows with the length of its text: what is measured, and of which functions. */

import { noticeElement } from '../../src/agent/assistant/place-elements.ts'
import { parseCode } from '../../src/code/definitions.ts'
import { encodeRecord } from '../../src/code/index/file-record.ts'
import { isMinified } from '../../src/code/index/file-role.ts'
import { scanIdentifiers } from '../../src/code/index/identifiers.ts'
import { withoutTemplate } from '../../src/code/parse/definition-patterns.ts'
import { indentOf } from '../../src/code/parse/definition-scan.ts'
import { englishFor } from '../../src/code/ranking/chinese-terms.ts'
import { framesIn, pathsIn, withoutNoise } from '../../src/code/ranking/task-mentions.ts'
import { taskLines } from '../../src/code/ranking/task-sections.ts'
import { parseTask, termCoverage } from '../../src/code/task-query.ts'
import { importsIn } from '../../src/context/discovery/imports.ts'
import { pointersIn } from '../../src/context/discovery/pointers.ts'
import { buildLadder } from '../../src/context/passes/budget/ladder.ts'
import { isMaintainersComment } from '../../src/context/passes/budget/pieces.ts'
import { parseSettings } from '../../src/context/profiles/settings-file.ts'
import { literalValue } from '../../src/context/reach/shell/shell-words.ts'
import { partDigests, shortDigest } from '../../src/context/session.ts'
import { namesInBlock, withIgnoreBlock } from '../../src/context/sync/ignore-block.ts'
import { readMarked, withMark, withYamlMark } from '../../src/context/sync/mark.ts'
import { shownName } from '../../src/context/task/code-fragments.ts'
import { bytes4, utf8Length } from '../../src/core/tokens.ts'
import { anchorsIn } from '../../src/drift/citations/anchors.ts'
import { commandsIn } from '../../src/drift/citations/commands.ts'
import { referencesIn } from '../../src/drift/citations/references.ts'
import { commandLines, simpleCommands } from '../../src/drift/citations/shell.ts'
import { structureOf } from '../../src/drift/citations/structure.ts'
import { headerColumns } from '../../src/ingest/extract/csv.ts'
import { extractText } from '../../src/ingest/extract/text.ts'
import { firstHeading } from '../../src/ingest/extract/title.ts'
import { chunksOf } from '../../src/ingest/indexing/chunks.ts'
import { inline } from '../../src/operations/path-contexts/described.ts'
import { quoteForeign } from '../../src/quilt/names.ts'
import { parseJson, readJson } from '../../src/quilt/packages/json.ts'
import { pythonString } from '../../src/quilt/packages/top-hash.ts'
import { headerOf, readRecord } from '../../src/quilt/records.ts'
import { toHtml } from '../../src/research/export/html.ts'
import { itemText } from '../../src/research/extractive/passages.ts'
import { objectIn, withoutReasoning } from '../../src/research/model/answer.ts'
import { CitationNumbers, numberCitations, renumber, withoutCode } from '../../src/research/report/citations.ts'
import { isVerbatim, whyNumberUnheld } from '../../src/research/report/claim-check.ts'
import { checkClaims, statementsIn } from '../../src/research/report/claims.ts'
import { numbersIn, toDigits } from '../../src/research/report/number-words.ts'
import { unheldNumber } from '../../src/research/report/numbers.ts'
import { plainLine } from '../../src/research/report/plain.ts'
import { checkQuotes, isQuoted } from '../../src/research/report/quotes.ts'
import { reportLanguage, searchLanguage } from '../../src/research/report/report-words.ts'
import { nearestParagraphs, termsIn } from '../../src/research/routing/terms.ts'
import { spansOf } from '../../src/research/run/spans.ts'
import { textWork } from '../../src/research/run/text-work.ts'
import { parseRobots } from '../../src/research/web/robots.ts'
import { scanWords, wordAround } from '../../src/retrieval/index/words.ts'
import { plainLetters, visitWords } from '../../src/retrieval/meaning/scan-words.ts'
import { passageCuts } from '../../src/retrieval/meaning/text-vectors.ts'
import { passageAround } from '../../src/retrieval/passage.ts'
import { readQuestion } from '../../src/retrieval/passages/question.ts'
import { parseQuery } from '../../src/retrieval/query.ts'
import { exactTextsIn, tellingTerms } from '../../src/retrieval/ranking/names.ts'
import { indexedNames } from '../../src/retrieval/ranking/own-names.ts'
import { plainOf } from '../../src/retrieval/ranking/windows.ts'
import { holdsPhrase, snippetsOf } from '../../src/retrieval/snippets.ts'
import { placesOf, withoutCase } from '../../src/retrieval/substrings.ts'
import { composeText, mainTerms, scanTerms } from '../../src/retrieval/terms.ts'
import { splitTextUnits } from '../../src/retrieval/units.ts'
import { deflateText } from '../../src/stores/deflated.ts'
import { wrapLines } from '../../src/surfaces/cli/table.ts'
import { hookEvent } from '../../src/surfaces/hook/event.ts'
import { neutraliseData, neutraliseText } from '../../src/surfaces/mcp/exit.ts'
import { blocksOf, checkbox, plainBlocksOf } from '../../src/text/blocks.ts'
import { escapedInLine, fillBlank, proseOf, unescapedOf, withoutSpans } from '../../src/text/code.ts'
import { displayWidth } from '../../src/text/columns.ts'
import { joinLines, oneLine, stripControls, textLine } from '../../src/text/controls.ts'
import { cutElements, elementsOf, fitElements, unescapeText } from '../../src/text/elements.ts'
import { closeFence, withoutFences } from '../../src/text/fences.ts'
import { frameText } from '../../src/text/frames.ts'
import { splitFrontMatter } from '../../src/text/front-matter.ts'
import { gitignore } from '../../src/text/gitignore.ts'
import { headingsAbove, plainHeading, readHeading } from '../../src/text/headings.ts'
import { neutralise, serializeVisibly } from '../../src/text/invisible.ts'
import { countLineEnds, lineStarts, trimLines } from '../../src/text/lines.ts'
import { marksOf, parseBlocks } from '../../src/text/markdown.ts'
import { documentParts } from '../../src/text/markdown-docx.ts'
import { htmlOfMarkdown } from '../../src/text/markdown-html.ts'
import { commentsIn, markdownSpans } from '../../src/text/markdown-spans.ts'
import { parseFrontMatter } from '../../src/text/metadata.ts'
import { contentOf, parseMarkdown } from '../../src/text/parse.ts'
import { patchPaths } from '../../src/text/patch-paths.ts'
import { foldedPath } from '../../src/text/paths.ts'
import { findSecret } from '../../src/text/secrets.ts'
import { isHeadingLine, sectionsOf } from '../../src/text/sections.ts'
import { sentencesOf } from '../../src/text/sentences.ts'
import { splitPoints } from '../../src/text/split-points.ts'
import { guessDelimiter, splitRecords } from '../../src/text/tables.ts'
import { trimBoth, trimEnd } from '../../src/text/trim.ts'
import { byteEnd, byteStart, clipBytes, clipMarked } from '../../src/text/truncate.ts'
import { typewritten } from '../../src/text/typography.ts'
import { escapeAttribute, escapeHtml, escapeText, illegalIn } from '../../src/text/xml.ts'

export type Reader = (text: string) => unknown

const ENCODER = new TextEncoder()
/** Of a text as it is, which is often refused at once, and as a string of JSON. */
function asJson(read: Reader): Reader {
  return (text) => {
    for (const one of [text, JSON.stringify({ a: text })]) {
      try {
        read(one)
      } catch {}
    }
  }
}

const SHOW = () => 'cut'
const NOTHING_READ = { sourceOf: () => undefined, question: '', computed: [] }
const ALL_READ = { ...NOTHING_READ, sourceOf: (ref: string) => ({ text: ref, context: '' }) }

/** What the numbers of a text lead to, up to that one. */
function citedUpTo(most: number): CitationNumbers {
  const numbers = new CitationNumbers()
  for (let at = 0; at < most; at++) numbers.numberOf(`a.md::S${at}`)
  return numbers
}

const NO_LISTENER: Parameters<typeof scanTerms>[1] = { main: () => {}, extra: () => {} }

/** Every function of the main thread that takes a whole text, by its name. */
export const FUNCTIONS: Readonly<Record<string, Reader>> = {
  anchorsIn,
  commandLines: (text) => commandLines(text, 'sh'),
  commandsIn,
  deflateText,
  documentParts: (text) => documentParts('a', text),
  exactTextsIn: (text) => exactTextsIn({ text, plain: text }).map(({ grade }) => grade(text, text)),
  encodeRecord: (text) => ['a.ts', 'a.py', 'a.md'].map((path) => encodeRecord(path, text)),
  frameText: (text) => frameText({ tag: 'a', attributes: { title: text }, text }),
  framesIn,
  headerOf: asJson(headerOf),
  tellingTerms,
  indexedNames: (text) => indexedNames({ title: 'a', metadata: {} }, text),
  hookEvent: asJson(hookEvent),
  importsIn,
  indentOf,
  inline,
  isMaintainersComment: (text) => isMaintainersComment({ kind: 'html', start: 0, end: text.length, whole: [] }, text),
  isMinified,
  isQuoted: (text) => isQuoted(text, text),
  buildLadder: (text) => {
    const kept = [{ kind: 'context', title: 'a', text, origin: { uri: 'file:///a' } }]
    const step = { focus: { task: text.slice(0, 200) }, count: bytes4, emit: () => {}, measure: () => 0 }
    buildLadder({ kept, left: [], warnings: [] }, step, () => 'written').upTo(1)
  },
  neutraliseData,
  neutraliseText,
  noticeElement,
  parseCode: (text) => ['a.ts', 'a.py', 'a.go', 'a.md'].map((path) => parseCode(path, text)),
  objectIn,
  parseJson: asJson(parseJson),
  parseSettings: asJson(parseSettings),
  parseTask: (text) => parseTask(text),
  partDigests,
  pathsIn,
  plainOf,
  pointersIn,
  pythonString,
  quoteForeign,
  readJson: asJson(readJson),
  readQuestion,
  readRecord: asJson((text) => readRecord(text, 1)),
  referencesIn,
  scanIdentifiers: (text) => scanIdentifiers(text, () => {}),
  scanWords: (text) => scanWords(text, { word: () => {}, run: () => {}, compound: () => {} }),
  serializeVisibly,
  shortDigest: (text) => shortDigest(text, 8),
  simpleCommands,
  structureOf: (text) => structureOf(text)(1),
  taskLines,
  termCoverage: (text) => termCoverage(text, new Map([[1, 1]])),
  utf8Length,
  shownName,
  withoutNoise,
  withoutTemplate,
  wordAround: (text) => wordAround(text, text.length >> 1),
  wrapLines: (text) => wrapLines(text, 80),
  blocksOf,
  byteEnd: (text) => byteEnd(text, 0, text.length - 1),
  byteStart: (text) => byteStart(text, text.length, text.length - 1),
  checkQuotes: (text) => checkQuotes(text, () => text),
  checkClaims: (text) => checkClaims(text, { ...NOTHING_READ, numbers: new CitationNumbers() }),
  checkClaimsCited: (text) => checkClaims(text, { ...ALL_READ, numbers: citedUpTo(1000) }),
  isVerbatim: (text) => isVerbatim(text, [{ text, context: '' }]),
  numberCitations: (text) => numberCitations(text, (name) => name, new CitationNumbers()),
  renumber: (text) => renumber(text, citedUpTo(1000)),
  unheldNumber: (text) => unheldNumber(text, { passages: [{ text: `${text} 1` }], beside: [], question: text }),
  checkbox,
  clipBytes: (text) => clipBytes(text, text.length - 1),
  clipMarked: (text) => clipMarked(text, text.length - 1),
  closeFence,
  chunksOf: (text) => chunksOf(text, { isMarkdown: true }),
  commentsIn: (text) => [...commentsIn(text)],
  composeText,
  contentOf,
  cut: (text) => textWork.cut({ text, syntax: 'markdown' }),
  cutElements: (text) => cutElements(text, text.length >> 1, SHOW),
  displayWidth,
  elementsOf,
  englishFor,
  escapeAttribute,
  escapeHtml,
  escapeText,
  escapedInLine,
  extractText: (text) => extractText('a.md', ENCODER.encode(text)),
  fillBlank,
  findSecret,
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
  countLineEnds: (text) => countLineEnds(text, 0, text.length),
  joinLines,
  lineStarts,
  mainTerms,
  marksOf: (text) => marksOf(text, {}),
  neutralise,
  itemText: (text) => itemText({ text }),
  reportLanguage: (text) => [reportLanguage(text), reportLanguage('', text)],
  nearestParagraphs: (text) => nearestParagraphs(text, text.slice(0, 100), 2000),
  searchLanguage: (text) => searchLanguage(text),
  oneLine,
  parseBlocks,
  parseFrontMatter,
  parseMarkdown,
  parseQuery,
  parseRobots,
  passageAround: (text) => passageAround(text, { span: { start: text.length >> 1, end: (text.length >> 1) + 9 } }),
  patchPaths,
  placesOf: (text) => placesOf('six', text, 1000),
  plainBlocksOf,
  plainHeading,
  plainLine,
  proseOf,
  scanTerms: (text) => scanTerms(text, NO_LISTENER),
  splitPoints: (text) => plainBlocksOf(text).map((block) => splitPoints(text, block)),
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
  markdownSpans: (text) => [...markdownSpans(text)],
  stripControls,
  termsIn,
  readHeading,
  textLine,
  trimBoth: (text) => trimBoth(text, ' a['),
  trimEnd: (text) => trimEnd(text, ' a['),
  trimLines: (text) => trimLines(text, '\n'),
  toHtml: (text) => toHtml({ question: 'a', markdown: text, sources: [] }),
  toDigits,
  numbersIn: (text) => numbersIn(text, true),
  typewritten,
  unescapeText,
  unescapedOf,
  literalValue,
  namesInBlock: (text) => namesInBlock(`# ambit sync\n${text}`),
  withIgnoreBlock: (text) => withIgnoreBlock(text, ['a'], true),
  withMark: (text) => withMark('a', [], text),
  withYamlMark: (text) => withYamlMark('a', text),
  readMarked: (text) => readMarked(withMark('a', [], text)),
  withoutReasoning: (text) => withoutReasoning(`<think>${text}`),
  withoutCode,
  whyNumberUnheld: (text) => whyNumberUnheld('12 of 6', [{ text, context: '' }], NOTHING_READ),
  statementsIn: (text) => statementsIn(text, { ...ALL_READ, numbers: citedUpTo(9) }),
  plainLetters,
  visitWords: (text) => visitWords(text, () => {}),
  passageCuts,
  withoutCase,
  withoutFences,
  withoutSpans,
}

export const TEXTS: Readonly<Record<string, string>> = {
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
  thousands: '1,000,',
  'lists of citations': `[${'a.md::S1, '.repeat(16)}\n`,
  amounts: 'about 12.5 million, €12,500,000 on 12 March 1998, ',
}

const SMALL = 10_000
const LARGE = 320_000

/** Where a linear function has not shown by then that it is one: caches and the collector of garbage have their own steps. */
const LARGEST = 1_280_000

/** Milliseconds above which a time is told apart from what else the machine does. */
const MEASURABLE = 20

/** The growth over so much of the length decides. */
const SPREAD = 8

/** The highest power that `npm run growth` lets pass. What grows with the square shows as 2. */
export const MOST_EXPONENT = 1.2

/** The highest that a test lets pass: beside others, the collector of garbage and the caches make up to 1.4 of what is linear. */
export const MOST_BESIDE_OTHERS = 1.5

export interface Growth {
  /** The power of the length by which the time grows; 1 where even the longest text takes no time. */
  readonly exponent: number
  /** Of the longest text, and its length. */
  readonly ms: number
  readonly length: number
}

/** Milliseconds of this process's own work, the least of some tries. What is refused took its time, too. */
function time(read: Reader, text: string, tries: number): number {
  const times = Array.from({ length: tries }, () => {
    const began = process.cpuUsage()
    try {
      read(text)
    } catch {}
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

const repeatTo = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length))

function growthUpTo(most: number, read: Reader, unit: string): Growth {
  let length = SMALL
  while (length < most && time(read, repeatTo(unit, length), 1) < MEASURABLE) length *= 2
  const ms = time(read, repeatTo(unit, length), 4)
  if (ms < MEASURABLE / 2) return { exponent: 1, ms, length }
  const short = time(read, repeatTo(unit, length / SPREAD), 4)
  return { exponent: Math.log(ms / Math.max(short, 0.1)) / Math.log(SPREAD), ms, length }
}

/** The least of some: others use the machine, too, and what grows too fast by itself does so each time, and at any length. */
export function growthOf(read: Reader, unit: string, mostExponent = MOST_EXPONENT): Growth {
  let least: Growth | undefined
  for (const most of [LARGE, LARGE, LARGE, LARGEST, LARGEST]) {
    const growth = growthUpTo(most, read, unit)
    if (!least || growth.exponent < least.exponent) least = growth
    if (least.exponent <= mostExponent) break
  }
  return least ?? { exponent: 1, ms: 0, length: 0 }
}
