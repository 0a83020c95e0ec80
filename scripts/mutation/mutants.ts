/** Makes small changes of a source file. Its tests should notice each change. */

import { parseSync } from 'oxc-parser'

/** A change of one line. */
export interface Mutant {
  /** Number of the line, from 1. */
  readonly line: number
  readonly before: string
  readonly after: string
}

/** Smaller numbers grow by 1. Others are doubled, because no test would notice 1 more in a wait or a length. */
const DOUBLED_FROM = 10

/** Replacements within the code of a line. */
const SWAPS: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/ === | !== /g, (found) => (found === ' === ' ? ' !== ' : ' === ')],
  [/ (?:<=?|>=?) (?!\{)/g, (found) => (found.includes('=') ? found.replace('=', '') : `${found.trimEnd()}= `)],
  [/ && | \|\| /g, (found) => (found === ' && ' ? ' || ' : ' && ')],
  [/ \?\? /g, () => ' && '],
  [/\b(?:true|false)\b/g, (found) => (found === 'true' ? 'false' : 'true')],
  [/(?<=[(\s])!(?=[\w(#])/g, () => ''],
  [/\bif \((?=.)/g, () => 'if (!'],
  [
    /(?<![\w.])(\d+)(?![\w.])/g,
    (found) => String(Number(found) < DOUBLED_FROM ? Number(found) + 1 : Number(found) * 2),
  ],
]

/** A call on a line of its own. The change removes it. */
const EFFECT = /^\s+(?:await )?(?:this\.#?|[a-z]\w*(?:\.#?\w+)*\.)?#?\w+\(.*\)$/

/** All changes of a source file, in order. Comments, strings, types and imports are not changed. */
export function mutantsOf(source: string): readonly Mutant[] {
  const code = maskText(source).split('\n')
  return source
    .split('\n')
    .flatMap((text, at) => lineMutants(text, code[at] ?? '').map((after) => ({ line: at + 1, before: text, after })))
}

function lineMutants(text: string, code: string): readonly string[] {
  const swapped = SWAPS.flatMap(([pattern, swap]) =>
    [...code.matchAll(pattern)].map(({ 0: found, index }) => changeIf(text, index, { found, by: swap(found) })),
  )
  return [...swapped, ...(EFFECT.test(code) ? [''] : [])].filter((after) => after !== text)
}

/** Replaces `found` by `by`. A negated condition is put in parentheses as a whole. */
function changeIf(text: string, index: number, { found, by }: { readonly found: string; readonly by: string }): string {
  const rest = text.slice(index + found.length)
  if (by !== 'if (!') return text.slice(0, index) + by + rest
  const end = closingIndex(rest)
  return end === -1 ? text : `${text.slice(0, index)}if (!(${rest.slice(0, end)})${rest.slice(end)}`
}

/** Index of the closing parenthesis; -1 if it is not on this line. */
function closingIndex(text: string): number {
  let depth = 1
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at
  }
  return -1
}

/** Nodes of TypeScript that contain an expression. */
const EXPRESSIONS = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSParameterProperty']

/** The source, with spaces instead of everything that is not changed. */
function maskText(source: string): string {
  let code = source
  const mask = ({ start, end }: { readonly start: number; readonly end: number }) => {
    code = code.slice(0, start) + code.slice(start, end).replace(/[^\n]/g, ' ') + code.slice(end)
  }
  const { program, comments } = parseSync('a.ts', source)
  comments.forEach(mask)
  JSON.stringify(program, (_, node) => {
    const { type = '', value, left, right } = Object(node)
    // An index is almost always in the array, so its fallback is there only for the types.
    if (type === 'LogicalExpression' && left.computed && /^(?:Literal|UnaryExpression)$/.test(right.type)) mask(right)
    const isText = type === 'TemplateElement' || (type === 'Literal' && !['boolean', 'number'].includes(typeof value))
    const isType = /^(?:TS|ImportDeclaration)/.test(type) && !EXPRESSIONS.includes(type)
    if (isText || isType) mask(node)
    return isText || isType ? undefined : node
  })
  return code
}
