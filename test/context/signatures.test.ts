import { describe, expect, it } from 'vitest'
import { parseCode, signaturesOf } from '../../src/code/definitions.ts'
import { load } from '../../src/context/load.ts'
import { selectTaskContext, type TaskRequest } from '../../src/context/task.ts'
import { bytes4 } from '../../src/core/tokens.ts'
import { type Shape, tree } from '../support/tree.ts'

const body = (name: string, lines: number) =>
  `export function ${name}(input: string) {\n${Array.from({ length: lines }, (_, at) => `  step(${at})\n`).join('')}  return input\n}\n`

const SHAPE: Shape = {
  'w/.git/': '',
  'w/src/parser.ts': `${body('parseLedgerLine', 5)}\n${body('openJournal', 30)}\n${body('closeJournal', 30)}`,
  'w/src/further.ts': `// a ledger\nexport class Book {\n  turnPage(to: number) {\n    return to\n  }\n}\n`,
}
const TASK = 'The ledger parser drops lines: `parseLedgerLine` is wrong about commas'

async function ask(request: Partial<TaskRequest>) {
  using planted = tree(SHAPE)
  return await selectTaskContext({ task: TASK, precise: true, ...request, place: planted.at('w') })
}

describe('signatures', () => {
  it('are not shown unless they are asked for', async () => {
    const { text, files } = await ask({})
    expect(text).not.toContain('openJournal')
    expect(files.flatMap(({ ranges }) => ranges).every(({ shown }) => shown === 'body')).toBe(true)
  })

  it('stand with their lines in the gaps of the files that are shown, and outline further files', async () => {
    const { text, files, ledger } = await ask({ signatures: true })
    expect(text).toMatch(/^… lines 10-\d+ not shown \(\d+\)\n {2}10: export function openJournal\(input: string\)$/m)
    expect(text).toMatch(
      /^## src\/further\.ts\n.*\n\n```ts\n… lines 1-6 not shown \(6\)\n {2}2: export class Book\n {2}3: {3}turnPage\(to: number\)\n```$/m,
    )
    expect(files.map(({ ranges }) => ranges.map(({ start, name, shown }) => [start, name, shown]))).toEqual([
      [
        [1, 'parseLedgerLine', 'body'],
        [10, 'openJournal', 'signature'],
        [44, 'closeJournal', 'signature'],
      ],
      [
        [2, 'Book', 'signature'],
        [3, 'turnPage', 'signature'],
      ],
    ])
    expect(ledger.find(({ title }) => title === 'src/further.ts')).toMatchObject({ decision: 'outline' })
  })

  it('come behind the lines, and are left where the budget has no room for them', async () => {
    const { text, tokenCount, ledger } = await ask({ signatures: true, budget: 100 })
    expect(tokenCount).toBeLessThanOrEqual(100)
    expect(text).toContain('export function parseLedgerLine')
    expect(ledger.find(({ title }) => title === 'src/further.ts')).toMatchObject({
      decision: 'left',
      why: 'over-budget',
    })
  })

  it('come with load, too, within its budget', async () => {
    const others = Array.from({ length: 11 }, (_, at) => [`w/src/p${at}.ts`, body(`parseLedgerLine${at}`, 3)])
    using planted = tree({ ...SHAPE, ...Object.fromEntries(others) })
    const asked = { task: TASK, code: true, home: false, place: planted.at('w') } as const
    expect((await load(asked)).text).not.toContain('turnPage')
    const { text, tokenCount, budget } = await load({ ...asked, signatures: true })
    expect(text).toContain('  3:   turnPage(to: number)')
    expect(tokenCount).toBe(bytes4(text))
    expect(tokenCount).toBeLessThanOrEqual(budget ?? 0)
  })
})

describe('the signature of a definition', () => {
  it.each([
    [
      'a.ts',
      'export async function add(\n  a: number,\n  b: number,\n): Promise<number> {\n  return a\n}\n',
      'export async function add( a: number, b: number, ): Promise<number>',
    ],
    ['a.py', 'class A:\n    def go(self,\n           a=1):\n        pass\n', '    def go(self, a=1):'],
    [
      'a.go',
      'func (s *Store) Get(key string) (string, error) {\n}\n',
      'func (s *Store) Get(key string) (string, error)',
    ],
    [
      'a.ts',
      `export function long(${'a: string, '.repeat(60)}) {\n}\n`,
      `export function long(${'a: string, '.repeat(14).slice(0, 139)}…`,
    ],
  ])('is its head in one line: %s', (path, text, expected) => {
    expect(signaturesOf(parseCode(path, text)).at(-1)?.text).toBe(expected)
  })

  it('is none of a constant', () => {
    expect(signaturesOf(parseCode('a.ts', 'export const A = 1\n'))).toEqual([])
  })
})
