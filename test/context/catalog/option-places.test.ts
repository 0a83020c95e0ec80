import { describe, expect, it } from 'vitest'
import { SILENT } from '../../../src/core/flow.ts'
import { loadOperation } from '../../../src/operations/context/load.ts'
import { failure, packageOf, registryV1 } from '../../quilt/packages/fixtures.ts'
import { tree } from '../../support/tree.ts'
import { LABS } from './labs.ts'

/** A value of each option that is not its default. An option without one fails the test. */
const VALUES: Readonly<Record<string, unknown>> = {
  budget: 30,
  format: 'xml',
  touched: ['b/x.ts'],
  task: 'lions',
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
  known: ['0'.repeat(64)],
  full: false,
}

/** What it takes for an option to mean anything. */
const BESIDE: Readonly<Record<string, object>> = {
  code: { task: 'lion' },
  signatures: { task: 'lion', code: true },
  rewrite: { task: 'lion', code: true },
}

/** Options that leave nothing out where there is nothing of that kind, and that only prepare an answer. */
const QUIET = ['home', 'drift', 'rewrite', 'signatures', 'withContextDir', 'task', 'known', 'order', 'tokens', 'format']

const TEXT = `# Lions\n\n${'A lion naps in the sun, and nobody minds it there. '.repeat(20)}\n`
const PACKAGE = packageOf({ 'README.md': { text: TEXT } }, { message: 'one' })
const HELD = {
  ...registryV1({ 'team/data': { 1680720300: PACKAGE } }),
  'README.md': TEXT,
  'a/AGENTS.md': TEXT,
  '.context/TASKS.md': '# Tasks\n\n- [ ] Nap\n',
}

const OPTIONS = Object.keys(loadOperation.input.fields).filter((name) => name !== 'place')

describe.each(LABS)('an option of "load", with a collection in %s', (_, labOf) => {
  it('has a value here', () => {
    expect(OPTIONS.filter((name) => !(name in VALUES))).toEqual([])
  })

  it.each(OPTIONS)('%s changes the answer, or is refused with the places that honour it', async (option) => {
    await using lab = await labOf(HELD)
    using at = tree({
      '.git/': '',
      'AGENTS.md': TEXT,
      'CLAUDE.md': '# C\n',
      'b/AGENTS.md': '# B\n',
      'a.ts': 'export function lion() {}\n',
    })
    const places = {
      directory: at.base,
      file: at.at('a.ts'),
      collection: 'ambit://lab/a',
      package: `lab/team/data@${PACKAGE.hash}`,
    }
    const outcomes = Object.entries(places).map(async ([kind, place]) => {
      const ask = async (more: object) =>
        loadOperation.run(lab.engine, loadOperation.input.parse({ place, ...more }), SILENT)
      const beside = kind === 'directory' || kind === 'file' ? (BESIDE[option] ?? {}) : {}
      const touched = option === 'touched' ? { touched: [at.at('b/x.ts')] } : { [option]: VALUES[option] }
      const before = await ask(beside)
      const after = await ask({ ...beside, ...touched }).catch((error: unknown) => error)
      if (after instanceof Error) return [kind, after.name, after.message]
      return JSON.stringify(after) === JSON.stringify(before) && !QUIET.includes(option) ? [kind, 'is ignored'] : []
    })
    const bad = (await Promise.all(outcomes)).filter((one) => one.length > 0)
    const isRefused = ['touched', 'code', 'signatures', 'rewrite', 'profile', 'instructions'].includes(option)
    const refusal = ['ContextError', expect.stringMatching(/on disk|options of code/)]
    expect(bad).toEqual(
      isRefused
        ? [
            ['collection', ...refusal],
            ['package', ...refusal],
          ]
        : [],
    )
  })

  it('that is refused is told with what can honour it', async () => {
    await using lab = await labOf(HELD)
    const request = loadOperation.input.parse({ place: 'ambit://lab/a', instructions: false })
    expect(await failure(loadOperation.run(lab.engine, request, SILENT) as Promise<unknown>)).toMatchObject({
      message: 'instructions is only for places on disk.',
      hint: 'Leave it out, or give a directory or file on disk.',
    })
  })
})
