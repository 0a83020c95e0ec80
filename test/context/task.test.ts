import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCode } from '../../src/code/definitions.ts'
import type { RankedFile } from '../../src/code/rank.ts'
import type { TaskAnswer } from '../../src/context/answers.ts'
import { codeFragment, taskMarkdown, taskXml } from '../../src/context/task/code-fragments.ts'
import { TaskLadder, taskBudget } from '../../src/context/task/task-ladder.ts'
import { selectTaskContext, type TaskRequest } from '../../src/context/task.ts'
import { assemble } from '../../src/core/assemble.ts'
import { EMPTY_SELECTION, type Fragment } from '../../src/core/flow.ts'
import { bytes4 } from '../../src/core/tokens.ts'
import { plant } from '../drift/fixtures.ts'
import { type Shape, tree } from '../support/tree.ts'

const body = (name: string, lines: number) =>
  `export function ${name}(input: string) {\n${Array.from({ length: lines }, (_, at) => `  step(${at})\n`).join('')}  return input\n}\n`

const SHAPE: Shape = {
  '.git/': '',
  'AGENTS.md':
    '# Rules\n\n## Parsing\n\nThe parser of ledger lines never throws on commas.\n\n## Commits\n\nWrite a body.\n',
  '.context/DECISIONS.md': '# Decisions\n\n## Ledger lines\n\nThe parser of ledger lines is strict about commas.\n',
  'src/parser.ts': `${body('parseLedgerLine', 5)}\n${body('unrelated', 30)}`,
  'src/deep/AGENTS.md': '# Deep\n\nLedger lines in deep are parsed by hand.\n',
  'src/deep/other.ts': body('somethingElse', 3),
  'docs/a.md': '# Other\n\nNothing of it.\n',
}

async function ask(shape: Shape, request: TaskRequest): Promise<TaskAnswer> {
  using planted = tree({
    w: { make: () => {} },
    ...Object.fromEntries(Object.entries(shape).map(([key, what]) => [`w/${key}`, what])),
  })
  return await selectTaskContext({ ...request, place: planted.at('w', request.place ?? '') })
}

/** As people paste them: a template, a log, an environment; what is wanted in two of its lines. */
function pastedIssue(bytes: number): string {
  const head = `<!-- Please search before you file. -->\n### Describe the bug\n\n${TASK}\n\n### Steps to reproduce\n\n1. run it\n\n`
  const log = '2026-01-01T00:00:00Z INFO step somethingElse idle worker 42\n'
  return `${head}### Logs\n\n\`\`\`\n${log.repeat(bytes / log.length)}\`\`\`\n\n### Environment\n\n- OS: Linux\n`
}

const TASK = 'The ledger parser drops lines: `parseLedgerLine` is wrong about commas'

describe('the context of a task', () => {
  it('shows the definition that is named, says why, and tells of the other files without showing them', async () => {
    const { files, text } = await ask(SHAPE, { task: TASK })
    expect(files[0]).toMatchObject({
      path: 'src/parser.ts',
      score: 1,
      why: expect.stringContaining('defines `parseLedgerLine`'),
    })
    expect(files[0]?.ranges[0]).toEqual({ start: 1, end: 9, name: 'parseLedgerLine', kind: 'function', shown: 'body' })
    expect(text).toContain('export function parseLedgerLine')
    expect(text).not.toContain('somethingElse')
  })

  it('brings the passages of instructions that bear on it, and no others', async () => {
    const { text, files } = await ask(SHAPE, { task: TASK })
    expect(text).toContain('never throws')
    expect(text).toContain('strict about commas')
    expect(text).not.toContain('Write a body')
    expect(files.map(({ path }) => path)).not.toContain('AGENTS.md#L1')
  })

  it('brings the rules of the folder of the code that it shows, whatever their words, behind that code', async () => {
    const long = `# Deep\n\n${Array.from({ length: 40 }, (_, at) => `## Part ${at}\n\n${'Water boils. '.repeat(12)}\n\n`).join('')}`
    const shape = {
      ...SHAPE,
      'AGENTS.md': `${SHAPE['AGENTS.md']}\n## Water\n\nWater boils here, too.\n`,
      'src/AGENTS.md': '# Source\n\nTabs, never blanks.\n',
    }
    const { text, ledger } = await ask(shape, { task: TASK })
    expect(text).toContain('## src/AGENTS.md\nSource, for src/\n')
    expect(text.indexOf('Tabs, never blanks')).toBeGreaterThan(text.indexOf('export function parseLedgerLine'))
    expect(text).not.toContain('Water boils here')
    expect(ledger.find(({ title }) => title === 'src/AGENTS.md: Source')).toMatchObject({ decision: 'kept' })
    // Of a long file there is as much as its share allows.
    const many = await ask({ ...shape, 'src/AGENTS.md': long }, { task: TASK })
    expect(bytes4(many.text) - bytes4(text)).toBeLessThan(900)
    expect(many.text.match(/for src\//g)?.length).toBeGreaterThan(3)
    // A part of 600 tokens, and one of 601.
    for (const [letters, isShown] of [
      [2392, true],
      [2393, false],
    ] as const) {
      const one = await ask({ ...shape, 'src/AGENTS.md': `# Deep\n\n${'w'.repeat(letters)}\n` }, { task: TASK })
      expect(one.text.includes('www')).toBe(isShown)
    }
  })

  it('keeps the passages that fit beside a list of tasks that says the same as the task', async () => {
    const { text } = await ask({ ...SHAPE, '.context/TASKS.md': `# Tasks\n\n- [ ] ${TASK}\n` }, { task: TASK })
    for (const passage of ['- [ ] The ledger parser', 'never throws', 'strict about commas'])
      expect(text).toContain(passage)
  })

  it('has a row for each file of instructions of which nothing is shown', async () => {
    const { ledger } = await ask({ ...SHAPE, '.context/GLOSSARY.md': '# Glossary\n\nA kettle.\n' }, { task: TASK })
    expect(ledger.filter(({ why, scope }) => why === 'irrelevant' && scope === 'context-dir')).toMatchObject([
      { title: 'Glossary', decision: 'left', detail: 'None of its passages has enough words of the task.' },
    ])
  })

  it('brings no comment that is for those who maintain a file', async () => {
    const notes =
      '# Rules\n\n## Parsing\n\n<!-- Owner of the ledger parser:\n\nparseLedgerLine and commas are mine. -->\n\n'
    const shape = { ...SHAPE, 'AGENTS.md': `${notes}The parser of ledger lines never throws on commas.\n` }
    const { text } = await ask(shape, { task: TASK })
    expect(text).toContain('never throws')
    expect(text).not.toContain('are mine')
  })

  it('divides a long paragraph of instructions into parts of at most sixteen lines', async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `The parser of ledger lines never throws on commas: ${at}.`)
    const shape = { ...SHAPE, 'AGENTS.md': `# Rules\n\n## Parsing\n${lines.join('\n')}\n` }
    const { ledger } = await ask(shape, { task: TASK })
    const parts = ledger.flatMap(({ uri }) => /w\/AGENTS\.md#(.*)/.exec(uri)?.[1] ?? [])
    expect(parts).toEqual(['L3-L18', 'L19-L34', 'L35-L43'])
  })

  it('marks every gap with its lines', async () => {
    const { text } = await ask(SHAPE, { task: TASK, precise: true })
    expect(text).toMatch(/^… lines 10-\d+ not shown \(\d+\)$/m)
  })

  it('accounts for what it left', async () => {
    const shape = { ...SHAPE, 'src/ledger-notes.ts': '// a ledger\n' }
    const { ledger } = await ask(shape, { task: TASK, precise: true })
    const row = ledger.find(({ title }) => title === 'src/ledger-notes.ts')
    expect(row).toMatchObject({
      decision: 'left',
      why: 'irrelevant',
      detail: expect.stringMatching(/^Scores 0\.\d\d of the best/),
    })
  })

  it('puts what is at the place before what is elsewhere', async () => {
    const twins = { '.git/': '', 'a/run.ts': body('runJobs', 3), 'b/run.ts': body('runJobs', 3) }
    for (const place of ['a', 'b']) {
      const { files } = await ask(twins, { task: 'runJobs hangs', place })
      expect(files.map(({ path }) => path)).toEqual([`${place}/run.ts`, `${place === 'a' ? 'b' : 'a'}/run.ts`])
    }
  })

  it('is of the permitted directory around the place where the project is not permitted', async () => {
    using planted = tree({ '.git/': '', 'a/run.ts': body('runJobs', 3), 'a/deep/b.ts': body('other', 3) })
    const request = { task: 'runJobs hangs', place: planted.at('a/deep') }
    const { files } = await selectTaskContext(request, { within: [planted.at('a')] })
    expect(files.map(({ path }) => path)).toEqual(['run.ts'])
  })

  it('puts the file that prints what the task quotes before those with the same words', async () => {
    const shape = {
      'src/a.ts': "export function load() {\n  return 'The file was not found on the disk'\n}\n",
      ...Object.fromEntries(
        Array.from({ length: 4 }, (_, at) => [
          `src/0${at}.ts`,
          'export function other() {\n  // on the disk that was found, not here\n  return 1\n}\n',
        ]),
      ),
    }
    const { files } = await ask(shape, { task: 'It says "not found on the disk"' })
    expect(files[0]?.path).toBe('src/a.ts')
  })

  it.each([
    ['a test', 'test/parser.ts', ''],
    ['an example', 'examples/parser.ts', ''],
    ['a generated file by its name', 'src/parser.gen.ts', ''],
    ['a generated file by its head', 'src/made.ts', '// Code generated. DO NOT EDIT.\n'],
    ['a changelog', 'CHANGELOG.md', ''],
  ])('puts code before %s with the same text', async (_, path, head) => {
    const text = body('parseLedgerLine', 5)
    const { files } = await ask({ [path]: `${head}${text}`, 'zz/parser.ts': text }, { task: TASK })
    expect(files[0]?.path).toBe('zz/parser.ts')
    expect(files.find((file) => file.path === path)?.score).toBeLessThan(0.7)
  })

  it('shows no more files than are asked for', async () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`src/f${at}.ts`, body(`ledgerLine${at}`, 3)]))
    const shown = async (files?: number) =>
      (await ask({ '.git/': '', ...many }, { task: 'ledger line', files })).files.filter(
        ({ ranges }) => ranges.length > 0,
      )
    expect(await shown()).toHaveLength(9)
    expect(await shown(6)).toHaveLength(6)
    expect(await shown(2)).toHaveLength(2)
  })

  it.each([
    [
      'a diff alone',
      'diff --git a/src/parser.ts b/src/parser.ts\n--- a/src/parser.ts\n+++ b/src/parser.ts\n@@ -3 +3 @@\n-  step(1)\n+  step(2)\n',
      'src/parser.ts',
    ],
    ['a stack trace alone', 'Error\n    at somethingElse (/home/me/w/src/deep/other.ts:2:3)', 'src/deep/other.ts'],
    ['Chinese', '修复 parseLedgerLine 的错误', 'src/parser.ts'],
    ['Chinese without a space', '当输入为空时parseLedgerLine函数会崩溃，需要修复这个错误。', 'src/parser.ts'],
    ['Chinese about code that has no word of it', '解析器在输入为空时崩溃', 'src/parser.ts'],
    ['nothing but marks and a name', '??? !!! ### `parseLedgerLine` ---', 'src/parser.ts'],
    ['an issue of 64 kB, pasted whole', pastedIssue(64_000), 'src/parser.ts'],
    ['64 kB of a log', `parseLedgerLine failed\n${'2026-01-01 INFO worker idle 42\n'.repeat(2100)}`, 'src/parser.ts'],
  ])('understands %s', async (_, task, path) => {
    expect((await ask(SHAPE, { task })).files[0]?.path).toBe(path)
  })

  it('takes a frame of another machine for the file that ends like it, and the definition that holds its line', async () => {
    const shape = {
      '.git/': '',
      'lib/src/pack/server.ts': `${body('openPack', 150)}\n${body('closePack', 150)}`,
      'http/server.ts': body('listen', 300),
    }
    const task = 'It fails\n    at x (/usr/lib/node_modules/acme/pack/server.ts:200:3)'
    const { files } = await ask(shape, { task, budget: 300 })
    expect(files[0]).toMatchObject({
      path: 'lib/src/pack/server.ts',
      why: 'appears in the stack trace; named in the task',
    })
    expect(files[0]?.ranges.map(({ name }) => name)).toEqual(['closePack'])
  })

  it('takes a path for the file that it is the whole path of, before others of that name', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((folder) => `packages/${folder}/package.json`)
    const shape = Object.fromEntries(
      [...names, 'package.json'].map((path) => [path, '{ "name": "x", "version": "1" }\n']),
    )
    const { files } = await ask({ '.git/': '', ...shape }, { task: 'bump the version in package.json' })
    expect(files[0]?.path).toBe('package.json')
  })

  it('needs no git, and no code', async () => {
    const { '.git/': _, ...bare } = SHAPE
    expect((await ask(bare, { task: TASK })).files[0]?.path).toBe('src/parser.ts')
    expect(await ask({ 'a.bin': Buffer.of(0) }, { task: TASK })).toMatchObject({ files: [], text: '', tokenCount: 0 })
  })

  it('names what changes with the files that fit, by commits and imports, and shows no line for that alone', async () => {
    const parser = (times: number) => `import { feed } from './feed.ts'\n${body('parseLedgerLine', 5 + times)}`
    using repo = plant({
      'src/parser.ts': parser(0),
      'src/rates.ts': body('exchange', 3),
      'src/feed.ts': body('feed', 2),
    })
    repo.git('init', '--quiet')
    repo.commit('first')
    for (const times of [1, 2, 3]) {
      repo.write({ 'src/parser.ts': parser(times), 'src/rates.ts': body('exchange', 3 + times) })
      repo.commit('Both')
    }
    const { files, text } = await selectTaskContext({ task: TASK, place: repo.root })
    expect(files).toMatchObject([
      { path: 'src/parser.ts' },
      { path: 'src/rates.ts', why: 'changed with these in 4 commits', ranges: [] },
      { path: 'src/feed.ts', why: 'imported by src/parser.ts', ranges: [] },
    ])
    expect(text).toContain(
      '## Likely to change with these\n\n- src/rates.ts: changed with these in 4 commits\n- src/feed.ts: imported by src/parser.ts\n',
    )
  })

  it('names the tests that fit best, beside the twenty best files', async () => {
    const others = Object.fromEntries(
      Array.from({ length: 25 }, (_, at) => [
        `src/commas${at}.ts`,
        `// The ledger drops lines about commas.\n${body(`other${at}`, 2)}`,
      ]),
    )
    const tests = {
      'test/first.test.ts': '// Drops commas.\n',
      'test/second.test.ts': '// Commas, of other things than these.\n',
      'test/other.test.ts': '// nothing\n',
      'test/commas.json': '"commas"',
    }
    const { files, tests: named, text } = await ask({ ...SHAPE, ...others, ...tests }, { task: TASK })
    const list = text.slice(text.indexOf('## Tests of this\n'))
    expect(list.split('\n').slice(2, 5)).toEqual([
      expect.stringMatching(/^- test\/first\.test\.ts: speaks of `drops`, `commas`$/),
      expect.stringMatching(/^- test\/second\.test\.ts: speaks of `commas`$/),
      '',
    ])
    expect(named.map(({ path }) => path)).toEqual(['test/first.test.ts', 'test/second.test.ts'])
    expect(files.every(({ score }) => score > 0)).toBe(true)
    expect(files).toHaveLength(20)
  })

  it('names at most five tests, and none that is shown', async () => {
    const tests = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`test/${at}.test.ts`, '// Drops commas.\n']))
    const { tests: named } = await ask({ ...SHAPE, ...tests }, { task: TASK, files: 1 })
    expect(named).toHaveLength(5)
    const { tests: none } = await ask({ ...SHAPE, ...tests }, { task: TASK })
    expect(none).toEqual([])
  })

  it('reads commits without running what the configuration of a repository says', async () => {
    using repo = plant({ 'src/parser.ts': body('parseLedgerLine', 5) })
    repo.git('init', '--quiet')
    repo.commit('first')
    const { script, sprung } = repo.trap('trap')
    for (const name of ['core.pager', 'core.fsmonitor', 'gpg.program', 'log.showSignature', 'core.sshCommand'])
      repo.git('config', name, name === 'log.showSignature' ? 'true' : script)
    const { files } = await selectTaskContext({ task: TASK, place: repo.root })
    expect(files[0]?.path).toBe('src/parser.ts')
    expect(existsSync(sprung)).toBe(false)
  })

  it('needs no history: a shallow clone is like any tree', async () => {
    using planted = tree({ 'origin/a.txt': 'one\n' })
    const git = (cwd: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd, stdio: 'pipe' })
    const origin = planted.at('origin')
    git(origin, 'init', '-q')
    for (const [path, text] of [
      ['parser.ts', 'export const old = 1\n'],
      ['parser.ts', body('parseLedgerLine', 5)],
    ] as const) {
      writeFileSync(planted.at('origin', path), text)
      git(origin, 'add', '-A')
      git(origin, 'commit', '-q', '-m', 'parser')
    }
    git(planted.base, 'clone', '-q', '--depth', '1', `file://${origin}`, 'clone')
    const { files } = await selectTaskContext({ task: TASK, place: planted.at('clone') })
    expect(files[0]?.path).toBe('parser.ts')
  })

  it('finds nothing in a tree of binary and minified files, and says what is beside them', async () => {
    const shape = {
      'a.wasm': Uint8Array.of(0, 97, 115, 109),
      'b.c': Uint8Array.of(0, 1, 2, 0),
      'dist/app.min.js': `${'function parseLedgerLine(){return 1};'.repeat(5000)}\n`,
      'dist/app.js': `${'function parseLedgerLine(){return 1};'.repeat(5000)}\n`,
    }
    expect(await ask(shape, { task: TASK })).toMatchObject({ files: [], text: '' })
    const { files } = await ask({ ...shape, 'src/a.ts': body('parseLedgerLine', 3) }, { task: TASK })
    expect(files.map(({ path }) => path)).toEqual(['src/a.ts'])
  })

  it.each(['', '  \n'])('refuses a task that is empty: %j', async (task) => {
    await expect(ask(SHAPE, { task })).rejects.toMatchObject({ code: 'invalid-input', name: 'ContextError' })
  })

  it('lets no file close its own fence, forge a heading in its name, or hide what it says', async () => {
    const shape = {
      '.git/': '',
      'src/ledger\n## evil.ts': body('parseLedgerLine', 2),
      'src/b.ts': `/** \`\`\`\`\n# parseLedgerLine hidden\u202e\n\`\`\`\` */\n${body('parseLedgerLine', 2)}`,
    }
    const { text } = await ask(shape, { task: TASK })
    expect(text).not.toMatch(/^## evil/m)
    expect(text).toMatch(/^`{5,}ts$/m)
    expect(text).not.toContain('\u202e')
  })
})

/** Some files with units and scores, as a ranking gives them. */
const ranked = fc
  .array(
    fc.record({
      lines: fc.array(
        fc.constantFrom(
          '',
          'a',
          '  b = c(d)',
          '}',
          'function f() {',
          'class C {',
          '  m(a,',
          '```',
          'x'.repeat(90),
          'ünïcödé <&>',
        ),
        { minLength: 1, maxLength: 120 },
      ),
      scores: fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 1, maxLength: 12 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((files) => files.map(({ lines, scores }, index) => rankedFile(`f${index}.ts`, lines, scores)))

function rankedFile(path: string, lines: readonly string[], scores: readonly number[]): RankedFile {
  const size = Math.ceil(lines.length / scores.length)
  const units = scores
    .map((score, at) => ({ start: at * size, end: Math.min(lines.length, (at + 1) * size), names: [], score }))
    .filter(({ start, end }) => end > start)
  return {
    file: { path, stamp: [0, 0, 0, 0], factor: 1, digest: 0, size: 4, record: new Uint8Array(0) },
    score: 1,
    signals: { fields: 1, units: 1, path: 0, definitions: 0, phrases: 0, named: 0, frames: 0 },
    units: scores,
    defines: [],
    words: ['a'],
    parsed: { ...parseCode(path, lines.join('\n')), lines },
    ranked: units,
  }
}

const passages = fc.array(fc.string({ maxLength: 200 }), { maxLength: 4 }).map((texts) =>
  texts.map(
    (text, at): Fragment => ({
      origin: { uri: `p${at}`, labels: { path: 'AGENTS.md' } },
      kind: 'passage',
      title: `p${at}`,
      text,
    }),
  ),
)

interface Cut {
  readonly files: readonly RankedFile[]
  readonly texts: readonly Fragment[]
  readonly render: typeof taskXml
  /** Of the files, so many of the last are outlined alone; undefined: no heads are shown. */
  readonly outlined: number | undefined
  readonly isPrecise: boolean
}

const cuts: fc.Arbitrary<Cut> = fc.record({
  files: ranked,
  texts: passages,
  render: fc.constantFrom(taskMarkdown, taskXml),
  outlined: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  isPrecise: fc.boolean(),
})

/** What a budget shows: by the title of each fragment its lines, and `head N` for the head that stands in line N. */
async function within(budget: number, { files, texts, render, outlined, isPrecise }: Cut) {
  const lines = files.slice(0, files.length - (outlined ?? 0))
  const further = outlined === undefined ? undefined : files.slice(lines.length)
  const ladder = new TaskLadder(lines, { passages: texts.length, further, isPrecise })
  const kept = [...lines, ...(further ?? [])].map((file) => codeFragment('/w', file, 1))
  const source = { name: 'all', gather: async () => ({ ...EMPTY_SELECTION, kept: [...kept, ...texts] }) }
  const assembled = await assemble({ name: 'task', sources: [source], passes: [taskBudget(budget, ladder)], render })
  const shown = assembled.selection.kept.map((fragment) => {
    const { ranges, signatures } = ladder.excerptOf(fragment)
    const bodies = ranges.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => `${start + at}`))
    return [fragment.title, new Set([...bodies, ...signatures.map(({ line }) => `head ${line}`)])] as const
  })
  return { text: assembled.text, shown: new Map(shown) }
}

const RUNS = { numRuns: 300 }

describe('the ladder of a task', () => {
  it('keeps every budget', async () => {
    await fc.assert(
      fc.asyncProperty(cuts, fc.integer({ min: 1, max: 20_000 }), async (cut, budget) => {
        expect(bytes4((await within(budget, cut)).text)).toBeLessThanOrEqual(budget)
      }),
      RUNS,
    )
  })

  it('shows definitions of many files before more of the first, and of a precise one only what fits best', async () => {
    const line = 'x'.repeat(400)
    const files = Array.from({ length: 7 }, (_, at) =>
      rankedFile(`f${at}.ts`, [line, line, line, line], [1, 0.9, 0.8, 0.5]),
    )
    const cut = { files, texts: [], render: taskXml, outlined: undefined }
    const shownOf = async (budget: number, isPrecise: boolean) =>
      [...(await within(budget, { ...cut, isPrecise })).shown].map(([, lines]) => lines.size)
    const states = new Set<string>()
    for (let budget = 200; budget < 3000; budget += 50) states.add((await shownOf(budget, false)).join(''))
    expect([...states].filter((state) => /^(?:1{1,5}|2{5}1{0,2}|4{5}1{2})$/.test(state))).toEqual(
      '1 11 111 1111 11111 22222 222221 2222211 4444411'.split(' '),
    )
    expect(await shownOf(20_000, false)).toEqual([4, 4, 4, 4, 4, 4, 4])
    expect(await shownOf(20_000, true)).toEqual([2, 2, 2, 2, 2, 2, 2])
  })

  it('outlines twelve definitions of each file before more of the first', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => `function f${at}() {}`)
    const files = ['a.ts', 'b.ts'].map((path) => rankedFile(path, lines, [1]))
    const cut = { files, texts: [], render: taskXml, outlined: 2, isPrecise: false }
    const states = new Set<string>()
    for (let budget = 20; budget < 1000; budget += 20)
      states.add([...(await within(budget, cut)).shown.values()].map(({ size }) => size).join())
    expect([...states]).toEqual(['', '12', '12,12', '20,12', '20,20'])
  })

  it('shows the passages of a file as one block, in the order of the file', async () => {
    const texts = ['3 gulls', '12 puffins', '2 seals'].map((text): Fragment => {
      const uri = `AGENTS.md#L${text.split(' ')[0]}`
      return { origin: { uri, labels: { path: 'AGENTS.md', heading: text } }, kind: 'passage', title: uri, text }
    })
    const cut = { files: [], texts, render: taskMarkdown, outlined: undefined, isPrecise: false }
    expect((await within(1000, cut)).text).toContain(
      '2 seals; 3 gulls; 12 puffins\n\n```md\n2 seals\n…\n3 gulls\n…\n12 puffins',
    )
  })

  it.each([4000, 40_000])(
    'never shows less of a file, or of a passage, with a larger budget up to %i',
    async (most) => {
      const budgets = fc.tuple(fc.integer({ min: 1, max: most }), fc.integer({ min: 1, max: most }))
      await fc.assert(
        fc.asyncProperty(cuts, budgets, async (cut, [a, b]) => {
          const [less, more] = [await within(Math.min(a, b), cut), await within(Math.max(a, b), cut)]
          for (const [title, lines] of less.shown) {
            expect(more.shown.has(title)).toBe(true)
            for (const line of lines) expect(more.shown.get(title)?.has(line)).toBe(true)
          }
        }),
        RUNS,
      )
    },
  )
})
