/** Time that grows with the length of a text, and no faster: of every function of the main thread that takes one. */

import { describe, expect, it } from 'vitest'
import { sentencesOf } from '../../src/text/sentences.ts'
import { readSources } from '../source-files.ts'
import {
  FUNCTIONS,
  growthOf,
  IN_WORKERS,
  MOST_BESIDE_OTHERS,
  NOT_LISTED,
  OF_A_TEXT,
  type Reader,
  TEXTS,
} from './growth.ts'

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

  it('is told where it grows with the square', { tags: 'long' }, () => {
    const square: Reader = (text) => {
      let sum = 0
      for (let at = 0; at < text.length; at += 64) sum += text.lastIndexOf('¤', at)
      return sum
    }
    expect(exponentOf(square, '[')).toBeGreaterThan(MOST_BESIDE_OTHERS)
  })
})

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
