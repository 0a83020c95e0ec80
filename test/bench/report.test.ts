import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bound, within } from '../../bench/harness.ts'
import { parseBenchArguments } from '../../bench/options.ts'
import { mergeRows, PAGE, pageOfFigures, proofSection, type Results, section } from '../../bench/report.ts'
import { ROOT } from '../source-files.ts'
import { tree } from '../support/tree.ts'

const RESULTS: Results = {
  suite: 'search',
  command: 'npm run bench -- search',
  date: '2026-08-01',
  machine: { node: 'v24.0.0', platform: 'linux-x64', cores: 2 },
  verdicts: [],
}

describe('a section of the report', () => {
  it('says beside each figure its limit, and whether it was missed', () => {
    const text = section({
      ...RESULTS,
      verdicts: [
        within('fast', [1, 2, 3], 5),
        bound('good', 0.5, { unit: 'score', limit: 0.6, atLeast: true }),
        bound('small', 12, { unit: 'MB', limit: 20 }),
      ],
    })
    expect(text).toContain('| fast | 2.0 ms | 5 |  |')
    expect(text).toContain('| good | 0.500 (missed) | ≥ 0.6 |  |')
    expect(text).toContain('| small | 12 MB | 20 |  |')
  })

  it('shows tables as they are, with a bar as text', () => {
    const tables = [{ title: 'Sets', note: 'Means.', columns: ['ranker', 'mean'], rows: [['a|b', '0.5']] }]
    expect(section({ ...RESULTS, tables })).toBe(
      '## search\n\n`npm run bench -- search`: 2026-08-01, Node 24.0.0, linux-x64, 2 cores.\n\n### Sets\n\nMeans.\n\n| ranker | mean |\n| --- | --: |\n| a\\|b | 0.5 |\n',
    )
  })

  it('has a note that two tables share once', () => {
    const table = { title: 'Small', note: 'Peak of memory.', columns: ['store'], rows: [['SQLite']] }
    const text = section({ ...RESULTS, tables: [table, { ...table, title: 'Large' }, { ...table, note: 'Other.' }] })
    expect(text.match(/Peak of memory\./g)).toHaveLength(1)
    expect(text).toContain('### Large\n\n| store |')
    expect(text).toContain('Other.')
  })
})

describe('the page of figures', () => {
  it('is what the kept results make', () => {
    expect(readFileSync(join(ROOT, PAGE), 'utf8')).toBe(pageOfFigures())
  })

  it.each([
    [['a 1', 'b 2'], ['b 3', 'c 4'], 1, ['a 1', 'b 3', 'c 4']],
    [['a x 1', 'a y 2'], ['a x 3'], 2, ['a x 3', 'a y 2']],
    [[], ['a 1'], 1, ['a 1']],
  ])('has of the rows %j and %j the newest, told apart by %i cells', (before, rows, keys, merged) => {
    const cells = (all: readonly string[]) => all.map((row) => row.split(' '))
    expect(mergeRows(cells(before), cells(rows), keys)).toEqual(cells(merged))
  })

  it('says of the proof what the run tried that tries most, and all that was lost', () => {
    const run = { date: '2026-08-01', seed: 7, figures: { kills: 1200, lost: 1 }, lost: ['a write'] }
    const text = proofSection([
      { part: 'wal', claim: 'nothing is lost', quick: run, full: { ...run, figures: { kills: 9000 }, lost: [] } },
      { part: 'new', claim: 'not run' },
    ])
    expect(text).toContain('| nothing is lost | `npm run prove -- full wal` | 1 | 9,000 kills | 2026-08-01, seed 7 |')
    expect(text).not.toContain('not run')
  })
})

describe('what is asked of the benchmarks', () => {
  it('changes no file of the repository without --write', () => {
    using visited = tree({ '.git/': '', 'AGENTS.md': 'Tests first.\n', 'a.ts': '' })
    const kept = () =>
      ['bench/results/reach-repositories.json', PAGE].map((path) => readFileSync(join(ROOT, path), 'utf8'))
    const before = kept()
    const argv = ['bench/run.ts', 'reach', visited.base]
    const { status, stdout } = spawnSync(process.execPath, argv, { cwd: ROOT, encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, expect.stringContaining('1 instruction files at 1 places of 1 repositories')])
    expect(kept()).toEqual(before)
  })

  const SUITES = ['growth', 'search', 'check']
  const ALONE = ['growth', 'search']

  it.each([
    [[], { suites: ALONE, options: { sets: [] } }],
    [['search', '--corpus', 'docs'], { suites: ['search'], options: { sets: [], corpus: 'docs' } }],
    [['search', '--files', '100000'], { suites: ['search'], options: { sets: [], files: 100_000 } }],
    [['--set', 'a', '--set', 'b'], { suites: ALONE, options: { sets: ['a', 'b'] } }],
    [['check', './a', 'b/c'], { suites: ['check'], options: { sets: [], folders: ['./a', 'b/c'] } }],
    [['growth', '--write'], { suites: ['growth'], options: { sets: [] }, isKept: true }],
  ])('is read from %j', (args, wanted) => {
    expect(parseBenchArguments(args, SUITES)).toEqual(wanted)
  })

  it.each([
    [['serach'], 'No suite is called serach'],
    [['--files', '99'], 'from 100, not 99'],
    [['--files', 'many'], 'from 100, not many'],
    [['--corpse', 'x'], '--corpse'],
    [['check'], 'check needs the folders'],
  ])('is refused for %j', (args, problem) => {
    expect(parseBenchArguments(args, SUITES)).toEqual({ problem: expect.stringContaining(problem) })
  })
})
