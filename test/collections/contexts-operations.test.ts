import { describe, expect, it } from 'vitest'
import { SILENT } from '../../src/core/flow.ts'
import type { Operation } from '../../src/core/operation.ts'
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import { pathContextOperations as pathContexts } from '../../src/operations/path-contexts/path-contexts.ts'
import { tree } from '../support/tree.ts'
import { type Fixture, fixture } from './contexts-fixtures.ts'
import { performedBy } from './performed.ts'

const {
  add: addContext,
  check: checkContextsOperation,
  export: exportContexts,
  import: importContexts,
  list: listContexts,
  remove: removeContext,
} = pathContexts

const DOCS = { docs: ['readme.md', 'api/a.md', 'api/b.md', 'guides/c.md'], notes: ['a.md'] }

function engineOver(contexts: Fixture['contexts']): Engine {
  return { ...createEngine({ file: undefined, unknown: [], home: false }), contexts: async () => contexts }
}

const perform = <Input, Output>({ contexts }: Fixture, operation: Operation<Engine, Input, Output>, given?: object) =>
  performedBy(engineOver(contexts), operation, given)

describe('the operations on contexts', () => {
  it('ask nobody before they write', () => {
    expect([addContext, removeContext, importContexts].filter(({ asks }) => asks)).toEqual([])
  })
})

describe('context add', () => {
  it.each([
    [{ path: '/', text: 'Global context' }, null, '/', 'Added the path context of everything.\n'],
    [{ text: 'Global context' }, null, '/', 'Added the path context of everything.\n'],
    [{ path: 'docs', text: 'Documentation collection' }, 'docs', '/', 'Added the path context of docs.\n'],
    [{ path: 'docs/api', text: 'API reference' }, 'docs', '/api', 'Added the path context of docs/api.\n'],
    [{ path: 'ambit://docs/api/', text: 'API reference' }, 'docs', '/api', 'Added the path context of docs/api.\n'],
  ])('%j', async (given, collection, pathPrefix, text) => {
    await using at = await fixture(DOCS)
    const added = await perform(at, addContext, given)
    expect(added.output).toMatchObject({ collection, pathPrefix, context: given.text })
    expect(added).toMatchObject({ text, failed: false })
    expect((await perform(at, listContexts)).output).toEqual({ contexts: [added.output] })
  })

  it('of a text alone that names a place is a slip of a person, and the word of a program', async () => {
    await using at = await fixture(DOCS)
    const engine = engineOver(at.contexts)
    for (const text of ['docs', 'docs/api', 'ambit://docs']) {
      const input = addContext.input.parse({ text })
      await expect(addContext.runTyped?.(engine, input, SILENT)).rejects.toMatchObject({
        code: 'invalid-input',
        hint: expect.stringContaining(`ambit context add / ${text}`),
      })
      expect(await at.contexts.list()).toEqual([])
      expect((await perform(at, addContext, { text })).output).toMatchObject({ collection: null, context: text })
      await at.contexts.remove('/')
    }
    const input = addContext.input.parse({ path: '/', text: 'docs' })
    expect(await addContext.runTyped?.(engine, input, SILENT)).toMatchObject({ collection: null, context: 'docs' })
  })
})

describe('context check', () => {
  it.each([
    [false, false],
    [true, true],
  ])('for folders fails when it is strict: %j', async (strict, fails) => {
    await using at = await fixture(DOCS)
    for (const place of ['docs', 'notes', 'docs/api']) await at.contexts.set(place, 'said')
    expect((await perform(at, checkContextsOperation, { strict })).failed).toBe(fails)
    await at.contexts.set('docs/guides', 'said')
    expect(await perform(at, checkContextsOperation, { strict })).toMatchObject({
      failed: false,
      text: 'All collections and their folders have a path context.\n',
    })
  })

  it('does not fail for what is stale', async () => {
    await using at = await fixture({ notes: ['a.md'] })
    for (const place of ['notes', 'notes/gone']) await at.contexts.set(place, 'said')
    const { failed, output } = await perform(at, checkContextsOperation, { strict: true })
    expect(output.stale).toHaveLength(1)
    expect(failed).toBe(false)
  })

  it('names the folders of a collection only once something was said of it', async () => {
    await using at = await fixture({ docs: DOCS.docs })
    const { text, output } = await perform(at, checkContextsOperation)
    expect(output.paths).toHaveLength(2)
    expect(text).not.toContain('guides')
  })
})

describe('context remove', () => {
  it('takes away what was said of a place, and of no other', async () => {
    await using at = await fixture(DOCS)
    for (const place of ['docs', 'docs/api', 'docs/api/v2']) await at.contexts.set(place, 'said')
    const { output, text } = await perform(at, removeContext, { path: 'docs/api' })
    expect(output).toEqual({ collection: 'docs', pathPrefix: '/api', removed: true })
    expect(text).toBe('Removed the path context of docs/api.\n')
    expect((await at.contexts.list()).map(({ pathPrefix }) => pathPrefix)).toEqual(['/', '/api/v2'])
  })
})

describe('context import and export', () => {
  it('give back what was there, elsewhere', async () => {
    await using one = await fixture(DOCS)
    await one.contexts.set('docs/api', 'API')
    await one.contexts.set('/', 'All')
    const { output, text } = await perform(one, exportContexts)
    expect(text).toBe(output.yaml)
    using base = tree({ 'contexts.yml': output.yaml })
    await using other = await fixture({}, { cwd: base.base })
    const imported = await perform(other, importContexts, { file: 'contexts.yml' })
    expect(imported.text).toBe(
      `added\tcontext\t/
added\tcollection\tdocs\t/srv/docs does not exist yet.
added\tcontext\tdocs/api
added\tcollection\tnotes\t/srv/notes does not exist yet.
`,
    )
    expect((await perform(other, exportContexts)).output).toEqual(output)
  })
})
