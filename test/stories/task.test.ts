import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { ambit } from '../support/program.ts'
import { type Shape, tree } from '../support/tree.ts'

const SHAPE: Shape = {
  '.git/': '',
  'src/parser.ts': 'export function parseLine(text: string) {\n  return text.split(",")\n}\n',
  'src/store.ts': 'export class Store {\n  save(row: Row) {\n    return row\n  }\n}\n',
}

describe('ambit task', () => {
  it('prints what to read for a task, and nothing else', () => {
    using at = tree(SHAPE)
    const { status, stdout, stderr } = ambit(['task', 'parseLine drops the last cell'], { cwd: at.base })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^## src\/parser\.ts\ndefines `parseLine`, named in the task/)
    expect(stdout).toContain('```ts\nexport function parseLine')
  })

  it('reads a task from stdin', () => {
    using at = tree(SHAPE)
    const input = 'It fails\n    at save (/app/src/store.ts:2:5)\n'
    expect(ambit(['task', '-'], { cwd: at.base, input }).stdout).toMatch(
      /^## src\/store\.ts\nappears in the stack trace/,
    )
  })

  it.each([
    ['an empty task', ['task', ''], ''],
    ['an empty stdin', ['task', '-'], '\n'],
    ['no task', ['task'], ''],
    ['signatures without code', ['load', '--task', 'x', '--signatures'], ''],
    ['a budget of nothing', ['task', 'x', '--budget', '0'], ''],
  ])('refuses %s as wrong use', (_, args, input) => {
    using at = tree(SHAPE)
    const { status, stdout, stderr } = ambit(args, { cwd: at.base, input })
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr.trim().split('\n')).toHaveLength(2)
  })

  it('says that there is nothing where no file has a word of it', () => {
    using at = tree(SHAPE)
    const { status, stdout } = ambit(['task', 'zebra'], { cwd: at.base })
    expect([status, stdout]).toEqual([0, 'No file has a word in common with the task.\n'])
  })

  it.each([['1'], ['30']])('says that a budget of %s has no room for lines', (budget) => {
    using at = tree(SHAPE)
    const { status, stdout, stderr } = ambit(['task', 'parseLine drops a cell', '--budget', budget], { cwd: at.base })
    expect([status, stdout.includes('No file has a word')]).toEqual([0, false])
    expect(stderr).toBe(`A budget of ${budget} tokens has no room for lines of code: give a larger one.\n`)
  })

  it('answers by its schema, and reads a file that did not change no second time', () => {
    using at = tree(SHAPE)
    const ask = () => JSON.parse(ambit(['task', 'parseLine', '--json'], { cwd: at.base }).stdout)
    const kept = readFileSync(new URL('../../docs/schemas/task.schema.json', import.meta.url), 'utf8')
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(kept))
    const first = ask()
    expect(validate(first), JSON.stringify(validate.errors)).toBe(true)
    expect(first.tokenCount).toBe(Math.ceil(Buffer.byteLength(first.text) / 4))
    expect(first.index).toMatchObject({ files: 2, changed: 2 })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    ask()
    expect(ask().index).toMatchObject({ files: 2, changed: 0 })
  })
})
