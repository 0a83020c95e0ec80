/** What an operation opens that its schema does not say: an input that names a file, and is called a text. */

import { basename, dirname } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { defineInputs } from '../../../../src/core/define-inputs.ts'
import { SILENT } from '../../../../src/core/flow.ts'
import type { InputFields } from '../../../../src/core/input.ts'
import type { Engine } from '../../../../src/engine/engine.ts'
import { openRoot } from '../../../../src/files/disk.ts'
import { openWith } from '../../../../src/open.ts'
import type { AnyOperation } from '../../../../src/operations/index.ts'
import { confineOperation } from '../../../../src/surfaces/http/confinement/confine.ts'
import { type Tree, tree } from '../../../support/tree.ts'
import { appOf, ask, echo, post, rootsOf } from '../support.ts'

const SECRET = 'the-canary-of-what-is-outside'
const planted = tree({
  '.git/': '',
  'AGENTS.md': '# The project that the root lies in\n',
  'served/AGENTS.md': '# Served\n',
  'served/a.md': 'a\n',
  'served/out -> ../secret': '',
  'served/collections.yml': 'collections:\n  taken:\n    path: ../secret\n',
  'secret/AGENTS.md': `# ${SECRET}\n`,
  'secret/.context/TASKS.md': `- [ ] ${SECRET}\n`,
  'secret/collections.yml': `collections:\n  ${SECRET}:\n    path: .\n`,
})
const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
afterAll(async () => {
  await engine.close()
  planted[Symbol.dispose]()
})

const FIELDS: InputFields = {
  file: { is: 'text', required: true, description: 'what it opens, though nothing says so' },
}

/** An operation that nobody foresaw. */
function madeUp(open: (engine: Engine, file: string) => unknown, fields = FIELDS): AnyOperation {
  return {
    ...echo,
    input: defineInputs(fields),
    run: async (given, input) => ({ said: await open(given, String(Object(input).file)) }),
  }
}

function askMadeUp(open: Parameters<typeof madeUp>[0], file: string) {
  const app = appOf({ engine, operations: [madeUp(open)], roots: rootsOf(planted.at('served')) })
  return ask(app, '/api/echo', post({ file }))
}

/** The ways by which a file is opened, a collection made, or a place stood at. */
const WAYS: readonly (readonly [what: string, open: Parameters<typeof madeUp>[0], name: string])[] = [
  ['reads a file', (_, file) => readAt(file), 'AGENTS.md'],
  ['lists a directory', (_, file) => openRoot(file).list('.'), '.'],
  ['loads a place', ({ load }, place) => load({ place }, SILENT), '.'],
  ['explains a place', ({ explain }, place) => explain({ place }, SILENT), '.'],
  ['checks a place', ({ check }, place) => check({ place }, SILENT), '.'],
  ['compares at a place', ({ diff }, place) => diff({ place, profiles: ['ambit', 'claude'] }, SILENT), '.'],
  ['writes to a place', ({ init }, place) => init({ place }, SILENT), '.'],
  ['reads loose files', async ({ placeReader }, place) => (await placeReader()).openProject(place).list('.'), '.'],
  [
    'reads loose files of the project',
    async ({ placeReader }, path) => (await placeReader()).openProject(planted.at('served')).read(path),
    'AGENTS.md',
  ],
  ['grounds research', async ({ research }, file) => beginResearch(await research(), file), 'AGENTS.md'],
  ['adds a collection', async ({ library }, root) => (await library()).collections.add({ name: 'a', root }), '.'],
  ['takes contexts over', async ({ contexts }, file) => (await contexts()).importFile(file), 'collections.yml'],
]

function readAt(file: string): string {
  const read = openRoot(dirname(file)).read(basename(file))
  return read.ok ? Buffer.from(read.bytes).toString() : read.detail
}

function beginResearch(research: Awaited<ReturnType<Engine['research']>>, file: string) {
  return research.createAndStart({ question: 'What?', files: [file], extractive: true })
}

describe.each(WAYS)('a made-up operation that %s', (_, open, name) => {
  it.each<[string, (at: Tree) => string]>([
    ['outside', (at) => at.at('secret', name)],
    ['through a link', (at) => at.at('served/out', name)],
    ['by dots', (at) => `${at.at('served')}/../secret/${name}`],
  ])('is denied what lies %s', async (_, path) => {
    const { json, status, body } = await askMadeUp(open, path(planted))
    expect([status, json.code]).toEqual([403, 'denied'])
    expect(body).not.toContain(SECRET)
    expect((await (await engine.library()).collections.list()).map(({ root }) => root)).toEqual([])
  })
})

describe('a made-up operation', () => {
  it('opens what lies in a root', async () => {
    expect((await askMadeUp((_, file) => readAt(file), planted.at('served/a.md'))).json.said).toBe('a\n')
  })

  it('is given what applies in a root, and nothing of the project around it', async () => {
    const { json } = await askMadeUp(
      async ({ load }, place) => (await load({ place }, SILENT)).text,
      planted.at('served'),
    )
    expect(json.said).toContain('# Served')
    expect(json.said).not.toContain('# The project that the root lies in')
  })

  it('is told of a file that was touched outside, and of nothing in it', async () => {
    const open = ({ load }: Engine, file: string) => load({ place: planted.at('served'), touched: [file] }, SILENT)
    const { body, status } = await askMadeUp(open, planted.at('secret/a.ts'))
    expect([status, body.includes(SECRET)]).toEqual([200, false])
  })

  it('makes no collection of what a file in a root names outside', async () => {
    const open = async ({ contexts }: Engine, file: string) => (await contexts()).importFile(file)
    const { body } = await askMadeUp(open, planted.at('served/collections.yml'))
    expect(body).toContain('not in a directory that is served')
    expect(await (await engine.library()).collections.list()).toEqual([])
  })

  it('gets nothing by an input that nobody described, or by one of a kind that is not known', async () => {
    for (const fields of [{}, { file: { is: 'string', description: 'as it was written before' } }]) {
      const loose = { ...madeUp((_, file) => file), input: { ...echo.input, fields } } as AnyOperation
      const { run } = confineOperation(loose, rootsOf(planted.at('served')), true)
      const file = planted.at('secret/AGENTS.md')
      for (const value of [file, [file], { file }, [[file]]]) {
        await expect(run(engine, { file: value }, SILENT)).rejects.toMatchObject({ code: 'denied' })
      }
    }
  })
})

it('is not a wall for whoever is kept to no roots', () => {
  expect(readAt(planted.at('secret/AGENTS.md'))).toContain(SECRET)
})
