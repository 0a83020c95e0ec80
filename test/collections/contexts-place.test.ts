import { describe, expect, it } from 'vitest'
import { rowsBy, rowsOf } from '../support/rows.ts'
import { tree } from '../support/tree.ts'
import { type Fixture, fixture } from './contexts-fixtures.ts'

/** What was said where, by the place in words. */
async function placesOf({ contexts }: Fixture): Promise<string[]> {
  return (await contexts.list()).map(({ collection, pathPrefix }) => `${collection ?? ''} ${pathPrefix}`)
}

describe('a place in words', () => {
  it.each([
    ...rowsBy({
      'docs /': 'docs docs/ ambit://docs ambit://docs/',
      'docs /api': 'docs/api docs//api/ docs/./api qmd://docs/api',
      'docs /api/v2': 'docs\\api\\v2 ambit://docs/api/v2 qfs://docs/api/v2',
      ' /': '/ //',
      'docs /a b': 'ambit://docs/a%20b',
      'docs /100%': 'ambit://docs/100%',
      'docs /a%20b': 'docs/a%20b',
      'cafe\u0301 /x': 'caf\u00e9/x',
      'cafe\u0301 /': 'ambit://caf\u00e9',
      'docs-old /api': 'docs-old/api',
    }),
    ["docs/'; DROP TABLE path_contexts; --", "docs /'; DROP TABLE path_contexts; --"],
    ['my docs/a b', 'my docs /a b'],
  ])('%j is %j', async (place, key) => {
    await using at = await fixture({ docs: null, 'docs-old': null, 'my docs': null, 'cafe\u0301': null })
    await at.contexts.set(place, 'said')
    expect(await placesOf(at)).toEqual([key])
    expect(await at.contexts.remove(place)).toBe(true)
  })

  it.each([
    ...rowsBy({
      'invalid-input':
        'ambit:// ambit:///api s3://docs/api docs/../notes docs/.. ambit://docs/..%2Fnotes docs/a\nb docs/a\0b ' +
        'ambit://docs/a%00b',
      'not-found': 'dosc/api Docs ambit://dosc /api /docs/api ./nowhere ~/nowhere a\0b',
    }),
    ['', 'invalid-input'],
    ['  ', 'invalid-input'],
  ])('%j is refused as %s, and nothing changes', async (place, code) => {
    await using at = await fixture({ docs: null })
    const setting = at.contexts.set(place, 'said')
    await expect(setting).rejects.toMatchObject({ name: 'ContextError', code, hint: expect.stringMatching(/./) })
    expect(await placesOf(at)).toEqual([])
  })

  it.each([
    [{ docs: null, notes: null, other: null }, 'dosc/api', 'Did you mean docs?'],
    [{ docs: null, notes: null }, 'ambit://note', 'Did you mean notes?'],
    [{ docs: null, notes: null }, 'somewhere', 'There are: docs, notes.'],
    [{}, 'docs', 'Add one: ambit collection add NAME PATH'],
  ])('for an unknown collection proposes what there is', async (collections, place, hint) => {
    await using at = await fixture(collections)
    await expect(at.contexts.set(place, 'said')).rejects.toMatchObject({ code: 'not-found', hint })
    const [collection = ''] = place.replace('ambit://', '').split('/')
    const setting = at.contexts.set({ collection, pathPrefix: '/' }, 'said')
    await expect(setting).rejects.toMatchObject({ code: 'not-found', hint })
  })
})

describe('a path on disk', () => {
  const shape = {
    'home/notes/a.md': '',
    'work/docs/api/v2/a.md': '',
    'work/docs/deep/inner/b.md': '',
    'work/link -> docs/api': '',
    'work/dangling -> nowhere': '',
    'other/c.md': '',
    'real/d.md': '',
    'linked -> real': '',
  }

  const setUp = async (cwd: string) => {
    const base = tree(shape)
    const roots = {
      docs: base.at('work/docs'),
      inner: base.at('work/docs/deep/inner'),
      notes: base.at('home/notes'),
      linked: base.at('linked'),
    }
    const none = { docs: null, inner: null, notes: null, linked: null }
    const at = await fixture(none, { cwd: base.at(cwd), home: base.at('home'), roots })
    const end = async () => {
      base[Symbol.dispose]()
      await at.store.close()
    }
    return { base, at, [Symbol.asyncDispose]: end }
  }

  it.each(
    rowsOf(
      'work ./docs docs: | work ./docs/api docs:api | work BASE/work/docs/api/v2/ docs:api/v2 | work ~/notes notes: | ' +
        'work ~/notes/a.md notes:a.md | work/docs/api . docs:api | work/docs/api .. docs: | ' +
        'work/docs/api ../deep docs:deep | work ./docs/deep/inner inner: | work ./docs/deep/inner/b.md inner:b.md | ' +
        'work ./link docs:api | work ./link/v2 docs:api/v2 | work BASE/linked linked: | work BASE/real/d.md linked:d.md | ' +
        'work/docs api docs:api | work/docs api/v2/a.md docs:api/v2/a.md',
    ),
  )('seen from %s, %s is %j', async (cwd = '', place = '', key = '') => {
    await using setup = await setUp(cwd)
    await setup.at.contexts.set(place.replace('BASE', setup.base.base), 'said')
    expect(await placesOf(setup.at)).toEqual([key.replace(':', ' /')])
  })

  it.each([
    ['BASE/other/c.md', 'is in no collection', 'ambit collection add NAME '],
    ['BASE/work', 'is in no collection', 'ambit collection add NAME '],
    ['BASE', 'is in no collection', 'ambit collection add NAME '],
    ['./docs/nothing', 'There is no', 'docs/PATH'],
    ['./dangling', 'There is no', '/PATH'],
    ['BASE/work/docs2', 'There is no', '/PATH'],
    ['/docs/api', 'There is no', '/PATH'],
  ])('%s is refused: %s', async (place, message, hint) => {
    await using setup = await setUp('work')
    const setting = setup.at.contexts.set(place.replace('BASE', setup.base.base), 'said')
    await expect(setting).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    })
    expect(await placesOf(setup.at)).toEqual([])
  })

  it('that is gone can still have its context taken away', async () => {
    await using setup = await setUp('work/docs')
    await setup.at.contexts.set('docs/gone/deep', 'said')
    expect(await setup.at.contexts.remove('./gone/deep')).toBe(true)
  })

  it('is not meant by a bare name that is a collection, which is said where both are there', async () => {
    await using setup = await setUp('work/docs')
    setup.base.plant({ 'work/docs/notes/x.md': '' })
    const added = await setup.at.contexts.add('notes', 'said')
    expect(added).toMatchObject({ collection: 'notes', pathPrefix: '/' })
    expect(added.notice).toContain('"notes" is taken for a place in the collection "notes"; on disk it is ./notes.')
    expect(await setup.at.contexts.add('./notes', 'said')).toMatchObject({ collection: 'docs', pathPrefix: '/notes' })
  })

  it('is not spoken of where both readings are one place', async () => {
    await using setup = await setUp('work')
    expect((await setup.at.contexts.add('docs/api', 'said')).notice).not.toContain('on disk')
  })

  it('in two collections with one root is in the first by name, and it is said', async () => {
    using base = tree({ 'docs/a.md': '' })
    const roots = { b: base.at('docs'), a: base.at('docs') }
    await using at = await fixture({ b: null, a: null }, { cwd: base.base, roots })
    const added = await at.contexts.add('./docs', 'said')
    expect(added.collection).toBe('a')
    expect(added.notice).toContain('is in "a" and in "b"')
  })

  it('with ~ needs a home', async () => {
    await using at = await fixture({ docs: null })
    const { PathContexts } = await import('../../src/collections/path-contexts.ts')
    const contexts = new PathContexts(at.store, { home: undefined })
    await expect(contexts.set('~/x', 'said')).rejects.toMatchObject({ code: 'not-found', message: /home/ })
  })
})

describe('a text without a place', () => {
  it('is said of everything', async () => {
    await using at = await fixture({ docs: null })
    expect(await at.contexts.addEverywhere('All in British English')).toMatchObject({
      collection: null,
      pathPrefix: '/',
    })
    expect(await at.contexts.addEverywhere('docs are good')).toMatchObject({ collection: null })
    expect(await at.contexts.addEverywhere('すべて')).toMatchObject({ collection: null })
    expect(await at.contexts.list()).toHaveLength(1)
  })

  const PLACES = 'docs docs/api ambit://docs ambit://ghost/x / /api ./x ../x ~/x packages/billing'.split(' ')
  it.each(PLACES)('that is a place itself is refused: %s', async (place) => {
    await using at = await fixture({ docs: null })
    await at.contexts.set('/', 'before')
    const adding = at.contexts.addEverywhere(place)
    await expect(adding).rejects.toMatchObject({ code: 'invalid-input', hint: expect.stringContaining('context add') })
    expect(await at.contexts.global()).toBe('before')
    expect(await at.contexts.add('/', place)).toMatchObject({ context: place })
  })
})
