/**
 * `npm run check:expressions` looks for super-linear backtracking in every regular expression of src and web/src. Ends with 1
 * unless it finds exactly the expressions that scripts/expressions/bounded.json lists. `-- --write` records the counts.
 */

import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { RegExpParser } from '@eslint-community/regexpp'
import { type Expression as Node, parseSync, type TemplateLiteral, Visitor } from 'oxc-parser'
import { analyse } from 'scslre'
import { bound } from '../bench/harness.ts'
import { keepResults } from '../bench/report.ts'

interface Expression {
  readonly file: string
  readonly expression: string
}

interface Found extends Expression {
  /** Absent if the pattern is known only at run time. */
  readonly pattern?: string
  readonly flags: string
}

interface Bounded extends Expression {
  /** Maximum characters of the texts that it reads. test/scripts/expressions.test.ts tries it on twice as many. */
  readonly limit: number
  /** What sets the limit. */
  readonly setBy: string
}

const LIST = 'scripts/expressions/bounded.json'
const parsed = new Map(
  globSync(['src/**/*.ts', 'web/src/**/*.{ts,tsx}'])
    .sort()
    .map((file) => [resolve(file), parseSync(file, readFileSync(file, 'utf8')).program] as const),
)
/** The value of each top-level constant, or the file that a name is imported from, by file and name. */
const constants = new Map<string, Node | string>()
for (const [path, program] of parsed) {
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration' && statement.source.value.startsWith('.'))
      for (const { local } of statement.specifiers)
        constants.set(`${path} ${local.name}`, resolve(path, '..', statement.source.value))
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type !== 'VariableDeclaration') continue
    for (const { id, init } of declared.declarations)
      if (id.type === 'Identifier' && init) constants.set(`${path} ${id.name}`, init)
  }
}

/** The text of a constant expression; undefined if it is known only at run time. */
function textOf(node: Node, path: string): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type === 'TemplateLiteral') return joinTemplate(node, path, 'cooked')
  if (node.type === 'TaggedTemplateExpression') return joinTemplate(node.quasi, path, 'raw')
  if (node.type === 'BinaryExpression') {
    const sides = [node.left, node.right].map((side) => textOf(side as Node, path))
    return sides.includes(undefined) ? undefined : sides.join('')
  }
  if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') return joinList(node, path)
  if (node.type !== 'Identifier') return undefined
  const value = constants.get(`${path} ${node.name}`)
  if (typeof value !== 'string') return value && textOf(value, path)
  const imported = constants.get(`${value} ${node.name}`)
  return imported && typeof imported !== 'string' ? textOf(imported, value) : undefined
}

function joinTemplate(
  { quasis, expressions }: TemplateLiteral,
  path: string,
  form: 'cooked' | 'raw',
): string | undefined {
  const values = expressions.map((value) => textOf(value, path))
  if (values.includes(undefined)) return undefined
  return quasis.map(({ value }, at) => (value[form] ?? '') + (values[at] ?? '')).join('')
}

/** The text of `[…].join('|')`. */
function joinList({ callee, arguments: [by] }: Node & { type: 'CallExpression' }, path: string): string | undefined {
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'ArrayExpression' || !by) return undefined
  if (callee.property.type !== 'Identifier' || callee.property.name !== 'join') return undefined
  const parts = callee.object.elements.map((one) => (one ? textOf(one as Node, path) : undefined))
  return parts.includes(undefined) ? undefined : parts.join(textOf(by as Node, path))
}

function expressionsOf(path: string): readonly Found[] {
  const found: Found[] = []
  const file = path.slice(process.cwd().length + 1)
  const program = parsed.get(path)
  const addConstructed = (callee: Node, [source, flags]: readonly unknown[], start: number) => {
    if (callee.type !== 'Identifier' || !['RegExp', 'laterPattern'].includes(callee.name)) return
    const [pattern, written] = [source && textOf(source as Node, path), flags ? textOf(flags as Node, path) : '']
    if (pattern === undefined || typeof pattern !== 'string' || written === undefined)
      found.push({ file, expression: `at offset ${start}`, flags: '' })
    else found.push({ file, expression: `/${pattern}/${written}`, pattern, flags: written })
  }
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return
      const { pattern, flags } = node.regex
      found.push({ file, expression: `/${pattern}/${flags}`, pattern, flags })
    },
    NewExpression: (node) => addConstructed(node.callee, node.arguments, node.start),
    CallExpression: (node) => addConstructed(node.callee, node.arguments, node.start),
  }).visit(program ?? parseSync(file, '').program)
  return found
}

/** Whether backtracking, or the search for the start of a match, may take more than linear time. */
function isSuperLinear({ pattern, flags }: Found): boolean {
  if (pattern === undefined) return false
  const parser = new RegExpParser()
  const unicode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') }
  const literal = {
    pattern: parser.parsePattern(pattern, 0, pattern.length, unicode),
    flags: parser.parseFlags(flags),
  }
  const { reports } = analyse(literal, { assumeRejectingSuffix: false })
  // A sticky expression is tried at one position only.
  return reports.some(({ type }) => type !== 'Move' || !flags.includes('y'))
}

const keyOf = ({ file, expression }: Expression) => `${file} ${expression}`

const all = [...parsed.keys()].flatMap(expressionsOf)
const known = all.filter(({ pattern }) => pattern !== undefined)
const failing = new Set(known.filter(isSuperLinear).map(keyOf))
const bounded: readonly Bounded[] = JSON.parse(readFileSync(LIST, 'utf8'))
const listed = new Set(bounded.map(keyOf))
for (const key of failing.difference(listed)) console.error(`Super-linear, and not in ${LIST}: ${key}`)
for (const key of listed.difference(failing)) console.error(`In ${LIST}, and no longer found: ${key}`)
if (failing.symmetricDifference(listed).size > 0) process.exitCode = 1
if (process.argv.includes('--write')) {
  const count = (figure: string, value: number, limit = Infinity) =>
    bound(`expressions: ${figure}`, value, { unit: 'count', limit })
  keepResults('expressions', 'npm run check:expressions -- --write', {
    verdicts: [
      count('found nothing in', known.length - known.filter((one) => failing.has(keyOf(one))).length),
      count('found, and bounded by the length of the input', bounded.length),
      count('found, and not bounded', failing.difference(listed).size, 0),
      count('made of values that are known at run time only: not read', all.length - known.length),
    ],
  })
}
console.log(
  `${known.length} expressions: ${failing.size} found, ${bounded.length} listed; ${all.length - known.length} not read.`,
)
for (const one of all) if (one.pattern === undefined) console.log(`  ${one.file} ${one.expression}`)
