/** Recognises the definition that starts on a line, by its first words without indentation. */

import type { Grammar } from '../languages.ts'
import { type DefinitionKind, PATTERNS } from './pattern-table.ts'

/** A definition on a line. */
export interface Defined {
  readonly name: string
  readonly kind: DefinitionKind
}

/** Surroundings of a line. */
export interface LineContext {
  /** Columns of white space before the line. */
  readonly indent: number
  /** The innermost definition around the line. */
  readonly within: Defined | undefined
}

/** Kinds that contain other definitions. */
const CONTAINERS: ReadonlySet<DefinitionKind> = new Set(['class', 'enum', 'interface', 'module', 'namespace', 'object'])

const MEMBER_HOLDERS: ReadonlySet<DefinitionKind> = new Set(['class', 'enum', 'interface', 'object'])

export function isContainer(kind: DefinitionKind): boolean {
  return CONTAINERS.has(kind)
}

/** Grammars whose methods and functions start with a type or the name. */
const TYPED: ReadonlySet<Grammar> = new Set(['c', 'java', 'csharp'])

/** Maximum characters of a line that may define something. */
const LONGEST_LINE = 400

/** The definition on a line. */
export function definedBy(text: string, grammar: Grammar, context: LineContext): Defined | undefined {
  const start = text.length > LONGEST_LINE ? text.slice(0, LONGEST_LINE) : text
  const line = withoutAnnotations(grammar === 'c' ? withoutTemplate(start) : start)
  const byPattern = matchPatterns(line, grammar, context)
  if (byPattern) return byPattern
  if (grammar === 'typescript') return context.within && isContainer(context.within.kind) ? memberOf(start) : undefined
  return TYPED.has(grammar) ? typedFunction(line, grammar, context) : undefined
}

function matchPatterns(line: string, grammar: Grammar, { indent, within }: LineContext): Defined | undefined {
  const isTop = indent === 0 || (within !== undefined && isContainer(within.kind))
  for (const [kind, pattern, place] of PATTERNS[grammar] ?? []) {
    if (place === 'top' ? !isTop : place === 'grouped' && within?.kind !== 'namespace') continue
    const match = pattern.exec(line)
    if (match) return { name: nameIn(match), kind: kind === 'function' && isMember(within) ? 'method' : kind }
  }
  return undefined
}

function nameIn(match: RegExpExecArray): string {
  const name = match[1] ?? match[2] ?? ''
  // SQL and Kotlin quote names; `[]` is a method of Ruby.
  return /^[{(]$/.test(name) ? '' : name.replaceAll(/["`[\]]/g, '') || name
}

function isMember(within: Defined | undefined): boolean {
  return within !== undefined && MEMBER_HOLDERS.has(within.kind)
}

/** `template <class T> void go(` becomes `void go(`; `''` for a line with nothing else, or with an unclosed bracket. */
export function withoutTemplate(line: string): string {
  if (!/^template *</.test(line)) return line
  let depth = 0
  for (let at = line.indexOf('<'); at < line.length; at++) {
    if (line[at] === '<') depth++
    else if (line[at] === '>' && --depth === 0) return line.slice(at + 1).replace(/^ *(?:requires\b[^{]*$)?/, '')
  }
  return ''
}

/** `@Override public` and `[Fact] public` become `public`. */
function withoutAnnotations(line: string): string {
  let rest = line
  for (let turn = 0; turn < 4 && /^[@[]/.test(rest); turn++) {
    const next = rest.replace(/^@(?!interface\b)[\w.]+(?:\([^()]*\))? +|^\[[^\]]*\] */, '')
    if (next === rest) break
    rest = next
  }
  return rest
}

const STATEMENTS = new Set(
  (
    'if for while switch catch return throw new else do try case await yield delete goto sizeof using import package assert ' +
    'synchronized lock typeof function constructor_ super this default break continue with foreach fixed checked unchecked ' +
    'co_return co_await static_assert defined elif endif pragma include error print println require echo unless until and or not in'
  ).split(' '),
)

const MEMBER =
  /^(?:(?:public|private|protected|static|async|readonly|override|get|set|abstract|declare|accessor) +)*[*#]* *(?:([\w$]+)|\[([\w$.]+)\]|['"]([^'"]+)['"])[?!]? *(?:<[^(]*>)? *\(/
const ARROW_MEMBER =
  /^(?:(?:public|private|protected|static|readonly|override|declare) +)*#?([\w$]+)[^=(]*[=:] *(?:async *)?(?:function\b|\([^)]*\) *(?::[^=]+)?=>|\($|[\w$]+ *=>)/

/** A member of a class or an object of TypeScript. */
function memberOf(line: string): Defined | undefined {
  const method = /[{(,]$|\{[^{}]*\}$/.test(line) ? MEMBER.exec(line) : undefined
  const name = method?.[1] ?? method?.[2] ?? method?.[3] ?? ARROW_MEMBER.exec(line)?.[1]
  return name === undefined || STATEMENTS.has(name) ? undefined : { name, kind: 'method' }
}

/** Type arguments between a name and its bracket: `<T>` of a generic method. */
const TYPE_ARGUMENTS = /(?<=\w)<[^<>]*(?:<[^<>]*>[^<>]*)*>$/
const TYPE_NAMES = new Set(['void', 'int', 'char', 'long', 'short', 'bool', 'float', 'double'])

/** `static int foo(char *bar)`: a name before a bracket, with a type before it. */
function typedFunction(line: string, grammar: Grammar, { indent, within }: LineContext): Defined | undefined {
  const bracket = line.indexOf('(')
  if (bracket <= 0 || /^[#/*}{)]/.test(line)) return undefined
  const isC = grammar === 'c'
  if (isC ? indent > 0 && !isMember(within) && within?.kind !== 'namespace' : !isMember(within)) return undefined
  const before = line.slice(0, bracket).trimEnd().replace(TYPE_ARGUMENTS, '')
  const name = /(?:operator *[^\s\w(]+|(?<![~\w$:])[~\w$:]+)$/.exec(before)?.[0]
  if (name === undefined || TYPE_NAMES.has(name)) return undefined
  const words = before
    .slice(0, -name.length)
    .replace(grammar === 'java' ? /^(?:default|synchronized) +/ : '', '')
    .trim()
  if (/[=.?"'!|+-]/.test(words.replace(/\.\.\.|->|(?<=\w)\.(?=\w)|(?<=[\w>\]])\?/g, ''))) return undefined
  const first = /^\w*/.exec(words === '' ? name : words)?.[0] ?? ''
  if (STATEMENTS.has(first) || STATEMENTS.has(name)) return undefined
  if (/;$/.test(line) && !(grammar === 'csharp' && line.includes('=>'))) return undefined
  if (words === '' && !isBareName(line, name, within)) return undefined
  const short = name.slice(name.lastIndexOf(':') + 1)
  return { name: short === '' ? name : short, kind: isMember(within) || name.includes('::') ? 'method' : 'function' }
}

/** A constructor; in C, a macro, or a function with its type on the line before. */
function isBareName(line: string, name: string, within: Defined | undefined): boolean {
  return within?.name === name.replace('~', '') || name.includes('::') || (within === undefined && /[{)]$/.test(line))
}
