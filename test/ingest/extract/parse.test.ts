import { describe, expect, it } from 'vitest'
import { parseFile } from '../../../src/ingest/extract/parse.ts'
import { EXTRACT_LIMITS } from '../../../src/ingest/extracted.ts'
import { Extractor } from '../../../src/ingest/extractor.ts'
import { own } from '../../support/own.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { coreProperties, docx, paragraph, pdf, table } from './documents.ts'

const HTML = '<!doctype html><title>T</title><h1>a</h1><table><tr><td>b<td>c</table><pre>d</pre><ul><li>e</ul>&amp;'
const GOOD = {
  html: Buffer.from(HTML),
  pdf: pdf([['One', 'two'], [], ['Three']], { info: { Title: 'T' } }),
  docx: docx(paragraph('One', 'Title') + table([['a', 'b']]), [coreProperties({ 'dc:title': 'T' })]),
}

/** A file with some of its bytes changed, or cut off. */
function damaged(bytes: Buffer): fc.Arbitrary<Buffer> {
  const change = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255))
  return fc.tuple(fc.array(change, { maxLength: 8 }), fc.nat(bytes.length)).map(([changes, cut]) => {
    const copy = Buffer.from(bytes)
    for (const [at, value] of changes) copy[at] = value
    return changes.length % 2 === 0 ? copy.subarray(0, cut) : copy
  })
}

const extractor = own(new Extractor())

/** pdf.js leaves rejected promises behind, which only a worker does without. */
const READERS = {
  html: (bytes: Uint8Array) => parseFile({ path: 'a.html', format: 'html', bytes, limits: EXTRACT_LIMITS }),
  docx: (bytes: Uint8Array) => parseFile({ path: 'a.docx', format: 'docx', bytes, limits: EXTRACT_LIMITS }),
  pdf: (bytes: Uint8Array) => extractor.extract('a.pdf', bytes),
}

describe('a parser', () => {
  it.each(['html', 'pdf', 'docx'] as const)('gives a result for every %s, and the same again', async (format) => {
    const bytes = fc.oneof({ weight: 4, arbitrary: damaged(GOOD[format]) }, fc.uint8Array({ maxLength: 100 }))
    await forAllAsync(150, bytes, async (content) => {
      const first = await READERS[format](content)
      expect(await READERS[format](content)).toEqual(first)
      if (first.ok) expect([first.title, first.text.trim()]).not.toContain('')
      else expect(first.detail).toMatch(/^(?!Its parser broke down)[A-Z].*[.?!]$/)
    })
  })

  it('says why, in a sentence', async () => {
    const task = { path: 'a.docx', format: 'docx', bytes: docx('<w:p>'), limits: EXTRACT_LIMITS } as const
    expect(await parseFile(task)).toMatchObject({
      ok: false,
      why: 'failed',
      detail: expect.stringMatching(/^It cannot be read as DOCX: .*\.$/),
    })
  })
})
