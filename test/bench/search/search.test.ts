import { describe, expect, it } from 'vitest'
import { generatedCorpus } from '../../../bench/search/cache.ts'
import { measureQueries, measureUpdate, percentile } from '../../../bench/search/measure.ts'
import { type Figures, measureSubject, medianFigures } from '../../../bench/search/order.ts'
import { queriesOf } from '../../../bench/search/queries.ts'
import { growthOf, verdictsOf } from '../../../bench/search/search.bench.ts'
import { fts5Subject, SUBJECTS, type Subject } from '../../../bench/search/subjects.ts'
import { tree } from '../../support/tree.ts'

const PAGES = {
  'pages/boats.md': '# Boats\n\nThe boats lie in the harbour until the morning comes back.\n',
  'pages/fish.md': '---\ntitle: Fish\n---\n\nFish from the boats is sold at the market by the gate.\n',
  'pages/a/sheep.md': '# Sheep\n\nSheep graze on the hill behind the mill, where boats are painted.\n',
}

describe('queries', () => {
  it('are the same for the same folder', () => {
    using dir = tree(PAGES)
    expect(queriesOf(dir.at('pages'))).toEqual(queriesOf(dir.at('pages')))
  })

  it('are words that are there, and sentences with the document they are from', () => {
    using dir = tree(PAGES)
    const queries = queriesOf(dir.at('pages'))
    const words = queries.filter(({ kind }) => kind === 'words').map(({ text }) => text)
    expect(words).toContain('boats')
    expect(words).not.toContain('the')
    expect(queries.filter(({ kind }) => kind === 'sentence')).toContainEqual({
      kind: 'sentence',
      text: 'Fish from the boats is sold at the market by the gate.',
      from: 'fish.md',
    })
  })

  it('come in all bands, from a corpus that is large enough', { tags: 'long' }, () => {
    using dir = tree({})
    const queries = queriesOf(generatedCorpus(600, dir.base).dir)
    expect(queries.filter(({ kind }) => kind === 'sentence')).toHaveLength(100)
    expect(queries.filter(({ kind, text }) => kind === 'words' && text.includes(' '))).toHaveLength(80)
    expect(queries.filter(({ kind, text }) => kind === 'words' && !text.includes(' ')).length).toBeGreaterThan(70)
  })
})

describe.each(SUBJECTS.filter(({ needs }) => !needs).map((maker) => [maker.name, maker] as const))('%s', (_, maker) => {
  it('finds what it has indexed', async () => {
    using dir = tree({ ...PAGES, 'store/': '' })
    const subject = await maker.open({ store: dir.at('store') })
    expect(await subject.build(dir.at('pages'))).toBe(3)
    expect((await subject.query('sheep hill', 10))[0]).toBe('a/sheep.md')
    await subject.close()
  })
})

describe('FTS5 as a subject', () => {
  it('indexes anew only what changed, and what is new', async () => {
    using dir = tree({ ...PAGES, 'store/': '' })
    const subject = await fts5Subject.open({ store: dir.at('store') })
    const update = () => subject.update?.(dir.at('pages'))
    await subject.build(dir.at('pages'))
    expect(await update()).toBe(0)
    dir.plant({ 'pages/fish.md': 'Oysters.', 'pages/new.md': 'Oysters too, and more of them.' })
    expect(await update()).toBe(2)
    expect(await subject.query('oysters', 10)).toHaveLength(2)
    expect(await subject.query('market', 10)).toEqual([])
    await subject.close()
  })

  it('is found on disk by the next process', async () => {
    using dir = tree({ ...PAGES, 'store/': '' })
    const first = await fts5Subject.open({ store: dir.at('store') })
    await first.build(dir.at('pages'))
    await first.close()
    const second = await fts5Subject.open({ store: dir.at('store') })
    expect(await second.query('sheep', 10)).toEqual(['a/sheep.md'])
    expect(second.size()).toBeGreaterThan(1000)
    await second.close()
  })
})

const EMPTY: Subject = { build: async () => 0, query: async () => [], size: () => 0, close: async () => {} }

describe('a measurement', () => {
  it.each([
    [[1, 2, 3, 4], 0.5, 2],
    [[4, 3, 2, 1], 0.95, 4],
    [[7], 0.5, 7],
    [[], 0.5, 0],
  ])('takes from %j at %f the value %f', (values, share, value) => {
    expect(percentile(values, share)).toBe(value)
  })

  it('counts answers that are empty, and sentences whose document was found', async () => {
    const subject: Subject = { ...EMPTY, query: async (text) => (text === 'known' ? ['a.md'] : []) }
    const { words, sentence } = await measureQueries(subject, [
      { kind: 'words', text: 'unknown' },
      { kind: 'sentence', text: 'known', from: 'a.md' },
      { kind: 'sentence', text: 'known', from: 'b.md' },
    ])
    expect([words.empty, sentence.empty, sentence.found]).toEqual([1, 0, 0.5])
  })

  it('refuses an update that does not see what changed', async () => {
    using dir = tree(PAGES)
    const blind: Subject = { ...EMPTY, update: async () => 0 }
    await expect(measureUpdate(blind, dir.at('pages'))).rejects.toThrow('1 files changed, but 0 were indexed again')
  })

  it('of a subject runs in processes of its own', { tags: 'long' }, () => {
    using dir = tree(PAGES)
    const task = { dir: dir.at('pages'), queries: queriesOf(dir.at('pages')) }
    const { built, updated, asked } = measureSubject(fts5Subject, task, 3)
    expect(built.documents).toBe(3)
    expect(updated?.unchanged).toBeGreaterThan(0)
    expect(asked.sentence.found).toBe(1)
    expect(Math.min(built.peak, asked.peak)).toBeGreaterThan(1e7)
    expect(() => measureSubject(fts5Subject, task, 4)).toThrow('FTS5 indexed 3 of 4 files')
  })
})

const LATENCY = { p50: 0.5, p95: 1, first: 2, empty: 0, found: 1 }

function figures(time: number, documents = 10_000): Figures {
  return {
    built: { documents, time, size: 10e6, peak: 200e6 },
    asked: { words: LATENCY, sentence: LATENCY, peak: 90e6 },
  }
}

describe('the figures', () => {
  it('of several runs are their medians', () => {
    expect(medianFigures([figures(1), figures(9), figures(2)])).toEqual(figures(2))
  })

  it('grow by an exponent', () => {
    expect(growthOf(figures(100, 1000), figures(1000, 10_000)).build).toBeCloseTo(1)
    expect(growthOf(figures(100, 1000), figures(100, 10_000)).build).toBeCloseTo(0)
  })

  it('are held to absolute limits only at the size that these are for', () => {
    const updated = { unchanged: 50, changed: 100, walk: 10, overWalk: 5 }
    const count = (documents: number) => {
      const measured = { ...figures(3000, documents), updated }
      const baseline = { ...figures(1500, documents), updated }
      return verdictsOf('Ambit', { figures: measured, textBytes: 40e6 }, baseline).length
    }
    expect(count(10_000)).toBeGreaterThan(count(100_000))
  })

  it('miss a limit that they do not meet', () => {
    const missed = (time: number) =>
      verdictsOf('Ambit', { figures: figures(time), textBytes: 40e6 }, figures(1500))
        .filter(({ held, figure }) => !held && figure.includes('index'))
        .map(({ figure }) => figure)
    expect(missed(3000)).toEqual([])
    expect(missed(9000)).toEqual(['search: Ambit, index, over FTS5'])
  })
})
