import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ContextError, LimitReached, NoSpace } from '../../../../src/core/errors.ts'
import { SILENT } from '../../../../src/core/flow.ts'
import { openWith } from '../../../../src/open.ts'
import { confineOperation } from '../../../../src/surfaces/http/confinement/confine.ts'
import { toProblem } from '../../../../src/surfaces/http/problem.ts'
import { tree } from '../../../support/tree.ts'
import { engine, NOWHERE, operation, rootsOf } from '../support.ts'

/** What the owner of a server gets of an operation that fails. */
function failing(error: Error, roots = NOWHERE): Promise<unknown> {
  const failing = operation('fails', () => Promise.reject(error))
  return confineOperation(failing, roots, true)
    .run(engine, {}, SILENT)
    .catch((caught: unknown) => caught)
}

it('an error of a server that is kept to directories names a directory that is served and the home directory by their short names', async () => {
  using planted = tree({ 'served/a.md': '' })
  const hint = `Look into ${planted.at('served/a.md')}.`
  const error = new ContextError('not-found', `There is no ${join(homedir(), 'notes', 'b.md')}.`, { hint })
  const told = { message: 'There is no ~/notes/b.md.', hint: 'Look into ./a.md.' }
  expect(await failing(error, rootsOf(planted.at('served')))).toMatchObject(told)
})

it.each([
  [new NoSpace('There is no space in /served/data.'), 507],
  [new LimitReached('Too much is under way in /served/data.'), 429],
  [new ContextError('not-found', 'There is no /served/data.'), 404],
])('an error whose paths are hidden keeps the status that its kind has: %#', async (error, status) => {
  const hidden = await failing(error, { ...rootsOf(), paths: ['/served'] })
  expect(toProblem(hidden)).toMatchObject({ status, detail: expect.stringContaining('./data.') })
})

describe('an answer to a guest', () => {
  it('has the address of a collection in the place of its directory, and names a bucket as it is', async () => {
    using planted = tree({ 'docs/a.md': '' })
    const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
    const { collections } = await engine.library()
    await collections.add({ name: 'docs', root: planted.at('docs') })
    await collections.add({ name: 'lab', root: 's3://lab-results' })
    const told = confineOperation(
      operation('status', () => [planted.at('docs/a.md'), 's3://lab-results/a.md']),
      NOWHERE,
      false,
    )
    expect(await told.run(engine, {}, SILENT)).toEqual(['ambit://docs/a.md', 's3://lab-results/a.md'])
    await engine.close()
  })

  it.each<[string, (docs: string, written: string) => string]>([
    ['of the server', (docs) => `${docs} does not exist.`],
    ['of the server, and what was written', (docs, written) => `${docs} has no ${written}.`],
    ['that was written', (_, written) => `There is no ${written}.`],
    ['below what was written', (_, written) => `There is no ${written}/a.md.`],
  ])('does not confirm a path that was written beside an error with a path %s', async (_, messageOf) => {
    using planted = tree({ 'docs/a.md': '' })
    const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
    const { collections } = await engine.library()
    await collections.add({ name: 'docs', root: planted.at('docs') })
    const told = async (written: string) => {
      const failing = operation('packages.show', () => {
        throw new ContextError('not-found', messageOf(planted.at('docs'), written))
      })
      const confined = confineOperation(failing, { ...rootsOf(), paths: [planted.at('served')] }, false)
      const caught = await confined.run(engine, { word: written }, SILENT).catch((error: unknown) => error)
      const { code, message, hint } = caught as ContextError
      return { code, hint, message: message.replaceAll(written, 'WRITTEN') }
    }
    const other = await told(planted.at('dogs'))
    expect(other.message).not.toContain(planted.base)
    const guesses = [planted.at('docs'), planted.at('served'), homedir(), pathToFileURL(planted.at('docs')).href]
    for (const guess of guesses) expect(await told(guess)).toEqual(other)
    await engine.close()
  })

  it.each(['docs/設計/a.md', 'docs/Café/menu.md', 'docs/(shop)/cart.md', 'docs/c++/x.md'])(
    'names %s, which is no path on disk',
    async (word) => {
      const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
      const message = `There is no ${word}. Similar: docs/[id]/é/b.md.`
      const failing = operation('packages.show', () => {
        throw new ContextError('not-found', message)
      })
      const caught = await confineOperation(failing, NOWHERE, false)
        .run(engine, { word }, SILENT)
        .catch((error) => error)
      expect(caught).toMatchObject({ message })
      await engine.close()
    },
  )

  it.each(['contexts.add', 'contexts.list'])('has the text of a path context as it was written: %s', async (name) => {
    using planted = tree({ 'a.md': '' })
    const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
    const { collections } = await engine.library()
    await collections.add({ name: 'docs', root: planted.base })
    const told = confineOperation(
      operation(name, ({ word }) => ({ context: word })),
      NOWHERE,
      false,
    )
    expect(await told.run(engine, { word: planted.base }, SILENT)).toEqual({ context: planted.base })
    await engine.close()
  })

  it('has addresses of documents as they are, even with the path of a directory in them', async () => {
    using planted = tree({ 'a.md': '' })
    const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
    const { collections } = await engine.library()
    await collections.add({ name: 'docs', root: planted.base })
    const addresses = [`ambit:/${planted.base}/a.md`, `ambit://docs${planted.base}/a.md`]
    const listing = operation('ls', () => [...addresses, planted.at('a.md')])
    const told = await confineOperation(listing, NOWHERE, false).run(engine, {}, SILENT)
    expect(told).toEqual([...addresses, 'ambit://docs/a.md'])
    await engine.close()
  })

  it('has no directory in an error either, of whatever operation, nor in an address of a file', async () => {
    using planted = tree({ 'docs of us/a.md': '' })
    const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
    const { collections } = await engine.library()
    await collections.add({ name: 'docs', root: planted.at('docs of us') })
    const address = pathToFileURL(planted.at('docs of us')).href
    const failing = confineOperation(
      operation('packages.show', () => {
        throw new ContextError('not-found', `There is no package a/b in ${address}.`, {
          hint: planted.at('docs of us/a'),
        })
      }),
      NOWHERE,
      false,
    )
    const told = { message: 'There is no package a/b in ambit://docs.', hint: 'ambit://docs/a' }
    await expect(failing.run(engine, {}, SILENT)).rejects.toMatchObject(told)
    await engine.close()
  })
})
