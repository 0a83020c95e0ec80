/**
 * `--json` works everywhere: of each operation.
 *
 * @module-tag long
 */

import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { ambit, PROJECT } from '../support/program.ts'
import { type Tree, tree } from '../support/tree.ts'
import { argvOf, REGISTRY, ROWS, TALK } from '../surfaces/rows.ts'

/** What ends with 1: what is found, and what needs a model that is not set here, or is over. */
const FAILING = ['check', 'contexts.check']
const REFUSED = ['embed', 'embed.get', 'research.resume', 'research.stop']

let at: Tree
beforeAll(() => {
  at = tree({
    ...PROJECT,
    'docs/guide.md': '# Guide\n\nCheck the token.\n\u001b[31mRed\n',
    'contexts.yml': 'global_context: Ours\n',
    ...REGISTRY,
  })
  run('collection', 'add', 'lab', 'lab')
  ambit(['chat'], { cwd: at.base, input: 'What of tokens?\n' })
  talk = JSON.parse(ambit(['conversation', 'list', '--json'], { cwd: at.base }).stdout).conversations[0].id
})
afterAll(() => at[Symbol.dispose]())

let talk = ''
const run = (...args: readonly string[]) =>
  ambit(
    args.map((word) => (word === TALK ? talk : word)),
    { cwd: at.base },
  )
const named = new Map(operations.map((operation) => [operation.name, operation]))

/** The lines of JSON. */
function linesIn(text: string): unknown[] {
  expect(text === '' || text.endsWith('\n')).toBe(true)
  return text
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line))
}

/** Without what an index of code says of the look at it: how many files were new, and how long it took. */
const withoutTimes = (text: string): string => text.replace(/"index":\{[^}]*\}/, '')

it.each(Object.entries(ROWS))(
  'with --json, %s prints one value, as its schema says, and nothing else',
  (name, inputOf) => {
    const operation = named.get(name)
    if (!operation) throw new Error(`There is no operation ${name}.`)
    const argv = argvOf(operation, inputOf(at.at))
    const { status, stdout, stderr } = run(...argv, '--json')
    const told = linesIn(stderr)
    if (REFUSED.includes(name)) {
      expect([status, stdout, told]).toEqual([
        1,
        '',
        [{ error: expect.objectContaining({ code: expect.any(String) }) }],
      ])
      return
    }
    const [value, ...more] = linesIn(stdout)
    expect([more, status]).toEqual([[], FAILING.includes(name) ? 1 : 0])
    const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } })
    expect(ajv.validate(operation.output(), value), ajv.errorsText()).toBe(true)
    // What a program may want to draw while it waits.
    expect(told.filter((line) => !Object.hasOwn(Object(line), 'type'))).toEqual([])
    if (operation.effect === 'read')
      expect(withoutTimes(run(...argv, '--format', 'json').stdout)).toBe(withoutTimes(stdout))
  },
)
