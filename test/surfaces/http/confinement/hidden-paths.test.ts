import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ContextError, NoSpace, TooMany } from '../../../../src/core/errors.ts'
import { SILENT } from '../../../../src/core/flow.ts'
import { openWith } from '../../../../src/open.ts'
import { hideHostPaths, withoutPaths } from '../../../../src/surfaces/http/confinement/confine.ts'
import { toProblem } from '../../../../src/surfaces/http/problem.ts'
import { tree } from '../../../support/tree.ts'
import { operation, rootsOf } from '../support.ts'

describe('an error of a server that is kept to directories', () => {
  it('names a directory that is served and the home directory by their short names', async () => {
    using planted = tree({ 'served/a.md': '' })
    const failing = withoutPaths(rootsOf(planted.at('served')), async () => {
      const hint = `Look into ${planted.at('served/a.md')}.`
      throw new ContextError('not-found', `There is no ${join(homedir(), 'notes', 'b.md')}.`, { hint })
    })
    await expect(failing).rejects.toMatchObject({ message: 'There is no ~/notes/b.md.', hint: 'Look into ./a.md.' })
  })
})

describe('an error whose paths are hidden', () => {
  it.each([
    [new NoSpace('There is no space in /served/data.'), 507],
    [new TooMany('Too much is under way in /served/data.'), 429],
    [new ContextError('not-found', 'There is no /served/data.'), 404],
  ])('keeps the status that its kind has: %#', async (error, status) => {
    const roots = { ...rootsOf(), paths: ['/served'] }
    const hidden = await withoutPaths(roots, () => Promise.reject(error)).catch((caught: unknown) => caught)
    expect(toProblem(hidden)).toMatchObject({ status, detail: expect.stringContaining('./data.') })
  })
})

describe('an answer to a guest', () => {
  it('has the address of a collection in the place of its directory, and names a bucket as it is', async () => {
    using planted = tree({ 'docs/a.md': '' })
    const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
    const { collections } = await engine.library()
    await collections.add({ name: 'docs', root: planted.at('docs') })
    await collections.add({ name: 'lab', root: 's3://lab-results' })
    const told = hideHostPaths(operation('status', () => [planted.at('docs/a.md'), 's3://lab-results/a.md']))
    expect(await told.run(engine, {}, SILENT)).toEqual(['ambit://docs/a.md', 's3://lab-results/a.md'])
    await engine.close()
  })

  it('has no directory in an error either, of whatever operation, nor in an address of a file', async () => {
    using planted = tree({ 'docs of us/a.md': '' })
    const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
    const { collections } = await engine.library()
    await collections.add({ name: 'docs', root: planted.at('docs of us') })
    const address = pathToFileURL(planted.at('docs of us')).href
    const failing = hideHostPaths(
      operation('packages.show', () => {
        throw new ContextError('not-found', `There is no package a/b in ${address}.`, {
          hint: planted.at('docs of us/a'),
        })
      }),
    )
    const told = { message: 'There is no package a/b in ambit://docs.', hint: 'ambit://docs/a' }
    await expect(failing.run(engine, {}, SILENT)).rejects.toMatchObject(told)
    await engine.close()
  })
})
