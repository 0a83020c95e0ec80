import { describe, expect, it } from 'vitest'
import type { LoadAnswer } from '../../src/context/answers.ts'
import { kindsFor, type PlaceKind } from '../../src/context/load/recipe.ts'
import { SILENT } from '../../src/core/flow.ts'
import { loadOperation } from '../../src/operations/context/load.ts'
import { failure, packageOf, registryV1 } from '../quilt/packages/fixtures.ts'
import { tree } from '../support/tree.ts'
import { LABS } from './catalog/labs.ts'

/** A value of each option that is not its default; of some it depends on the place. An option without one fails the test. */
const VALUES: Readonly<Record<string, unknown>> = {
  budget: 30,
  format: '',
  touched: [],
  task: 'zebra stripes',
  code: true,
  signatures: true,
  rewrite: true,
  profile: 'claude',
  order: 'general-first',
  tokens: 'o200k',
  home: false,
  instructions: false,
  withContextDir: true,
  drift: false,
  known: [],
  full: false,
}

/** What it takes for an option to mean anything. */
const BESIDE: Readonly<Record<string, object>> = {
  code: { task: 'lion' },
  signatures: { task: 'lion', code: true, budget: 900 },
  rewrite: { task: 'lion', code: true },
  task: { budget: 150 },
}

/** What an option promises of the answer. Default: that its text is another one. */
const HOLDS: Readonly<Record<string, (after: LoadAnswer, before: LoadAnswer) => boolean>> = {
  home: ({ contexts }) => contexts.every(({ scope }) => scope !== 'home'),
  drift: ({ warnings }) => warnings.every(({ message }) => !message.includes('gone/file.ts')),
  withContextDir: ({ contextDir, text }) => contextDir !== null && text.includes('Nap'),
  full: ({ files, fragments }) => fragments === undefined && files.every((file) => !('content' in file)),
  tokens: ({ tokenCount }, before) => tokenCount !== before.tokenCount,
  // Without a language model, the answer says that it was not used.
  rewrite: ({ warnings }) => warnings.some(({ message }) => message.includes('No model suggested identifiers')),
}

const isOther = ({ text }: LoadAnswer, before: LoadAnswer): boolean => text !== before.text

const TEXT = `# Lions\n\n${'A lion naps in the sun, and nobody minds it there. '.repeat(20)}\n\n## Zebras\n\nMind the zebra stripes.\n`
/** More than the budget shows. */
const CODE = `export function lion() {\n  nap()\n}\n${Array.from({ length: 60 }, (_, at) => `export function mane${at}(of: string) {\n${'  comb(of)\n'.repeat(12)}}\n`).join('')}`
const PACKAGE = packageOf({ 'README.md': { text: TEXT } }, { message: 'one' })
const HELD = {
  ...registryV1({ 'team/data': { 1680720300: PACKAGE } }),
  'README.md': TEXT,
  'a/AGENTS.md': TEXT,
  '.context/TASKS.md': '# Tasks\n\n- [ ] Nap\n',
}

const OPTIONS = Object.keys(loadOperation.input.fields).filter((name) => name !== 'place')

describe.each(LABS)('an option of "load", with a collection in %s', (_, labOf) => {
  it('has a value here, and a kind of place that honours it', () => {
    expect(OPTIONS.filter((name) => !(name in VALUES) || kindsFor(name).length === 0)).toEqual([])
  })

  it.each(OPTIONS)('%s changes the answer as it says, or is refused with the places that honour it', async (option) => {
    await using lab = await labOf(HELD)
    using at = tree({
      '.git/': '',
      'AGENTS.md': `${TEXT}See \`gone/file.ts\`.\n`,
      'CLAUDE.md': '# C\n',
      '.context/TASKS.md': '# Tasks\n\n- [ ] Nap\n',
      'b/AGENTS.md': `# B\n\n${TEXT}`,
      'a.ts': CODE,
    })
    const places: Readonly<Record<PlaceKind, string>> = {
      disk: at.base,
      collection: 'ambit://lab/a',
      package: `lab/team/data@${PACKAGE.hash}`,
    }
    const outcomes = Object.entries(places).map(async ([kind, place]) => {
      const ask = async (more: object): Promise<LoadAnswer> =>
        loadOperation.run(lab.engine, loadOperation.input.parse({ place, ...more }), SILENT) as Promise<LoadAnswer>
      try {
        const before = await ask(BESIDE[option] ?? {})
        const sent = before.sent.map(({ digest }) => digest)
        const own = { touched: [at.at('b/x.ts')], known: sent, format: kind === 'disk' ? 'xml' : 'markdown' }
        const value = Reflect.get(own, option) ?? VALUES[option]
        const after = await ask({ ...BESIDE[option], [option]: value })
        return (HOLDS[option] ?? isOther)(after, before) ? 'honoured' : 'ignored'
      } catch (error) {
        return /is only for places on disk\.$/.test(String(error)) ? 'refused' : String(error)
      }
    })
    const able: readonly string[] = kindsFor(option)
    expect(await Promise.all(outcomes)).toEqual(
      Object.keys(places).map((kind) => (able.includes(kind) ? 'honoured' : 'refused')),
    )
  })

  it('that is refused is named with what can honour it', async () => {
    await using lab = await labOf(HELD)
    const request = loadOperation.input.parse({ place: 'ambit://lab/a', instructions: false })
    expect(await failure(loadOperation.run(lab.engine, request, SILENT) as Promise<unknown>)).toMatchObject({
      message: 'instructions is only for places on disk.',
      hint: 'Leave it out, or give a directory or file on disk.',
    })
  })
})
