import { describe, expect, it } from 'vitest'
import { contextResolver } from '../../src/collections/path-contexts/resolver.ts'
import type { PathContext } from '../../src/stores/store.ts'
import { placePath, segments } from '../../src/text/paths.ts'
import { fc, forAll, forAllAsync } from '../support/property.ts'
import { fixture } from './contexts-fixtures.ts'

/** Few names, so that paths meet; some begin like others. */
const name = fc.constantFrom('a', 'ab', 'A', 'a.md', 'b', 'caf\u00e9', 'cafe\u0301', '%', '_', '📚', ' ', '__proto__')
const collection = fc.constantFrom('docs', 'doc', 'notes')
const path = fc
  .tuple(
    fc.constantFrom('', '/', './', '//'),
    fc.array(name, { maxLength: 6 }),
    fc.constantFrom('/', '//', '/./', '\\'),
  )
  .map(([start, names, slash]) => `${start}${names.join(slash)}`)
const said = fc.uniqueArray(fc.tuple(fc.oneof(fc.constant(null), collection), path), {
  selector: ([where, what]) => `${where} ${where === null ? '/' : normal(what)}`,
  maxLength: 30,
})

function normal(path: string): string {
  const found = placePath(path)
  return 'path' in found ? found.path : path
}

function contextsOf(places: readonly (readonly [string | null, string])[]): PathContext[] {
  const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' }
  return places.map(([where, what], index) => {
    return { collection: where, pathPrefix: where === null ? '/' : normal(what), context: `said ${index}`, ...times }
  })
}

/** By the rule, and slowly: all whose segments the path begins with, the shortest first. */
function scan(contexts: readonly PathContext[], where: string, path: string): string[] {
  const wanted = segments(normal(path))
  return contexts
    .filter(({ collection: of, pathPrefix }) => {
      const own = segments(pathPrefix)
      return of === null || (of === where && own.every((segment, index) => segment === wanted[index]))
    })
    .sort((a, b) => rank(a) - rank(b))
    .map(({ context }) => context)
}

function rank({ collection: of, pathPrefix }: PathContext): number {
  return of === null ? -1 : segments(pathPrefix).length
}

describe('the resolver', () => {
  it('finds what a scan over everything finds', () => {
    forAll(2000, said, collection, path, (places, where, what) => {
      const contexts = contextsOf(places)
      const resolver = contextResolver(contexts)
      const expected = scan(contexts, where, what)
      expect(resolver.all(where, what).map(({ text }) => text)).toEqual(expected)
      expect(resolver.find(where, what)).toBe(expected.at(-1))
    })
  })

  it('tells scope and prefix, each prefix above the path and longer than the one before', () => {
    forAll(said, collection, path, (places, where, what) => {
      const all = contextResolver(contextsOf(places)).all(where, what)
      for (const [index, { scope, prefix }] of all.entries()) {
        expect(scope === 'global').toBe(index === 0 && places.some(([of]) => of === null))
        expect(scope === 'path').toBe(prefix !== '/')
      }
      const own = all.filter(({ scope }) => scope !== 'global').map(({ prefix }) => segments(prefix).length)
      expect(own).toEqual([...new Set(own)].sort((a, b) => a - b))
    })
  })
})

describe('what was said', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({
        do: fc.constant('set' as const),
        where: collection,
        what: path,
        text: fc.constantFrom('x', 'y', 'z'),
      }),
      fc.record({ do: fc.constant('remove' as const), where: collection, what: path }),
      fc.record({ do: fc.constant('rename' as const), where: collection }),
      fc.record({ do: fc.constant('drop' as const), where: collection }),
    ),
    { maxLength: 25 },
  )

  it('is what a plain record of the same steps holds', async () => {
    await forAllAsync(150, steps, async (all) => {
      await using at = await fixture({ docs: null, doc: null, notes: null })
      const record = new Map<string, Map<string, string>>(['docs', 'doc', 'notes'].map((each) => [each, new Map()]))
      for (const step of all) {
        const own = record.get(step.where)
        if (!own) continue
        if (step.do === 'set') {
          await at.contexts.set({ collection: step.where, pathPrefix: step.what }, step.text)
          own.set(normal(step.what), step.text)
        } else if (step.do === 'remove') {
          const place = { collection: step.where, pathPrefix: step.what }
          expect(await at.contexts.remove(place)).toBe(own.delete(normal(step.what)))
        } else {
          if (step.do === 'drop') await at.store.collections.remove(step.where)
          else {
            await at.store.collections.rename(step.where, `new ${step.where}`)
            record.set(`new ${step.where}`, own)
          }
          record.delete(step.where)
        }
      }
      const expected = [...record].flatMap(([of, own]) => [...own].map(([prefix, text]) => `${of} ${prefix} ${text}`))
      const listed = (await at.contexts.list()).map(
        ({ collection: of, pathPrefix, context }) => `${of} ${pathPrefix} ${context}`,
      )
      expect(listed.sort()).toEqual(expected.sort())
      for (const [of, own] of record) {
        for (const [prefix, text] of own) expect(await at.contexts.find(of, prefix)).toBe(text)
      }
    })
  })
})
