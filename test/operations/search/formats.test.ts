import MarkdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import type { SearchAnswer } from '../../../src/collections/answers.ts'
import { printAnswer } from '../../../src/operations/search/formats.ts'
import { uriOf } from '../../../src/text/collection-uri.ts'
import { oneLine } from '../../../src/text/controls.ts'
import { neutralise } from '../../../src/text/invisible.ts'
import { elementsOf } from '../../context/renderers/xml-scanner.ts'
import { fc, forAll } from '../../support/property.ts'

type Result = SearchAnswer['results'][number]

const HIT: Result = {
  docid: '#abcdef01',
  collection: 'docs',
  path: 'api/retry.md',
  uri: 'ambit://docs/api/retry.md',
  title: 'Retries',
  score: 0.5,
  snippet: 'Retry after a timeout,\nthree times.',
  lines: { start: 12, end: 13 },
  highlights: [],
  headings: ['Retries'],
  contexts: [],
}

function answered(...results: readonly Partial<Result>[]): SearchAnswer {
  const hits = results.map((result) => ({ ...HIT, ...result }))
  return { query: 'retry', mode: 'lexical', degraded: [], results: hits, total: hits.length, notices: [] }
}

const SIGNS = 'a ,;"\'<>&]`#|=+-@\n\r\t\0\u001b\u2028\u202e\ud83d🎉漢'
const sign = fc.constantFrom(...SIGNS, '```', ']]>', '</hit>', '\r\n', '\n\n', '## x\n')
const any = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })
const unit = fc.oneof({ weight: 5, arbitrary: sign }, { weight: 1, arbitrary: any })
const text = fc.string({ unit, maxLength: 30 })
const name = text.map((one) => one.toWellFormed().replaceAll('/', '') || 'x')
const maybe = fc.option(text, { nil: undefined })
const hit: fc.Arbitrary<Partial<Result>> = fc
  .record({ title: text, path: name, snippet: text, context: maybe, text: maybe })
  .map(({ context, text: whole, ...rest }) => ({
    ...rest,
    uri: uriOf({ collection: 'docs', path: rest.path }),
    ...(context !== undefined && { context, contexts: [{ scope: 'path', prefix: `/${rest.path}`, text: context }] }),
    ...(whole !== undefined && { text: whole }),
  }))
const hits = fc.array(hit, { maxLength: 4 })

describe('results as a table', () => {
  it('say so when there are none', () => {
    const odd = printAnswer({ ...answered(), query: 'a\n\u001b[31m\u009b31m\u202eb' }, 'table')
    expect(odd).toMatch(/^Nothing was found for "[^\n]*"\.\n$/)
    expect(odd).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  it('hold no control characters, and no line that looks like another hit', () => {
    forAll(hits, (results) => {
      const table = printAnswer(answered(...results), 'table')
      expect(table).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u202e]/)
      const heads = table.split('\n').filter((line) => line !== '' && !line.startsWith('  '))
      expect(heads).toHaveLength(Math.max(results.length, 1))
    })
  })
})

describe('results as CSV', () => {
  it.each([
    ['=cmd()', "'=cmd()"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', "'\r=1"],
    ['a=1', 'a=1'],
    ['"=1"', '"=1"'],
  ])('hold no cell that a spreadsheet runs: %j', (title, cell) => {
    expect(rowsOf(printAnswer(answered({ title }), 'csv'))[1]?.[3]).toBe(cell)
  })

  it('are read back by RFC 4180', () => {
    forAll(hits, (results) => {
      const [header, ...rows] = rowsOf(printAnswer(answered(...results), 'csv'))
      expect(header).toHaveLength(7)
      const bare = (cell = '') => cell.replace(/^'(?=[=+\-@\t\r])/, '')
      expect(rows.map(([, , uri, title, context, , snippet]) => [uri, title, context, snippet].map(bare))).toEqual(
        results.map((one) => [one.uri, one.title, one.context ?? '', one.text ?? one.snippet].map(bare)),
      )
    })
  })
})

/** Reads CSV as RFC 4180 says, and takes nothing else. */
function rowsOf(csv: string): string[][] {
  const rows: string[][] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  for (let row: string[] = []; cell.lastIndex < csv.length; ) {
    const found = cell.exec(csv)
    if (!found) throw new Error('It is not a CSV.')
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

describe('results as XML', () => {
  it('say what is not shown of a snippet, and on which line of the document that is', () => {
    const hidden = printAnswer(answered({ snippet: 'one\ntw\u{e0041}o', title: 'Re\u200btries' }), 'xml')
    expect(hidden).toContain(' title="Retries" ')
    expect(hidden).toContain(
      '>\n<notice>1 invisible character (U+E0041) not shown; first on line 13.</notice>\none\ntwo\n</hit>\n',
    )
  })

  it('are read back as they were, and nothing leaves its frame', () => {
    forAll(hits, (results) => {
      const { elements, contexts } = parsed(printAnswer(answered(...results), 'xml'))
      expect(elements.map(({ name: tag }) => tag)).toEqual(results.map(() => 'hit'))
      expect(elements.map((element) => element.text)).toEqual(
        results.map((one) => `\n${shown(one.text ?? one.snippet ?? '')}\n`),
      )
      expect(elements.map(({ attributes }) => new Map(attributes).get('title'))).toEqual(
        results.map(({ title = '' }) => shown(oneLine(title))),
      )
      expect(elements.map(({ attributes }) => new Map(attributes).get('uri'))).toEqual(results.map(({ uri }) => uri))
      const first = new Map<string | undefined, string>()
      for (const { path, context } of results) {
        if (context !== undefined && !first.has(path)) first.set(path, context)
      }
      expect(contexts).toEqual([...first.values()].map((context) => `\n${shown(context)}\n`))
    })
  })
})

/** What XML can hold of a text, without what is not seen. */
function shown(value: string): string {
  return neutralise(value)
    .text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
    .toWellFormed()
}

/** Elements, once what their places are for is taken out: it stands at their beginning, and is an element itself. */
function parsed(xml: string) {
  const contexts: string[] = []
  const rest = xml
    .replace(/^<results [^\n]*>\n|<\/results>\n$|<path-context [^\n]* \/>\n/g, '')
    .replace(/<notice>[^<]*<\/notice>\n/g, '')
    .replace(/(<hit [^\n]*>\n)(<path-context [^\n]*>[^<]*<\/path-context>)\n/g, (_, open: string, element: string) => {
      contexts.push(...elementsOf(element).map((one) => one.text))
      return open
    })
  return { elements: elementsOf(rest), contexts }
}

describe('results as Markdown', () => {
  it.each([
    ['five', 'a ````` b', '``````'],
    ['one', 'a ` b', '```'],
  ])('have a fence that is longer than any run of backticks in the text: %s', (_, snippet, fence) => {
    expect(printAnswer(answered({ snippet }), 'markdown')).toContain(`\n${fence}\n${snippet}\n${fence}\n`)
  })

  it('are read back by a parser: a fence for each, with its text', () => {
    const markdown = new MarkdownIt()
    forAll(hits, (results) => {
      const plain = results.map(({ context: _, contexts: __, ...result }) => result)
      const tokens = markdown.parse(printAnswer(answered(...plain), 'markdown'), {})
      const fences = tokens.filter(({ type, level }) => type === 'fence' && level === 0)
      const ended = (value: string) => (value.endsWith('\n') ? value : `${value}\n`)
      const read = (value: string) => value.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd')
      expect(fences.map(({ content }) => content)).toEqual(
        plain.map(({ text: whole, snippet = '' }) => ended(read(whole ?? snippet))),
      )
      expect(tokens.filter(({ type }) => type === 'heading_open')).toHaveLength(results.length)
    })
  })

  it('have room for any number of backticks', () => {
    expect(printAnswer(answered({ text: '` '.repeat(300_000) }), 'markdown').length).toBeGreaterThan(600_000)
  })
})

describe('results as lines', () => {
  it('have one for each hit, of four parts and what the place is for, whatever it is called', () => {
    forAll(hits, (results) => {
      const lines = printAnswer(answered(...results), 'files').split('\n')
      expect(lines.pop()).toBe('')
      expect(lines.map((line) => line.split('\t').length)).toEqual(results.map(({ context }) => (context ? 5 : 4)))
      expect(lines.map((line) => line.split('\t')[2])).toEqual(results.map(({ uri }) => uri))
      expect(lines.join('')).not.toMatch(/[\r\u2028\u0000-\u0008]/)
    })
  })
})
