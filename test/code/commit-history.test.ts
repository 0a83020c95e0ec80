import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  changedTogether,
  extendHistory,
  MAX_KNOWN_COMMITS,
  readHistory,
  scoreByMessages,
  writeHistory,
} from '../../src/code/commit-history.ts'
import { parseTask } from '../../src/code/task-query.ts'
import { fc, forAll } from '../support/property.ts'
import { tree } from '../support/tree.ts'

const commit = (message: string, ...paths: string[]) => ({ message, paths })
const of = (...commits: ReturnType<typeof commit>[]) => extendHistory(undefined, { head: 'a', commits })
const { terms } = parseTask('The scheduler drops jobs')

describe('the commits of a tree', () => {
  it('put forward what changed for such tasks', () => {
    const history = of(
      commit('Scheduler: jobs are dropped no more', 'queue.ts'),
      commit('Colours of buttons', 'button.ts'),
      commit('Scheduler', 'clock.ts'),
    )
    const found = scoreByMessages(history, terms)
    expect(found.get('queue.ts')).toBe(1)
    expect(found.get('clock.ts')).toBeLessThan(1)
    expect(found.has('button.ts')).toBe(false)
  })

  it('put forward less what changes all the time', () => {
    const busy = Array.from({ length: 9 }, (_, at) => commit(`release ${at}`, 'version.ts'))
    const found = scoreByMessages(of(commit('Scheduler jobs', 'queue.ts', 'version.ts'), ...busy), terms)
    expect(found.get('queue.ts')).toBe(1)
    expect(found.get('version.ts')).toBeCloseTo(1 / Math.sqrt(10))
  })

  it('say what changed with other files, and how often', () => {
    const history = of(
      commit('one', 'jobs.ts', 'queue.ts'),
      commit('two', 'jobs.ts', 'queue.ts', 'clock.ts'),
      commit('three', 'other.ts', 'clock.ts'),
    )
    const found = changedTogether(history, [{ path: 'jobs.ts', weight: 1 }])
    expect(found.get('queue.ts')).toEqual({ score: 1 / 3, commits: 2 })
    expect(found.get('clock.ts')?.score).toBe(1 / 6)
    expect(found.get('clock.ts')?.commits).toBe(1)
    expect(found.has('jobs.ts')).toBe(false)
    expect(found.has('other.ts')).toBe(false)
  })

  it('say nothing of any file where they change many', () => {
    const paths = Array.from({ length: 31 }, (_, at) => `f${at}.ts`)
    expect(of(commit('scheduler jobs', ...paths)).commits).toEqual([])
    expect(of(commit('scheduler jobs', ...paths.slice(1))).commits).toHaveLength(1)
  })

  it('are no more than are kept, the last ones', () => {
    const old = of(...Array.from({ length: MAX_KNOWN_COMMITS }, (_, at) => commit('old', `old${at}.ts`)))
    const { head, commits } = extendHistory(old, { head: 'b', commits: [commit('new', 'new.ts')] })
    expect(head).toBe('b')
    expect(commits).toHaveLength(MAX_KNOWN_COMMITS)
    expect(commits[0]?.paths).toEqual(['new.ts'])
  })

  it('are read as they were written', () => {
    const path = fc.stringMatching(/^[a-z/ é]{1,12}$/)
    const commits = fc.array(fc.record({ message: fc.string(), paths: fc.array(path, { maxLength: 5 }) }))
    using planted = tree({})
    forAll(commits, (read) => {
      const history = extendHistory(undefined, { head: 'abc', commits: read })
      writeHistory(planted.at('commits'), '/root', history)
      expect(readHistory(planted.at('commits'), '/root')).toEqual(history)
      expect(readHistory(planted.at('commits'), '/other')).toBeUndefined()
    })
  })

  it.each(['', 'null', '{}', '{"format":1,"root":"/root"}', '[1'])('are as none where the file says %j', (text) => {
    using planted = tree({})
    writeFileSync(planted.at('commits'), text)
    expect(readHistory(planted.at('commits'), '/root')).toBeUndefined()
  })
})
