import { describe, expect, it } from 'vitest'
import { pauseAfter } from '../../src/models/service/attempts.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const CHANCE = { random: () => 0, now: () => NOW }
const busy = (responseHeaders: Readonly<Record<string, string>>) =>
  Object.assign(new Error('busy'), { statusCode: 429, responseHeaders })

describe('a busy service is left alone as long as it asks for', () => {
  it.each([
    ['in seconds', { 'retry-after': '3' }, 3000],
    ['as a date', { 'retry-after': 'Sun, 22 Nov 2026 12:00:05 GMT' }, 5000],
    ['in milliseconds, which count before seconds', { 'retry-after-ms': '20', 'retry-after': '3' }, 20],
    ['in nonsense, which is none', { 'retry-after': 'soon' }, 0],
  ])('%s', (_, headers, ms) => {
    expect(pauseAfter(busy(headers), 1, CHANCE)).toBe(ms)
  })
})
