import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Journal } from '../../../src/research/run/journal.ts'
import { type ReportWork, ReportWorks } from '../../../src/research/run/report-works.ts'

/** What a time is taken of: nothing else of a run is looked at before a piece of work. */
function workOf(ms: number): ReportWork {
  const journal = { state: { workedMs: 0 } } as Journal
  return { journal, settings: { budget: { ms } } } as ReportWork
}

describe('the time of a report', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('leaves nothing behind when the report is done: a server makes thousands within the time of one', () => {
    {
      using _works = new ReportWorks(workOf(3_600_000))
      expect(vi.getTimerCount()).toBe(1)
    }
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([2 ** 31, Number.POSITIVE_INFINITY])('is not over at once where it is longer than a timer: %s ms', (ms) => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    using _works = new ReportWorks(workOf(ms))
    vi.advanceTimersByTime(60_000)
    expect(vi.getTimerCount()).toBe(1)
    expect(warned).not.toHaveBeenCalled()
  })
})
