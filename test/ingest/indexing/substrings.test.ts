import { describe, expect, it } from 'vitest'
import { searchLexically } from '../../../src/collections/search/search-index.ts'
import { SILENT } from '../../../src/core/flow.ts'
import type { Store } from '../../../src/stores/store.ts'
import { counts, known, Place, settled } from './place.ts'

const THREE = { 'a.ts': 'list->next', 'b.ts': 'list->prev', 'c/d.md': 'A list.' }
const QUERIES = ['list', 'contains:"->"', 'contains:t->n']

async function unindexed(store: Store): Promise<number> {
  return (await searchLexically(store, { query: 'contains:list', filter: {}, limit: 10 }, SILENT)).unindexedDocuments
}

describe('a collection that is to be found by pieces of its texts', () => {
  it('is so when it was added like that, and the same as one that became so', async () => {
    await using place = await Place.plant(THREE, { hasSubstrings: true })
    expect(counts(await place.update())).toBe('added 3')
    expect(await unindexed(place.store)).toBe(0)
    await using later = await Place.plant(THREE)
    await later.update()
    expect(await unindexed(later.store)).toBe(3)
    await later.store.collections.update('docs', { hasSubstrings: true })
    expect(counts(await later.update())).toBe('changed 3')
    expect(await unindexed(later.store)).toBe(0)
    const stamps = { size: 0, modifiedAt: '', collection: '' }
    const told = async ({ store }: Place) => {
      const { documents, ...rest } = await known(store, QUERIES)
      return { ...rest, documents: documents.map((document) => ({ ...document, ...stamps })) }
    }
    expect(await told(later)).toEqual(await told(place))
  })

  it('is read anew once, and what was left when that was stopped the next time', async () => {
    await using place = await Place.plant(THREE)
    await settled()
    await place.update()
    await place.store.collections.update('docs', { hasSubstrings: true })
    const stop = new AbortController()
    const update = place.update({ signal: stop.signal })
    stop.abort()
    await expect(update).rejects.toMatchObject({ code: 'cancelled' })
    expect(counts(await place.update())).toBe('changed 3')
    expect(counts(await place.update())).toBe('unchanged 3')
    expect(place.read).toEqual([])
  })

  it('is not when that was taken back', async () => {
    await using place = await Place.plant(THREE, { hasSubstrings: true })
    await place.update()
    await place.store.collections.update('docs', { hasSubstrings: false })
    expect(counts(await place.update())).toBe('changed 3')
    expect(await unindexed(place.store)).toBe(3)
    expect(await known(place.store, QUERIES)).toEqual(await known(await place.fresh(), QUERIES))
  })

  it('keeps to it through edits, as a fresh one', async () => {
    await using place = await Place.plant(THREE, { hasSubstrings: true })
    await place.update()
    place.plant({ 'a.ts': 'other->next', 'e.ts': 'list->next' })
    expect(counts(await place.update())).toBe('added 1, changed 1, unchanged 2')
    expect(await unindexed(place.store)).toBe(0)
    expect(await known(place.store, QUERIES)).toEqual(await known(await place.fresh(), QUERIES))
  })
})
