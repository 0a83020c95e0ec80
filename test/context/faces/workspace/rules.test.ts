import { describe, expect, it } from 'vitest'
import { look, open, project } from '../../../support/workspace.ts'

const file = (matter: string) => `---\n${matter}\n---\nRules.\n`

describe('an instruction file that says which paths it is for', () => {
  it.each([
    ['paths: "src/**"', 'src/a.ts', 'src/**'],
    ['paths: ["lib/**", "src/**"]', 'src/a.ts', 'lib/**, src/**'],
    ['globs: lib/**, src/*.{js,ts}', 'src/a.ts', 'lib/**, src/*.{js,ts}'],
    ['applyTo: "**/*.ts"', 'src/a.ts', '**/*.ts'],
    ['paths: "*.ts"', '.hidden/x.ts', '*.ts'],
    ['paths: "**/*.ts"\nglobs: "*.py"', 'a.py', '**/*.ts, *.py'],
  ])('applies when such a path was touched: %j, %s', async (matter, touched, patterns) => {
    expect(await look({ 'AGENTS.md': file(matter) }, { touched: [touched] })).toEqual({
      contexts: [`AGENTS.md project: touched ${touched}, which matches ${patterns}`],
      left: [],
    })
  })

  it.each([
    ['paths: "src/**"', 'lib/a.ts'],
    ['paths: "../**"', 'a.ts'],
    ['paths: "/etc/**"', '/etc/passwd'],
    ['paths: [unclosed', 'a.ts'],
    ['paths: ["*.ts", "!*.test.ts"]', 'src/a.test.ts'],
  ])('is irrelevant otherwise: %j, %s', async (matter, touched) => {
    const { contexts, left } = await look({ 'AGENTS.md': file(matter) }, { touched: [touched] })
    expect(contexts).toEqual([])
    expect(left[0]).toBe('AGENTS.md: irrelevant')
  })

  it('is irrelevant while nothing was touched', async () => {
    using planted = project({ 'AGENTS.md': file('paths: "**"') })
    const workspace = await open(planted)
    expect(await workspace.ledger()).toEqual([
      expect.objectContaining({ why: 'irrelevant', detail: 'It is for **: no such file was touched.' }),
    ])
    await workspace.touch('a.ts')
    expect((await workspace.relevantContexts()).length).toBe(1)
  })

  it.each([['alwaysApply: true\nglobs: "*.py"'], ['globs:\nalwaysApply: false'], ['paths: []'], ['title: anything']])(
    'applies always when it names none, or says so: %j',
    async (matter) => {
      expect((await look({ 'AGENTS.md': file(matter) })).contexts).toEqual(['AGENTS.md project: the working directory'])
    },
  )

  it('is seen from its own directory', async () => {
    const shape = { 'a/AGENTS.md': file('paths: "src/**"'), 'a/b/AGENTS.md': file('paths: "a/**"') }
    const { contexts, left } = await look(shape, { touched: ['a/src/x.ts', 'a/b/y.ts'] })
    expect(contexts).toEqual(['a/AGENTS.md nested: touched a/src/x.ts, which matches src/**'])
    expect(left).toEqual(['a/b/AGENTS.md: irrelevant'])
  })

  it('wins its directory even when it is irrelevant', async () => {
    expect(await look({ 'AGENTS.md': file('paths: "*.py"'), 'CLAUDE.md': 'c' })).toEqual({
      contexts: [],
      left: ['AGENTS.md: irrelevant', 'CLAUDE.md: shadowed'],
    })
  })

  it('follows no imports while it is irrelevant', async () => {
    const shape = { 'AGENTS.md': `${file('paths: "*.py"')}@b.md`, 'b.md': 'b' }
    expect((await look(shape)).left).toEqual(['AGENTS.md: irrelevant'])
    expect((await look(shape, { touched: ['x.py'] })).contexts.length).toBe(2)
  })

  it('in the home directory is seen from the project’s root', async () => {
    const shape = { '~/.ambit/AGENTS.md': file('paths: "src/**"') }
    expect((await look(shape)).left).toEqual(['~/.ambit/AGENTS.md: irrelevant'])
    expect((await look(shape, { cwd: '', touched: ['src/a.ts'] })).contexts).toEqual([
      '~/.ambit/AGENTS.md home: touched src/a.ts, which matches src/**',
    ])
  })
})
