/** How the time of a function grows with the length of its text: what is measured, and of which functions. */

import { join } from 'node:path'
import { shortLine } from '../../src/agent/tool-servers/offers.ts'
import { parseCode } from '../../src/code/definitions.ts'
import { encodeRecord } from '../../src/code/index/file-record.ts'
import { scanIdentifiers } from '../../src/code/index/identifiers.ts'
import { parseTask, termCoverage } from '../../src/code/task-query.ts'
import { buildLadder } from '../../src/context/passes/budget/ladder.ts'
import { isMaintainersComment } from '../../src/context/passes/budget/pieces.ts'
import { parseSettings } from '../../src/context/profiles/settings-file.ts'
import { shortDigest } from '../../src/context/session.ts'
import { readMarked, withMark, withYamlMark } from '../../src/context/sync/mark.ts'
import { namesInBlock, withIgnoreBlock } from '../../src/context/sync/sync.ts'
import { bytes4 } from '../../src/core/tokens.ts'
import { commandLines } from '../../src/drift/citations/commands.ts'
import { citedPath, destinationIn, isExample, isFileName, mayBeAbsent } from '../../src/drift/citations/shape.ts'
import { structureOf } from '../../src/drift/citations/structure.ts'
import { readWordVectors } from '../../src/files/home.ts'
import { extractText, headerColumns } from '../../src/ingest/extract/text.ts'
import { chunksOf } from '../../src/ingest/indexing/chunks.ts'
import { parseJson, readJson } from '../../src/quilt/packages/json.ts'
import { readHeaderRecord, readRecord } from '../../src/quilt/records.ts'
import { toHtml } from '../../src/research/export/html.ts'
import { itemText } from '../../src/research/extractive/passages.ts'
import { CitationNumbers, numberCitations, renumber } from '../../src/research/report/citations.ts'
import { checkQuotes, isQuoted, isVerbatim, whyUnsupported } from '../../src/research/report/claim-check.ts'
import { checkClaims, statementsIn } from '../../src/research/report/claims.ts'
import { findUnsupportedNumber } from '../../src/research/report/numbers.ts'
import { reportLanguage, searchLanguage } from '../../src/research/report/report-words.ts'
import { numbersIn } from '../../src/research/report/written-numbers.ts'
import { nearestParagraphs } from '../../src/research/routing/route.ts'
import { spansOf } from '../../src/research/run/spans.ts'
import { textWork } from '../../src/research/run/text-work.ts'
import { copiesAmong } from '../../src/research/web/page-dates.ts'
import { scanWords, wordAround } from '../../src/retrieval/index/words.ts'
import { passageCuts, readRows } from '../../src/retrieval/meaning/text-vectors.ts'
import { VectorTable, visitWords } from '../../src/retrieval/meaning/word-table.ts'
import { NearestPassages } from '../../src/retrieval/nearest-passages.ts'
import { bestBlocks } from '../../src/retrieval/passages/best-blocks.ts'
import { exactTextsIn, indexedNames } from '../../src/retrieval/ranking/names.ts'
import { RunFinder } from '../../src/retrieval/reread.ts'
import { foldedWords, holdsPhrase, passageAround, snippetsOf } from '../../src/retrieval/snippets.ts'
import { positionsOf } from '../../src/retrieval/substrings.ts'
import { scanTerms } from '../../src/retrieval/terms.ts'
import { splitTextUnits } from '../../src/retrieval/units.ts'
import { wrapLines } from '../../src/surfaces/cli/table.ts'
import { parseHookEvent } from '../../src/surfaces/hook/event.ts'
import { plainBlocksOf } from '../../src/text/blocks.ts'
import { cutElements, fitElements } from '../../src/text/elements.ts'
import { fencesIn, fenceText } from '../../src/text/fences.ts'
import { frameText } from '../../src/text/frames.ts'
import { splitFrontMatter } from '../../src/text/front-matter.ts'
import { headingsAbove } from '../../src/text/headings.ts'
import { serializeVisibly } from '../../src/text/invisible.ts'
import { lineStarts, trimLines } from '../../src/text/lines.ts'
import { displayText, marksOf } from '../../src/text/markdown.ts'
import { documentParts } from '../../src/text/markdown-docx.ts'
import { htmlOfMarkdown } from '../../src/text/markdown-html.ts'
import { commentsIn, markdownSpans } from '../../src/text/markdown-spans.ts'
import { splitPoints } from '../../src/text/split-points.ts'
import { trimBoth, trimEnd } from '../../src/text/trim.ts'
import { byteEnd, byteStart, clipBytes, clipMarked } from '../../src/text/truncate.ts'
import { ROOT, readSources } from '../source-files.ts'

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

const TABLE = new VectorTable(readWordVectors())

const NO_LISTENER: Parameters<typeof scanTerms>[1] = { main: () => {}, extra: () => {} }

/** Functions whose texts are not whole files, or that are measured under another name; each with why. */
export const NOT_LISTED: Readonly<Record<string, string>> = {
  readCommandLines: 'asynchronous: test/context/reach/shell.test.ts has its worst lines',
  askTable: 'visitWords of a query',
  tableMeaning: 'visitWords of a query',
  textElement: 'frameText of a text',
  trustedElement: 'elementsOf a text, and frameText of the paths in it',
  askTrust: 'elementsOf a text, as trustedElement',
  trustQuestion: 'elementsOf a text, as trustedElement',
  paragraphOf: 'keeps the text as it is',
  firstShown: 'nearestParagraphs of a text',
  excerptFor: 'nearestParagraphs of a text',
  excerptOf: 'nearestParagraphs of a text',
  factorOf: 'looks at 800 characters',
  satisfiesAll: 'holdsPhrase and scanTerms of a text',
  satisfiesTexts: 'holdsPhrase and scanTerms of a text',
  withPackage: 'reads an address, which is short',
  withRevision: 'reads an address, which is short',
  deflateInThread: 'compresses a text on a thread of Node.js',
  createFile: 'writes a file',
  writeUserFile: 'writes a file',
  uploadRow: 'sends a file',
  toReportClaim: 'puts a statement beside its citations',
  replaceFile: 'writes a file',
  piecesOf: 'a part of buildLadder',
  fragmentOf: 'puts a text beside its name',
  digestFiles: 'files of this machine, hashed',
  documentText: 'adds a line end',
  assembleReport: 'joins parts of a report',
  claimKey: 'joins a claim and what it cites',
  countLive: 'numbers',
  isHeading: 'looks at one character',
  lineText: 'one line',
  deflateLongText: 'a thread of Node compresses it',
  mapStrings: 'a function of the caller, of each string',
  closeSpan: 'reads on from one mark, as markdownSpans has it',
  frameContext: 'joins strings that are escaped by escapeText',
  readSimple: 'a part of parseFrontMatter',
  recordsIn: 'a part of splitRecords',
  quotationsIn: 'a part of checkQuotes',
  replaceRanges: 'a part of renumber',
  jsonPrompt: 'a prompt of this program',
  lazyPattern: 'a pattern of this program',
  assertQuestion: 'the length of a question',
  splitQuestion: 'a question, of 4,000 characters at most',
  reportWords: 'a question, of 4,000 characters at most',
  fillWords: 'a sentence of this program',
  printPage: 'gives a page to a browser',
  answerIdOf: 'a name',
  confirm: 'a question of this program',
  questionMessage: 'puts a text beside attachments',
  hashOf: 'one identifier',
  definitionOn: 'one line, of the length that scanDefinitions allows',
  isUnspaced: 'looks at one character',
  readAddress: 'an address',
  findExactly: 'an address',
  withEdits: 'a settings file of the user',
  withoutEdits: 'a settings file of the user',
  shownText: 'joins pieces of a text',
  isTokenSecret: 'a token',
  fitsInHeader: 'the value of a header',
  requirePageUrl: 'a URL',
  shownUrl: 'a URL',
  retryAfterMs: 'a header',
  queryOf: 'a query, cut before',
  rephraseCommands: 'a message of this program',
  attributeIn: 'an element of this program',
  isTopHash: 'a hash',
  parseSpec: 'the name of a package',
  unescapeOnce: 'a part of an address',
  unescapeQuery: 'a part of an address',
  escapeQuery: 'a part of an address',
  numberOf: 'a number',
  parsePhysicalKey: 'an address',
  pythonNumber: 'a number',
  packagePlace: 'an address',
  bucketAddress: 'an address',
  registryPlace: 'an address',
  isPackageUri: 'an address',
  parsePackageUri: 'an address',
  aliasOf: 'a name',
  isStub: 'the length of a text',
  translateText: 'a statement of this program',
  translateWords: 'a statement of this program',
  questionOfPrompt: 'a line that a person types',
  cutLine: 'slices a text',
}

/** What a parameter is called that may be a whole file. */
export const OF_A_TEXT =
  /^(?:text|body|source|markdown|matter|inline|line|report|content|html|plain|prose|command|question|sentence|claim|quote|code)$/

const OF_ONE_TEXT = /^export function (\w+)\((\w+): string\)(?:: |\s*\{$)/gm

/** Parsers that worker processes run, which are ended when they take too long. */
export const IN_WORKERS = /^ingest\/extract\/(?!csv|text|title)/

/** The functions that take a text and nothing else: a new one is measured without a word here. */
async function functionsOfOneText(): Promise<Record<string, Reader>> {
  const found: Record<string, Reader> = {}
  for (const { file, text } of readSources('src')) {
    const names = [...text.matchAll(OF_ONE_TEXT)].filter(
      ([, name = '', parameter = '']) => OF_A_TEXT.test(parameter) && !(name in NOT_LISTED) && !IN_WORKERS.test(file),
    )
    if (names.length === 0) continue
    const module: Readonly<Record<string, Reader>> = await import(join(ROOT, 'src', file))
    for (const [, name = ''] of names) found[name] = module[name] as Reader
  }
  return found
}

/** Every function of the main thread that takes a whole text, by its name. */
export const FUNCTIONS: Readonly<Record<string, Reader>> = {
  ...(await functionsOfOneText()),
  bestBlocks: (text) => bestBlocks(text, [{ forms: ['six', 'a', '['], weight: 1, idf: 2, cover: 1 }], 6),
  citedPath,
  commandLines: (text) => commandLines(text, 'sh'),
  destinationIn,
  documentParts: (text) => documentParts('a', text),
  exactTextsIn: (text) => exactTextsIn({ text, plain: text }).map(({ grade }) => grade(text, text)),
  encodeRecord: (text) => ['a.ts', 'a.py', 'a.md'].map((path) => encodeRecord(path, text)),
  frameText: (text) => frameText({ tag: 'a', attributes: { title: text }, text }),
  readHeaderRecord: asJson(readHeaderRecord),
  indexedNames: (text) => indexedNames({ title: 'a', metadata: {} }, text),
  parseHookEvent: asJson(parseHookEvent),
  isFileName,
  isExample,
  isGenerated: mayBeAbsent,
  isMaintainersComment: (text) => isMaintainersComment({ kind: 'html', start: 0, end: text.length, whole: [] }, text),
  isQuoted: (text) => isQuoted(text, text),
  buildLadder: (text) => {
    const kept = [{ kind: 'context', title: 'a', text, origin: { uri: 'file:///a' } }]
    const step = { focus: { task: text.slice(0, 200) }, count: bytes4, emit: () => {}, measure: () => 0 }
    buildLadder({ kept, left: [], warnings: [] }, step, () => 'recent-first').upTo(1)
  },
  parseCode: (text) => ['a.ts', 'a.py', 'a.go', 'a.c', 'a.md'].map((path) => parseCode(path, text)),
  parseJson: asJson(parseJson),
  parseSettings: asJson(parseSettings),
  parseTask: (text) => parseTask(text),
  readJson: asJson(readJson),
  readRecord: asJson((text) => readRecord(text, 1)),
  scanIdentifiers: (text) => scanIdentifiers(text, () => {}),
  scanWords: (text) => scanWords(text, { word: () => {}, unspacedRun: () => {}, compound: () => {} }),
  serializeVisibly,
  shortLine: (text) => shortLine(text),
  shortDigest: (text) => shortDigest(text, 8),
  structureOf: (text) => structureOf(text)(1),
  termCoverage: (text) => termCoverage(text, new Map([[1, 1]])),
  wordAround: (text) => wordAround(text, text.length >> 1),
  wrapLines: (text) => wrapLines(text, 80),
  byteEnd: (text) => byteEnd(text, 0, text.length - 1),
  byteStart: (text) => byteStart(text, text.length, text.length - 1),
  checkQuotes: (text) => checkQuotes(text, () => ({ text, context: text }), text),
  checkClaims: (text) => checkClaims(text, { ...NOTHING_READ, numbers: new CitationNumbers() }),
  checkClaimsCited: (text) => checkClaims(text, { ...ALL_READ, numbers: citedUpTo(1000) }),
  isVerbatim: (text) => isVerbatim(text, [{ text, context: '' }]),
  numberCitations: (text) => numberCitations(text, (name) => name, new CitationNumbers()),
  renumber: (text) => renumber(text, citedUpTo(1000)),
  findUnsupportedNumber: (text) =>
    findUnsupportedNumber(text, { passages: [{ text: `${text} 1` }], otherTexts: [], question: text }),
  clipBytes: (text) => clipBytes(text, text.length - 1),
  clipMarked: (text) => clipMarked(text, text.length - 1),
  chunksOf: (text) => chunksOf(text, { isMarkdown: true }),
  commentsIn: (text) => [...commentsIn(text)],
  cut: (text) => textWork.cut({ text, syntax: 'markdown' }),
  cutElements: (text) => cutElements(text, text.length >> 1, SHOW),
  extractText: (text) => extractText('a.md', ENCODER.encode(text)),
  fencesIn,
  fenceText,
  fitElements: (text) => fitElements(text, text.length >> 1, SHOW),
  headerColumns,
  headingsAbove: (text) => headingsAbove(text, lineStarts(text), lineStarts(text).length - 1),
  holdsPhrase: (text) => holdsPhrase(text, ['six', 'seven']),
  foldedWords,
  htmlOfMarkdown: (text) => htmlOfMarkdown(text, new Map()),
  marksOf: (text) => marksOf(text, {}),
  displayText,
  itemText: (text) => itemText({ text }),
  reportLanguage: (text) => [reportLanguage(text), reportLanguage('', text)],
  nearestPassages: (text) => new NearestPassages(splitTextUnits(text)).nearest(text.slice(0, 200)),
  nearestParagraphs: (text) => nearestParagraphs(text, [text.slice(0, 100)], 2000),
  searchLanguage: (text) => searchLanguage(text),
  copiesAmong: (text) => copiesAmong([{ url: 'a', text }]),
  passageAround: (text) => passageAround(text, { span: { start: text.length >> 1, end: (text.length >> 1) + 9 } }),
  positionsOf: (text) => positionsOf('six', text, 1000),
  scanTerms: (text) => scanTerms(text, NO_LISTENER),
  splitPoints: (text) => plainBlocksOf(text).map((block) => splitPoints(text, block)),
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
  splitTextUnits,
  markdownSpans: (text) => [...markdownSpans(text)],
  trimBoth: (text) => trimBoth(text, ' a['),
  trimEnd: (text) => trimEnd(text, ' a['),
  trimLines: (text) => trimLines(text, '\n'),
  toHtml: (text) => toHtml({ question: 'a', markdown: text, sources: [] }),
  numbersIn: (text) => numbersIn(`${text}1name`, true),
  namesInBlock: (text) => namesInBlock(`# ambit sync\n${text}`),
  withIgnoreBlock: (text) => withIgnoreBlock(text, ['a'], true),
  withMark: (text) => withMark('a', [], text),
  withYamlMark: (text) => withYamlMark('a', text),
  readMarked: (text) => readMarked(withMark('a', [], text)),
  whyUnsupported: (text) => whyUnsupported('12 of 6', [], { ...NOTHING_READ, sources: [{ text, context: '' }] }),
  statementsIn: (text) => statementsIn(text, { ...ALL_READ, numbers: citedUpTo(9) }),
  longestRun: (text) => new RunFinder(text.slice(0, 1000).split(' '), 7).longest(text.split(' '), () => true),
  passageCuts: (text) => passageCuts(text),
  readRows: (text) => readRows(TABLE, '', text),
  visitWords: (text) => visitWords(text, () => {}),
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
  marks: 'ש\u200f\u{e0061}',
  escapes: '\u001b[',
  'reference definitions': '[a]: b\n',
  fences: '````\n',
  frames: '  at a.b.c.d (a:1:1',
  functions: 'static int f(int a) { return a; }\n',
  imports: '@a\\ .md ',
  keys: 'a: ',
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

function growthUpTo(most: number, tries: number, read: Reader, unit: string): Growth {
  let length = SMALL
  while (length < most && time(read, repeatTo(unit, length), 1) < MEASURABLE) length *= 2
  const ms = time(read, repeatTo(unit, length), tries)
  if (ms < MEASURABLE / 2) return { exponent: 1, ms, length }
  const short = time(read, repeatTo(unit, length / SPREAD), tries)
  return { exponent: Math.log(ms / Math.max(short, 0.1)) / Math.log(SPREAD), ms, length }
}

/** The least of some: others use the machine, too, and what grows too fast by itself does so each time, and at any length. */
export function growthOf(read: Reader, unit: string, mostExponent = MOST_EXPONENT): Growth {
  let least: Growth | undefined
  for (const [at, most] of [LARGE, LARGE, LARGE, LARGEST, LARGEST].entries()) {
    const growth = growthUpTo(most, at === 0 ? 1 : 4, read, unit)
    if (!least || growth.exponent < least.exponent) least = growth
    if (least.exponent <= mostExponent) break
  }
  return least ?? { exponent: 1, ms: 0, length: 0 }
}
