import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { JsonSchema } from '../../src/core/answer.ts'
import { ContextError } from '../../src/core/errors.ts'
import { type AnyOperation, operations } from '../../src/operations/index.ts'
import { drawAnswer, ledgerView } from '../../src/surfaces/cli/views.ts'
import { record, valuesIn } from './recorded.ts'

/*
 * What each operation prints for a person, of answers made from its schema: the least that an answer holds, all that it may hold, and some between;
 * before that, the inputs that only change how it prints. What is drawn on a terminal follows the text.
 */

const BETWEEN = 10
const LOOK = { isTerminal: true, plain: false, columns: 70 }
/** Their rows are of two kinds, which the schema does not tell apart. */
const UNIONS = ['packages.ls']

function textNamed(name: string): string {
  if (/(?:At|day|date|modified)$/i.test(name)) return '2026-01-02T03:04:05.678Z'
  if (/(?:uri|place)$/i.test(name)) return 'ambit://docs/a.md'
  if (/(?:path|root|file|folder|directory)$/i.test(name)) return '/srv/docs/a.md'
  return /(?:hash|digest|id)$/i.test(name) ? 'abcdef0123456789' : `the ${name}`
}

/** The least value of a schema, or the largest. */
function extremeOf(schema: JsonSchema, name: string, isFull: boolean): unknown {
  const { type, enum: values, properties, required = [], items, additionalProperties } = schema
  const isNull = Array.isArray(type) && type.includes('null') && !isFull
  const kind = Array.isArray(type) ? type.find((one) => one !== 'null') : type
  if (isNull) return null
  if (values) return values.at(isFull ? -1 : 0)
  if (kind === 'boolean') return isFull
  if (kind === 'integer' || kind === 'number') return isFull ? 1500 : 0
  if (kind === 'string') return textNamed(name)
  if (kind === 'array') return isFull && items ? [1, 2].map(() => extremeOf(items, name, true)) : []
  const of = typeof additionalProperties === 'object' ? { [`a ${name}`]: additionalProperties } : {}
  const fields = Object.entries(properties ?? (isFull ? of : {}))
  const wanted = fields.filter(([key]) => isFull || required.includes(key))
  return Object.fromEntries(wanted.map(([key, one]) => [key, extremeOf(one, key, isFull)]))
}

function anyOf(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  const { type, enum: values, properties, required = [], items, additionalProperties } = schema
  const kind = Array.isArray(type) ? type.find((one) => one !== 'null') : type
  if (Array.isArray(type) && type.includes('null')) return fc.option(anyOf({ ...schema, type: kind ?? 'string' }, name))
  if (values) return fc.constantFrom(...values)
  if (kind === 'boolean') return fc.boolean()
  if (kind === 'integer' || kind === 'number') return fc.constantFrom(0, 1, 2, 12, 1500)
  if (kind === 'string') return fc.constant(textNamed(name))
  if (kind === 'array') return items ? fc.array(anyOf(items, name), { maxLength: 2 }) : fc.constant([])
  if (typeof additionalProperties === 'object')
    return fc.dictionary(fc.constantFrom('one', 'two'), anyOf(additionalProperties, name))
  const fields = Object.fromEntries(Object.entries(properties ?? {}).map(([key, one]) => [key, anyOf(one, key)]))
  return fc.record(fields, { requiredKeys: required.filter((key) => key in fields) })
}

function print(...[operation, output, given]: Parameters<typeof printAnswer>): string {
  try {
    return printAnswer(operation, output, given)
  } catch (error) {
    if (error instanceof ContextError) return `${error.message} ${error.hint}`
    throw error
  }
}

function printAnswer(operation: AnyOperation, output: unknown, given?: unknown): string {
  const [about, notices] = [operation.about?.(output, given), operation.notices?.(output, given) ?? []]
  const explained = operation.explained?.(output)
  const drawn = [drawAnswer(operation.name, output, LOOK), explained && ledgerView(explained, LOOK)]
  const failed = operation.failed?.(output, given) ? ['(fails)'] : []
  return [
    ...(about === undefined ? [] : [about]),
    operation.text(output, given).trimEnd(),
    ...notices,
    ...drawn.filter((one) => one !== undefined),
    ...failed,
  ].join('\n')
}

it.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s prints these',
  async (name, operation) => {
    const [answer, input] = [operation.output(), operation.input.json()]
    const between = fc.sample(fc.tuple(anyOf(answer, name), anyOf(input, name)), { numRuns: BETWEEN, seed: 1 })
    const pairs = [
      [extremeOf(answer, name, false), undefined],
      [extremeOf(answer, name, true), extremeOf(input, name, false)],
      ...(UNIONS.includes(name) ? [] : between),
    ]
    const printed = pairs.map(([output, given]) => print(operation, output, given))
    const choices = Object.entries(operation.input.fields).filter(([, { forText }]) => forText)
    const shown = [...choices.map((choice) => JSON.stringify(choice)), ...new Set(printed)]
    await expect(`${shown.join('\n---\n')}\n`).toMatchFileSnapshot(`snapshots/printed/${name}.txt`)
  },
)

it('answers that no schema tells apart are printed so', async () => {
  const printed = valuesIn('answers.jsonl').map(([name, output, given]) => {
    const [operation] = operations.filter((one) => one.name === name)
    return `> ${name}\n${operation && print(operation, output, given)}`
  })
  await record(printed, 'printed-answers')
})
