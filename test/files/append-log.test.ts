import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { appendLogLines, readLogLines, removeOldLogs, replaceLogLines } from '../../src/files/cache-file.ts'

let base: string
let path: string

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'ambit-log-'))
  path = join(base, 'a', 'b', 'log.jsonl')
})

afterEach(() => rmSync(base, { recursive: true, force: true }))

describe('a log', () => {
  it('has no lines before it is there, and then those that were added', () => {
    expect(readLogLines(path)).toEqual([])
    appendLogLines(path, ['1', '2'])
    appendLogLines(path, ['3'])
    expect(readLogLines(path)).toEqual(['1', '2', '3'])
  })

  it('keeps what a writer left unfinished apart from what is added behind it', () => {
    appendLogLines(path, ['1'])
    appendFileSync(path, 'half')
    expect(readLogLines(path)).toEqual(['1'])
    appendLogLines(path, ['2'])
    expect(readLogLines(path)).toEqual(['1', 'half', '2'])
  })

  it('is replaced at once, and no draft stays', () => {
    appendLogLines(path, ['1'])
    replaceLogLines(path, ['2', '3'])
    expect(readLogLines(path)).toEqual(['2', '3'])
    expect(() => replaceLogLines(join(base, 'a'), ['4'])).toThrow(/EISDIR/)
    expect([readdirSync(base), readdirSync(join(base, 'a', 'b'))]).toEqual([['a'], ['log.jsonl']])
  })

  it('is removed when nobody has written to it for so many days', () => {
    const [old, young] = [join(base, 'old'), join(base, 'young')]
    for (const file of [old, young]) writeFileSync(file, '')
    const now = Date.now()
    utimesSync(old, now / 1000 - 31 * 86_400, now / 1000 - 31 * 86_400)
    utimesSync(young, now / 1000 - 29 * 86_400, now / 1000 - 29 * 86_400)
    removeOldLogs(base, 30, now)
    expect([existsSync(old), existsSync(young)]).toEqual([false, true])
  })

  it.runIf(process.platform === 'linux')('is an error where the system makes no directories', () => {
    expect(() => appendLogLines('/proc/nowhere/log.jsonl', ['1'])).toThrow(/ENOENT/)
  })

  it('that cannot be read for another reason than that it is not there is an error', () => {
    expect(() => readLogLines(base)).toThrow(/EISDIR/)
  })
})
