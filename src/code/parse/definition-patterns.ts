/** What the first line of a definition looks like. A line is looked at without its indentation. */

import type { Grammar } from '../languages.ts'

export type DefinitionKind =
  | 'class'
  | 'constant'
  | 'enum'
  | 'function'
  | 'interface'
  | 'macro'
  | 'method'
  | 'module'
  | 'namespace'
  | 'object'
  | 'section'
  | 'table'
  | 'type'

/** What a line defines. */
export interface Defined {
  readonly name: string
  readonly kind: DefinitionKind
}

/** Where a line stands. */
export interface LineContext {
  /** Columns of white space before it. */
  readonly indent: number
  /** The innermost definition that it is in. */
  readonly within: Defined | undefined
}

type Pattern = readonly [kind: DefinitionKind, pattern: RegExp, isTopLevel?: true]

/** Kinds that hold other definitions. */
const CONTAINERS: ReadonlySet<DefinitionKind> = new Set(['class', 'enum', 'interface', 'module', 'namespace', 'object'])

export function isContainer(kind: DefinitionKind): boolean {
  return CONTAINERS.has(kind)
}

const TS_HEAD = '^(?:export +)?(?:default +)?(?:declare +)?'
const JVM_HEAD =
  '^(?:(?:public|private|protected|internal|open|abstract|final|sealed|static|data|inner|value|inline|annotation|partial|readonly|unsafe|file|new|case|implicit|lazy|override|actual|expect|external|fileprivate|indirect|distributed|required|convenience|mutating|nonisolated|class|strictfp|default|suspend|operator|infix|tailrec|const|lateinit|erased|transparent) +)*'

const PATTERNS: Readonly<Partial<Record<Grammar, readonly Pattern[]>>> = {
  typescript: [
    ['function', new RegExp(`${TS_HEAD}(?:async +)?function *\\*? *([\\w$]+)`)],
    ['class', new RegExp(`${TS_HEAD}(?:abstract +)?class +([\\w$]+)`)],
    ['interface', new RegExp(`${TS_HEAD}interface +([\\w$]+)`)],
    ['enum', new RegExp(`${TS_HEAD}(?:const +)?enum +([\\w$]+)`)],
    ['namespace', new RegExp(`${TS_HEAD}(?:namespace|module) +['"]?([\\w$./@-]+)`)],
    ['type', new RegExp(`${TS_HEAD}type +([\\w$]+)[^=]*[=<]`)],
    ['object', new RegExp(`${TS_HEAD}(?:const|let|var) +([\\w$]+)[^=]*= *\\{$`), true],
    [
      'function',
      new RegExp(`${TS_HEAD}(?:const|let|var) +([\\w$]+)[^=]*= *(?:async *)?(?:function\\b|\\(|<|[\\w$]+ *=>)`),
    ],
    ['constant', new RegExp(`${TS_HEAD}(?:const|let|var) +([\\w$]+)`), true],
    ['function', /^(?:[\w$]+\.)+([\w$]+) *= *(?:async *)?(?:function\b|\(|[\w$]+ *=>)/],
    ['object', /^(?:export +default|module\.exports *=) +(\{)$/, true],
  ],
  python: [
    ['function', /^(?:async +)?def +(\w+)/],
    ['class', /^c?class +(\w+)/],
    ['constant', /^([A-Za-z_]\w*) *(?::[^=]+)?= *[^=]/, true],
  ],
  go: [
    ['method', /^func +\([^)]*\) *(\w+)/],
    ['function', /^func +(\w+)/],
    ['interface', /^type +(\w+)(?:\[[^\]]*\])? +interface\b/],
    ['type', /^type +(\w+)/],
    ['constant', /^(?:var|const) +(\w+)/, true],
  ],
  rust: [
    [
      'function',
      /^(?:pub(?:\([^)]*\))? +)?(?:(?:default|async|const|unsafe|export|inline|extern(?: *"[^"]*")?) +)*fn +(\w+)/,
    ],
    [
      'class',
      /^(?:pub(?:\([^)]*\))? +)?(?:unsafe +)?(?:default +)?impl\b.* for +&?(?:mut +)?(?:dyn +)?(?:\w+::)*(\w+)/,
    ],
    ['class', /^(?:unsafe +)?(?:default +)?impl\b(?: *<.*> )? *&?(?:mut +)?(?:dyn +)?(?:\w+::)*(\w+)/],
    ['interface', /^(?:pub(?:\([^)]*\))? +)?(?:unsafe +)?(?:auto +)?trait +(\w+)/],
    ['module', /^(?:pub(?:\([^)]*\))? +)?mod +(\w+) *\{/],
    ['macro', /^(?:pub(?:\([^)]*\))? +)?(?:macro_rules! *|macro +)(\w+)/],
    ['type', /^(?:pub(?:\([^)]*\))? +)?(?:struct|enum|union|type) +(\w+)/],
    ['constant', /^(?:pub(?:\([^)]*\))? +)?(?:const|static)(?: +mut)? +(\w+) *:/],
  ],
  java: [
    ['class', new RegExp(`${JVM_HEAD}(?:class|record|mixin|extension) +(\\w+)`)],
    ['interface', new RegExp(`${JVM_HEAD}(?:@?interface|trait) +(\\w+)`)],
    ['enum', new RegExp(`${JVM_HEAD}enum +(\\w+)`)],
    ['function', /^(?:(?:private|static|def|void) +)+(\w+) *\(/],
  ],
  csharp: [
    ['namespace', /^namespace +([\w.]+)/],
    ['class', new RegExp(`${JVM_HEAD}(?:class|struct|record(?: +(?:class|struct))?) +(\\w+)`)],
    ['interface', new RegExp(`${JVM_HEAD}interface +(\\w+)`)],
    ['enum', new RegExp(`${JVM_HEAD}enum +(\\w+)`)],
  ],
  kotlin: [
    ['class', new RegExp(`${JVM_HEAD}(?:enum +)?(?:class|object) +(\\w+)`)],
    ['class', /^(?:\w+ +)*(companion) +object\b/],
    ['interface', new RegExp(`${JVM_HEAD}(?:fun +)?interface +(\\w+)`)],
    ['function', new RegExp(`${JVM_HEAD}fun\\b[^(]*?(\\w+|\`[^\`]+\`) *\\(`)],
    ['type', new RegExp(`${JVM_HEAD}typealias +(\\w+)`)],
    ['constant', new RegExp(`${JVM_HEAD}va[lr] +(?:[\\w<>?]+\\.)?(\\w+)`), true],
  ],
  swift: [
    ['class', new RegExp(`${JVM_HEAD}(?:class|struct|enum|extension|actor) +([\\w.]+)`)],
    ['interface', new RegExp(`${JVM_HEAD}protocol +(\\w+)`)],
    ['function', new RegExp(`${JVM_HEAD}(?:static +)?func +([\\w]+)`)],
    ['function', new RegExp(`${JVM_HEAD}(init|deinit|subscript)\\b *[?!]?[(<{]`)],
    ['type', new RegExp(`${JVM_HEAD}typealias +(\\w+)`)],
    ['constant', new RegExp(`${JVM_HEAD}(?:let|var) +(\\w+)`), true],
  ],
  scala: [
    ['class', new RegExp(`${JVM_HEAD}(?:class|object|enum) +(\\w+)`)],
    ['interface', new RegExp(`${JVM_HEAD}trait +(\\w+)`)],
    ['function', /^(?:[\w[\]]+ +)*def +([^\s([:=]+)/],
    ['constant', /^(?:[\w[\]]+ +)*(?:given|va[lr]) +(\w+)/, true],
  ],
  php: [
    ['namespace', /^namespace +([\w\\]+) *\{/],
    ['class', /^(?:(?:abstract|final|readonly) +)*class +(\w+)/],
    ['interface', /^(?:interface|trait) +(\w+)/],
    ['enum', /^enum +(\w+)/],
    ['function', /^(?:(?:abstract|final|public|private|protected|static) +)*function +&? *(\w+)/],
  ],
  ruby: [
    ['class', /^class +([\w:]+)/],
    ['module', /^(?:module|defmodule|defimpl|defprotocol) +([\w:.]+)/],
    [
      'function',
      /^(?:private +|protected +|module_function +)?def(?:p|macro|macrop|delegate|guard)? +(?:self\.)?([\w?!=]+|[^\s(]+)/,
    ],
    ['constant', /^([A-Z]\w*) *= *[^=]/],
  ],
  c: [
    ['macro', /^# *define +(\w+)/],
    ['namespace', /^(?:inline +)?(?:namespace +([\w:]*)|extern +"(C(?:\+\+)?)") *\{?/],
    [
      'class',
      /^(?:typedef +)?(?:template *<.*> *)?(?:class|struct|union)(?: +(?:[A-Z_]+(?:\([^)]*\))?|\[\[[^\]]*\]\]|alignas\([^)]*\)))* +(\w+)[^;()=*&]*(?:[{:]|$)/,
    ],
    ['enum', /^(?:typedef +)?enum(?: +(?:class|struct))? +(\w+)[^;()]*$/],
    ['class', /^@(?:interface|implementation|protocol) +(\w+)/],
    ['method', /^[-+] *\([^)]*\) *(\w+)/],
    ['type', /^using +(\w+) *=/],
  ],
  sh: [
    ['function', /^(?:function +)?([\w:.-]+) *\(\) *\{?/],
    ['function', /^function +([\w:.-]+)/],
  ],
  sql: [
    [
      'table',
      /^create +(?:or +replace +)?(?:global +|local +|temp(?:orary)? +|unique +|unlogged +|materialized +)*(?:table|view|function|procedure|index|trigger|type|schema|sequence|policy|domain) +(?:concurrently +)?(?:if +not +exists +)?["`[]?([\w.]+)/i,
    ],
  ],
  other: [
    ['class', /^(?:[a-z]+ +)*(?:class|struct|trait|interface|module|message|service|enum|input|instance) +([\w.:]+)/],
    [
      'function',
      /^(?:[a-z]+ +)*(?:defn-?|defmacro|def|fn|func|function|fun|sub|proc|rpc|let(?: +rec)?|type|scalar|union) +([\w.:$?!'-]+)/,
    ],
    ['function', /^\((?:defn-?|defmacro|defmulti|defmethod|def|defprotocol|defrecord) +([^\s()]+)/],
    ['function', /^([\w.]+) *(?:<-|=) *function\b/],
  ],
}

/** Grammars whose methods and functions begin with a type, or with nothing but a name. */
const TYPED: ReadonlySet<Grammar> = new Set(['c', 'java', 'csharp'])

/** Of a longer line the rest says nothing of what it defines. */
const LONGEST_LINE = 400

/** What a line defines; undefined for a line that defines nothing. */
export function definedBy(line: string, grammar: Grammar, context: LineContext): Defined | undefined {
  const start = line.length > LONGEST_LINE ? line.slice(0, LONGEST_LINE) : line
  const byPattern = matchPatterns(start, grammar, context)
  if (byPattern) return byPattern
  if (grammar === 'typescript') return context.within && isContainer(context.within.kind) ? memberOf(start) : undefined
  return TYPED.has(grammar) ? typedFunction(withoutAnnotations(start), grammar, context) : undefined
}

function matchPatterns(line: string, grammar: Grammar, { indent, within }: LineContext): Defined | undefined {
  const isTop = indent === 0 || (within !== undefined && isContainer(within.kind))
  const stripped = TYPED.has(grammar) || grammar === 'kotlin' || grammar === 'swift' ? withoutAnnotations(line) : line
  for (const [kind, pattern, isTopLevel] of PATTERNS[grammar] ?? []) {
    if (isTopLevel && !isTop) continue
    const match = pattern.exec(stripped)
    if (match) return { name: nameIn(match), kind: kind === 'function' && isMember(within) ? 'method' : kind }
  }
  return undefined
}

function nameIn(match: RegExpExecArray): string {
  const name = match[1] ?? match[2] ?? ''
  return name === '{' ? '' : name.replaceAll('`', '')
}

function isMember(within: Defined | undefined): boolean {
  return within !== undefined && (within.kind === 'class' || within.kind === 'interface' || within.kind === 'object')
}

/** `@Override public` and `[Fact] public` as `public`. */
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
  /^(?:(?:public|private|protected|static|async|readonly|override|get|set|abstract|declare|accessor) +)*[*#]? *(?:([\w$]+)|\[([\w$.]+)\]|['"]([^'"]+)['"])[?!]? *(?:<[^>]*>)? *\(/
const ARROW_MEMBER =
  /^(?:(?:public|private|protected|static|readonly|override|declare) +)*#?([\w$]+)[^=(]*[=:] *(?:async *)?(?:function\b|\([^)]*\) *(?::[^=]+)?=>|\($|[\w$]+ *=>)/

/** A member of a class or an object of TypeScript. */
function memberOf(line: string): Defined | undefined {
  const method = /[{(,]$|\{[^}]*\}$/.test(line) ? MEMBER.exec(line) : undefined
  const name = method?.[1] ?? method?.[2] ?? method?.[3] ?? ARROW_MEMBER.exec(line)?.[1]
  return name === undefined || STATEMENTS.has(name) ? undefined : { name, kind: 'method' }
}

/** `static int foo(char *bar)`: a name before a bracket, with a type before it. */
function typedFunction(line: string, grammar: Grammar, { indent, within }: LineContext): Defined | undefined {
  const bracket = line.indexOf('(')
  if (bracket <= 0 || /^[#/*}{)]/.test(line)) return undefined
  const isC = grammar === 'c'
  if (
    isC ? indent > 0 && !isMember(within) && within?.kind !== 'namespace' : !isMember(within) && within?.kind !== 'enum'
  )
    return undefined
  const before = line.slice(0, bracket).trimEnd()
  const name = /(?:operator *[^\s\w(]+|[~\w$:]+)$/.exec(before)?.[0]
  if (name === undefined || /[=.?"'!|+-]/.test(before.slice(0, -name.length).replace(/\.\.\.|->/g, '')))
    return undefined
  const words = before.slice(0, -name.length).trim()
  const first = /^\w*/.exec(words === '' ? name : words)?.[0] ?? ''
  if (STATEMENTS.has(first) || STATEMENTS.has(name)) return undefined
  if (/[;,]$/.test(line) && !/\($|,$/.test(line)) return undefined
  if (words === '' && !isBareName(line, name, within)) return undefined
  const short = name.slice(name.lastIndexOf(':') + 1)
  return { name: short === '' ? name : short, kind: isMember(within) || name.includes('::') ? 'method' : 'function' }
}

/** A constructor; in C, a macro or a function whose type stands on the line before. */
function isBareName(line: string, name: string, within: Defined | undefined): boolean {
  return within?.name === name.replace('~', '') || name.includes('::') || (within === undefined && /[{)]$/.test(line))
}
