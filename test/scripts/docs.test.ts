import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { blocksOf, toSteps } from '../../scripts/docs/blocks.ts'
import { matches, withEdits } from '../../scripts/docs/compare.ts'
import { closeSandbox, openSandbox, runBlock, type Sandbox } from '../../scripts/docs/execute.ts'

const FENCE = '```'

function fenced(info: string, ...lines: string[]): string {
  return [`${FENCE}${info}`, ...lines, FENCE].join('\n')
}

describe('the blocks of a document', () => {
  it.each([
    ['no word', fenced('console', '$ ls'), []],
    ['another language', fenced('text output', 'a'), []],
    ['a console block', fenced('console run', '$ ls'), ['console work']],
    ['a console block of the repository', fenced('console run=root', '$ ls'), ['console root']],
    ['a module', fenced('ts run', 'f()'), ['module work']],
    ['a block in a list', `- so:\n\n  ${fenced('console run', '$ ls').replaceAll('\n', '\n  ')}`, ['console work']],
  ])('with %s', (_, markdown, expected) => {
    expect(blocksOf(markdown).map(({ kind, place }) => `${kind} ${place}`)).toEqual(expected)
  })

  it('give a module the output block that follows it, and no other', () => {
    const output = fenced('text output', 'a', 'b')
    const expectedOf = (markdown: string) => blocksOf(markdown).map((block) => 'expected' in block && block.expected)
    expect(expectedOf(`${fenced('ts run', 'f()')}\n\nprints\n\n${output}`)).toEqual([['a', 'b']])
    expect(expectedOf(`${fenced('ts run', 'f()')}\n${fenced('ts', 'g()')}\n${output}`)).toEqual([false])
  })

  it('refuse a language that nothing runs', () => {
    expect(() => blocksOf(fenced('python run', 'f()'))).toThrow(`'python'`)
  })

  it('hold commands, continued lines and output', () => {
    expect(toSteps(`$ cat <<E\n> a\n> E\na\n$ true\n$ ls\n\n> b\n`)).toEqual([
      { command: 'cat <<E\na\nE', expected: ['a'] },
      { command: 'true', expected: [] },
      { command: 'ls', expected: ['', '> b'] },
    ])
    expect(() => toSteps('a\n$ ls\n')).toThrow('before the first command')
  })
})

describe('output', () => {
  it.each([
    [[], [], true],
    [['a'], ['a'], true],
    [['a'], ['a  ', '', ''], true],
    [['a'], ['b'], false],
    [['a'], ['a', 'b'], false],
    [['a', 'b'], ['a'], false],
    [['...'], [], true],
    [['...'], ['a', 'b'], true],
    [['a', '...'], ['a', 'b', 'c'], true],
    [['...', 'c'], ['a', 'b', 'c'], true],
    [['...', 'c'], ['a', 'c', 'd'], false],
    [['a', '...', 'b', '...', 'c'], ['a', 'b', 'x', 'b', 'c'], true],
    [['a', '...', 'b', '...', 'c'], ['a', 'x', 'c'], false],
    [['a', '...', 'a'], ['a'], false],
    [['a...'], ['abc'], false],
  ])('%j against %j: %s', (expected, actual, result) => {
    expect(matches(expected, actual)).toBe(result)
  })

  it('is written into the lines where it belongs, however many there are', () => {
    const edits = [
      { lines: { start: 1, end: 2 }, text: ['B1', 'B2'] },
      { lines: { start: 3, end: 4 }, text: [] },
    ]
    expect(withEdits('a\nb\nc\nd\ne', edits)).toBe('a\nB1\nB2\nc\ne')
  })
})

describe('a block that is run', () => {
  let root: string
  let bench: Sandbox

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'ambit-root-'))
    await mkdir(join(root, 'example'))
    await writeFile(join(root, 'example/here.txt'), 'here\n')
    await writeFile(join(root, 'package.json'), '{ "name": "ambit", "type": "module", "exports": "./index.js" }')
    await writeFile(join(root, 'index.js'), 'export const name = "ambit"\n')
    bench = await openSandbox(root, join(root, 'example'))
  })

  afterEach(async () => {
    await closeSandbox(bench)
    await rm(root, { recursive: true })
  })

  const run = async (markdown: string) => {
    const [block] = blocksOf(markdown)
    if (block === undefined) throw new Error('no block')
    return runBlock(bench, block)
  }

  it.each([
    ['prints what it says', ['$ cat here.txt', 'here']],
    ['keeps variables and folders from one command to the next', ['$ mkdir d', '$ cd d && A=1', '$ echo $A; ls', '1']],
    ['shows an exit code that is meant', ['$ false; echo $?', '1']],
    ['does not count what goes to stderr', ['$ echo a >&2']],
    ['names its folder as a reader would', ['$ pwd', '~/project']],
  ])('passes when it %s', async (_, lines) => {
    expect(await run(fenced('console run', ...lines))).toEqual({})
  })

  it('runs in the repository when asked', async () => {
    expect(await run(fenced('console run=root', '$ ls', 'example', 'index.js', 'package.json'))).toEqual({})
  })

  it('fails when it prints something else, and knows what would be right', async () => {
    const { problem, edit } = await run(fenced('console run', '$ echo a', 'b', '$ echo c', '...'))
    expect(problem).toBe('$ echo a\nexpected:\n  b\nprinted:\n  a')
    expect(edit).toEqual({ lines: { start: 1, end: 5 }, text: ['$ echo a', 'a', '$ echo c', '...'] })
  })

  it.each([
    ['fails', ['$ false'], 'exit code 1'],
    ['ends the shell', ['$ exit 0', '$ true'], 'the shell ended before this command'],
  ])('fails when a command %s, and is not rewritten', async (_, lines, problem) => {
    const outcome = await run(fenced('console run', ...lines))
    expect(outcome.problem).toContain(problem)
    expect(outcome.edit).toBeUndefined()
  })

  it('finds the package by its name, with types and all', async () => {
    const code = `import { name } from 'ambit'\nconst text: string = name\nconsole.log(text)`
    expect(await run(`${fenced('ts run', code)}\n${fenced('text output', 'ambit')}`)).toEqual({})
    const wrong = await run(`${fenced('ts run', code)}\n${fenced('text output', 'other')}`)
    expect(wrong.edit?.text).toEqual(['ambit'])
  })

  it('fails when a module throws', async () => {
    expect((await run(fenced('ts run', `throw new Error('no')`))).problem).toContain('Error: no')
  })
})
