/** Time that grows with the length of a text, and no faster: of every function of the main thread that takes one. */

import { describe, expect, it } from 'vitest'
import { sentencesOf } from '../../src/text/sentences.ts'
import { readSources } from '../source-files.ts'
import { FUNCTIONS, growthOf, MOST_BESIDE_OTHERS, type Reader, TEXTS } from './growth.ts'

/** Functions whose texts are not whole files, or that are measured under another name; each with why. */
const NOT_LISTED: Readonly<Record<string, string>> = {
  readCommandLine: 'asynchronous: test/context/reach/shell.test.ts has its worst lines',
  tableMeaning: 'visitWords of a query',
  textElement: 'frameText of a text',
  factorOf: 'looks at 800 characters',
  satisfiesAll: 'holdsPhrase and scanTerms of a text',
  createFile: 'writes a file',
  replaceFile: 'writes a file',
  writeResult: 'writes a file',
  piecesOf: 'a part of buildLadder',
  fragmentOf: 'puts a text beside its name',
  writeSettings: 'a settings file of the user',
  digestFiles: 'files of this machine, hashed',
  documentText: 'adds a line end',
  assembleReport: 'joins parts of a report',
  claimKey: 'joins a claim and what it cites',
  openSpans: 'puts a text beside its spans',
  countLive: 'numbers',
  isHeading: 'looks at one character',
  lineText: 'one line',
  deflateLongText: 'a thread of Node compresses it',
  mapStrings: 'neutraliseData of each string',
  closeSpan: 'reads on from one mark, as markdownSpans has it',
  framedContext: 'joins strings that are escaped by escapeText',
  readSimple: 'a part of parseFrontMatter',
  parsedHeading: 'a part of firstHeading',
  quotationsIn: 'a part of checkQuotes',
  laterPattern: 'a pattern of this program',
  assertQuestion: 'the length of a question',
  splitQuestion: 'a question, of 4,000 characters at most',
  noteOn: 'a question, of 4,000 characters at most',
  reportWords: 'a question, of 4,000 characters at most',
  fillWords: 'a sentence of this program',
  bareClaim: 'a part of checkClaims',
  printPage: 'gives a page to a browser',
  answerIdOf: 'a name',
  confirm: 'a question of this program',
  questionMessage: 'puts a text beside attachments',
  hashOf: 'one identifier',
  definedBy: 'one line, of the length that scanDefinitions allows',
  isOfRun: 'looks at one character',
  bestBlocks: 'sentencesOf and scanTerms of a text',
  readAddress: 'an address',
  findExactly: 'an address',
  withEdits: 'a settings file of the user',
  withoutEdits: 'a settings file of the user',
  shownText: 'joins pieces of a text',
  isTokenSecret: 'a token',
  isForHeader: 'the value of a header',
  checkedUrl: 'a URL',
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
  failingParagraphs: 'checkQuotes and checkClaims of each paragraph',
  replaceParagraphs: 'joins paragraphs',
  translateText: 'a statement of this program',
  translateWords: 'a statement of this program',
  promptAsked: 'a line that a person types',
}

const exponentOf = (read: Reader, unit: string) => growthOf(read, unit, MOST_BESIDE_OTHERS).exponent

describe('the time of each function', () => {
  it.each(Object.entries(FUNCTIONS))('%s grows with the length of its text', { tags: 'long' }, (_, read) => {
    const found = Object.entries(TEXTS).map(([name, unit]) => [name, exponentOf(read, unit)] as const)
    expect(found.filter(([, exponent]) => exponent > MOST_BESIDE_OTHERS)).toEqual([])
  })

  it.each([
    ['sentencesOf', sentencesOf],
    ['spansOf', FUNCTIONS.spansOf as Reader],
    ['readQuestion', FUNCTIONS.readQuestion as Reader],
  ] as const)('%s grows with the length of a text without spaces, also where there is no time for all', (_, read) => {
    for (const unit of ['[', '港口六点开放']) expect(exponentOf(read, unit)).toBeLessThanOrEqual(MOST_BESIDE_OTHERS)
  })

  it('is told where it grows with the square', () => {
    const square: Reader = (text) => {
      let sum = 0
      for (let at = 0; at < text.length; at += 64) sum += text.lastIndexOf('¤', at)
      return sum
    }
    expect(exponentOf(square, '[')).toBeGreaterThan(MOST_BESIDE_OTHERS)
  })
})

/** What a parameter is called that may be a whole file. */
const OF_A_TEXT =
  /^(?:text|body|source|markdown|matter|inline|line|report|content|html|plain|prose|command|question|sentence|claim|quote|code)$/

/** The same, where it is not the first parameter, or a property of one: other words are too often something else there. */
const SURELY_A_TEXT = /^(?:text|body|markdown|html|content)$/

const FUNCTION = /^export (?:async )?function\*? (\w+)(?:<[^>]*>)?\(([\s\S]*?)\)(?:: |\s*\{$)/gm

/** Exported functions of a file that are given a text: as the first input, as another, or as a property of the first. */
function textFunctions(code: string): string[] {
  return [...code.matchAll(FUNCTION)].flatMap(([, name = '', inputs = '']) => {
    const [, first = ''] = /^\s*(\w+): string\b/.exec(inputs) ?? []
    const others = [...inputs.matchAll(/(\w+)\??: string\b(?!\[)/g)].map(([, input = '']) => input)
    const properties = /^\s*\{([^}]*)\}/.exec(inputs)?.[1]?.match(/(?<=^|[,{])\s*\w+(?=\s*(?:,|=|$))/g) ?? []
    const isGiven = [...others, ...properties].some((input) => SURELY_A_TEXT.test(input.trim()))
    return OF_A_TEXT.test(first) || isGiven ? [name] : []
  })
}

/** Parsers that worker processes run, which are ended when they take too long. */
const IN_WORKERS = /^ingest\/extract\/(?!csv|text|title)/

describe('the list', () => {
  const sources = readSources('src').filter(({ file }) => !IN_WORKERS.test(file))

  it('has every function that takes a text, or says why not', () => {
    const names = sources.flatMap(({ text }) => textFunctions(text))
    expect(names.length).toBeGreaterThan(100)
    expect(names.filter((name) => !(name in FUNCTIONS) && !(name in NOT_LISTED))).toEqual([])
  })

  it('finds a new one', () => {
    for (const inputs of [
      'text: string',
      'path: string, text: string',
      '{ kind, text }: Unit',
      '\n  { text, at = 1 }: Unit,\n  most: number,\n',
    ])
      expect(textFunctions(`export function countWords(${inputs}): number {`)).toEqual(['countWords'])
    expect(textFunctions('export function isWithin(directory: string, path: string): boolean {')).toEqual([])
  })
})
