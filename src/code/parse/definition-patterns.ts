/** Recognises the definition that starts on a line, by its first words without indentation. */

import type { Grammar } from '../languages.ts'
import { type DefinitionKind, PATTERNS } from './pattern-table.ts'

/** A definition on a line. */
export interface NamedDefinition {
  readonly name: string
  readonly kind: DefinitionKind
}

/** The surroundings of a line that may define something. */
export interface LineContext {
  /** Columns of white space before the line. */
  readonly indent: number
  /** The innermost definition around the line. */
  readonly parent: NamedDefinition | undefined
}

/** Kinds that contain other definitions. */
const CONTAINERS: ReadonlySet<DefinitionKind> = new Set(['class', 'enum', 'interface', 'module', 'namespace', 'object'])

const CLASS_LIKE: ReadonlySet<DefinitionKind> = new Set(['class', 'enum', 'interface', 'object'])

export function isContainer(kind: DefinitionKind): boolean {
  return CONTAINERS.has(kind)
}

/** Grammars in which a method or function starts with its type or its name, and not with a keyword. */
const TYPED_GRAMMARS: ReadonlySet<Grammar> = new Set(['c', 'java', 'csharp'])

/** Maximum characters of a line that may define something. */
const MAX_LINE_LENGTH = 400

/** The definition that starts on a line; undefined without one. `text`: the line without indentation. */
export function definitionOn(text: string, grammar: Grammar, context: LineContext): NamedDefinition | undefined {
  const clipped = text.length > MAX_LINE_LENGTH ? text.slice(0, MAX_LINE_LENGTH) : text
  const line = dropAnnotations(grammar === 'c' ? dropTemplate(clipped) : clipped)
  const byPattern = matchPatterns(line, grammar, context)
  if (byPattern) return byPattern
  if (grammar === 'typescript')
    return context.parent && isContainer(context.parent.kind) ? typeScriptMember(clipped) : undefined
  return TYPED_GRAMMARS.has(grammar) ? typedFunction(line, grammar, context) : undefined
}

function matchPatterns(line: string, grammar: Grammar, { indent, parent }: LineContext): NamedDefinition | undefined {
  const isTop = indent === 0 || (parent !== undefined && isContainer(parent.kind))
  for (const [kind, pattern, place] of PATTERNS[grammar] ?? []) {
    if (place === 'top' ? !isTop : place === 'grouped' && parent?.kind !== 'namespace') continue
    const match = pattern.exec(line)
    if (match) return { name: nameIn(match), kind: kind === 'function' && isMember(parent) ? 'method' : kind }
  }
  return undefined
}

function nameIn(match: RegExpExecArray): string {
  const name = match[1] ?? match[2] ?? ''
  // SQL and Kotlin quote names; `[]` is a method of Ruby.
  return /^[{(]$/.test(name) ? '' : name.replaceAll(/["`[\]]/g, '') || name
}

function isMember(parent: NamedDefinition | undefined): boolean {
  return parent !== undefined && CLASS_LIKE.has(parent.kind)
}

/** `template <class T> void go(` becomes `void go(`; `''` for a line with nothing else, or with an unclosed bracket. */
export function dropTemplate(line: string): string {
  if (!/^template *</.test(line)) return line
  let depth = 0
  for (let at = line.indexOf('<'); at < line.length; at++) {
    if (line[at] === '<') depth++
    else if (line[at] === '>' && --depth === 0) return line.slice(at + 1).replace(/^ *(?:requires\b[^{]*$)?/, '')
  }
  return ''
}

/** `@Override public` and `[Fact] public` become `public`. */
function dropAnnotations(line: string): string {
  let remaining = line
  while (/^[@[]/.test(remaining)) {
    const next = remaining.replace(/^@(?!interface\b)[\w.]+(?:\([^()]*\))? +|^\[[^\]]*\] */, '')
    if (next === remaining) break
    remaining = next
  }
  return remaining
}

/** Words that begin a statement, and so cannot be the name or type of a function. */
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
function typeScriptMember(line: string): NamedDefinition | undefined {
  const method = /[{(,]$|\{[^{}]*\}$/.test(line) ? MEMBER.exec(line) : undefined
  const name = method?.[1] ?? method?.[2] ?? method?.[3] ?? ARROW_MEMBER.exec(line)?.[1]
  return name === undefined || STATEMENTS.has(name) ? undefined : { name, kind: 'method' }
}

/** Type arguments between a name and its bracket: `<T>` of a generic method. */
const TYPE_ARGUMENTS = /(?<=\w)<[^<>]*(?:<[^<>]*>[^<>]*)*>$/
const TYPE_NAMES = new Set(['void', 'int', 'char', 'long', 'short', 'bool', 'float', 'double'])

/** `static int foo(char *bar)`: a name before a bracket, with a type before it. */
function typedFunction(line: string, grammar: Grammar, { indent, parent }: LineContext): NamedDefinition | undefined {
  const bracket = line.indexOf('(')
  if (bracket <= 0 || /^[#/*}{)]/.test(line)) return undefined
  const isC = grammar === 'c'
  if (isC ? indent > 0 && !isMember(parent) && parent?.kind !== 'namespace' : !isMember(parent)) return undefined
  const beforeBracket = line.slice(0, bracket).trimEnd().replace(TYPE_ARGUMENTS, '')
  const name = /(?:operator *[^\s\w(]+|(?<![~\w$:])[~\w$:]+)$/.exec(beforeBracket)?.[0]
  if (name === undefined || TYPE_NAMES.has(name)) return undefined
  const modifiers = grammar === 'java' ? /^(?:default|synchronized) +/ : ''
  const typeWords = beforeBracket.slice(0, -name.length).replace(modifiers, '').trim()
  if (/[=.?"'!|+-]/.test(typeWords.replace(/\.\.\.|->|(?<=\w)\.(?=\w)|(?<=[\w>\]])\?/g, ''))) return undefined
  const firstWord = /^\w*/.exec(typeWords === '' ? name : typeWords)?.[0] ?? ''
  if (STATEMENTS.has(firstWord) || STATEMENTS.has(name)) return undefined
  if (/;$/.test(line) && !(grammar === 'csharp' && line.includes('=>'))) return undefined
  if (typeWords === '' && !isConstructorOrMacro(line, name, parent)) return undefined
  const shortName = name.slice(name.lastIndexOf(':') + 1)
  return { name: shortName || name, kind: isMember(parent) || name.includes('::') ? 'method' : 'function' }
}

/** Whether a name without a type defines a constructor, or in C a macro or a function with its type on the line before. */
function isConstructorOrMacro(line: string, name: string, parent: NamedDefinition | undefined): boolean {
  return parent?.name === name.replace('~', '') || name.includes('::') || (parent === undefined && /[{)]$/.test(line))
}
