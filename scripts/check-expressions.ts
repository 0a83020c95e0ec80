/**
 * Looks for super-linear backtracking in every regular expression literal of src and web/src, and writes
 * docs/figures/expressions.md. `npm run check:expressions`: exit code 1 on an expression that is not in
 * scripts/expressions/bounded.json, and on an entry whose expression is no longer there or no longer found.
 * With `-- --list`, the missing entries are added as not yet bounded.
 */

import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { RegExpParser } from '@eslint-community/regexpp'
import { parseSync, Visitor } from 'oxc-parser'
import { analyse } from 'scslre'

interface Expression {
  readonly file: string
  readonly expression: string
}

interface Bounded extends Expression {
  /** The longest input that it meets, and what sets it. */
  readonly bound: string
}

const LIST = 'scripts/expressions/bounded.json'
const NOT_YET = 'not yet bounded'

function expressionsOf(file: string): readonly (Expression & { readonly pattern: string; readonly flags: string })[] {
  const found: (Expression & { pattern: string; flags: string })[] = []
  const { program } = parseSync(file, readFileSync(file, 'utf8'))
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return
      const { pattern, flags } = node.regex
      found.push({ file, expression: `/${pattern}/${flags}`, pattern, flags })
    },
  }).visit(program)
  return found
}

/** Whether backtracking, or the search for where a match begins, may take more than linear time. */
function isSuperLinear(pattern: string, flags: string): boolean {
  const parser = new RegExpParser()
  const unicode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') }
  const literal = {
    pattern: parser.parsePattern(pattern, 0, pattern.length, unicode),
    flags: parser.parseFlags(flags),
  }
  const { reports } = analyse(literal, { assumeRejectingSuffix: false })
  // An expression that is tried at one place only is not moved along the text.
  return reports.some(({ type }) => type !== 'Move' || !flags.includes('y'))
}

const keyOf = ({ file, expression }: Expression) => `${file} ${expression}`

const all = globSync(['src/**/*.ts', 'web/src/**/*.{ts,tsx}']).sort().flatMap(expressionsOf)
const failing = new Map(
  all.filter(({ pattern, flags }) => isSuperLinear(pattern, flags)).map((one) => [keyOf(one), one]),
)
let bounded: readonly Bounded[] = JSON.parse(readFileSync(LIST, 'utf8'))
const listed = new Set(bounded.map(keyOf))
const unlisted = [...failing.values()].filter((one) => !listed.has(keyOf(one)))
if (process.argv.includes('--list')) {
  const added = unlisted.map(({ file, expression }) => ({ file, expression, bound: NOT_YET }))
  bounded = [...bounded.filter((one) => failing.has(keyOf(one))), ...added]
  writeFileSync(LIST, `${JSON.stringify(bounded, null, 2)}\n`)
} else {
  for (const one of unlisted) console.error(`Super-linear, and not in ${LIST}: ${keyOf(one)}`)
  for (const one of bounded)
    if (!failing.has(keyOf(one))) console.error(`In ${LIST}, and no longer found: ${keyOf(one)}`)
  if (unlisted.length > 0 || bounded.some((one) => !failing.has(keyOf(one)))) process.exitCode = 1
}
const open = bounded.filter(({ bound }) => bound === NOT_YET).length
const inCheck = all.length - all.filter((one) => failing.has(keyOf(one))).length
writeFileSync(
  'docs/figures/expressions.md',
  `# Regular expressions and their time

Written by \`npm run check:expressions\`. It reads the literals of \`src\` and \`web/src\` with \`scslre\`, which finds attacks that
repeat one character, also through the search for where a match begins. It does not find an attack that repeats several
characters, and does not see expressions that are made at run time. What it finds may be harmless: it assumes the worst text.

| literals | count |
| --- | ---: |
| nothing found | ${inCheck} |
| bounded by the length of the input | ${bounded.length - open} |
| found, and not yet bounded | ${open} |

No expression can be added that is found and is not in \`${LIST}\`.

\`\`\`\`text
${bounded.map(({ file, expression, bound }) => `${file}: ${expression}\n    ${bound}`).join('\n')}
\`\`\`\`
`,
)
console.log(
  `${all.length} expressions: nothing found in ${inCheck}, ${bounded.length} listed, ${open} of them not yet bounded.`,
)
