import { describe, expect, it } from 'vitest'
import { COLLECTION, ODD_WORDS, stored } from '../filled.ts'
import { found } from '../found.ts'
import type { WithStore } from './with-store.ts'

const plain = (word: string) =>
  word
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')

export function collectionsContract(name: string, withStore: WithStore): void {
  describe(`collections in ${name}`, () => {
    it('are told as indexed while that lasts, each by its name', () =>
      withStore(async ({ collections, index }) => {
        await collections.add({ ...COLLECTION, name: 'a b' })
        expect(await collections.indexing()).toEqual([])
        await index.exclusively(0, async () => {
          expect(await collections.indexing()).toEqual([])
          await index.of('docs').exclusively(0, async () => {
            expect(await collections.indexing()).toEqual(['docs'])
            const both = () => collections.indexing()
            expect(await index.of('a b').exclusively(0, both)).toEqual(['a b', 'docs'])
          })
        })
        expect(await collections.indexing()).toEqual([])
      }))

    it.each(ODD_WORDS)('are what they are, though everything in them is %j', (word) =>
      withStore(
        async (store) => {
          const own = { name: word, root: `/${word}`, patterns: [word], exclude: [word] }
          await store.collections.add(own)
          expect(await store.collections.get(word)).toMatchObject(own)
          await store.collections.update(word, { isPaused: false })
          const given = { path: word, title: word, format: word, metadata: { [word]: word }, text: `${word} zebra` }
          await stored(store, word, [given])
          expect(await store.documents.find(word, word)).toMatchObject({ collection: word, path: word, title: word })
          for (const filter of [{ collections: [word] }, { where: { [word]: word } }, { pathParts: [plain(word)] }]) {
            expect((await store.documents.list(filter)).map(({ path }) => path)).toEqual([word])
          }
          for (const filter of [{ paths: [`${word}x`] }, { after: `9${word}` }, { where: { [word]: `${word}x` } }]) {
            expect((await store.documents.list(filter)).map(({ path }) => path)).not.toContain(`${word}x`)
          }
          expect(await store.documents.byHash(word, 10)).toEqual([])
          const view = await store.index.read({ terms: [word], prefixes: [word], filter: {} })
          expect(view.segments).toHaveLength(1)
          await store.collections.rename(word, `${word}2`)
          expect(await found(store, 'zebra')).toEqual([`${word}2/${word}`])
          expect(await store.collections.remove(`${word}2`)).toBe(true)
          expect((await store.collections.list()).map((each) => each.name)).toEqual(['docs'])
        },
        ['docs'],
      ),
    )
  })
}
