/** For each grammar, patterns of the first line of a definition, without its indentation. Group 1 or 2 is the name. */

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

/** Where a pattern applies. `top`: to unindented lines and members; `grouped`: in a group such as `const (` of Go. */
type PatternPlace = 'top' | 'grouped'

type Pattern = readonly [kind: DefinitionKind, pattern: RegExp, place?: PatternPlace]

const TS_START = '^(?:export +)?(?:default +)?(?:declare +)?'
const MODIFIERS =
  '^(?:(?:public|private|protected|internal|open|abstract|final|sealed|static|data|inner|value|inline|annotation|partial|readonly|unsafe|file|new|case|implicit|lazy|override|actual|expect|external|fileprivate|indirect|distributed|required|convenience|mutating|nonisolated|class|strictfp|default|suspend|operator|infix|tailrec|const|lateinit|erased|transparent) +)*'

const CSHARP_WORDS =
  '(?:public|private|protected|internal|static|virtual|override|abstract|sealed|required|readonly|unsafe|partial)'

export const PATTERNS: Readonly<Partial<Record<Grammar, readonly Pattern[]>>> = {
  typescript: [
    ['function', new RegExp(`${TS_START}(?:async +)?function *(?:\\* *)?([\\w$]+)`)],
    ['class', new RegExp(`${TS_START}(?:abstract +)?class +(?!extends\\b|implements\\b)([\\w$]+)`)],
    ['class', new RegExp(`${TS_START}(?:const|let|var) +([\\w$]+)[^=]*= *class\\b`)],
    ['class', /^export +(default) +(?:abstract +)?class\b/],
    ['function', /^export +(default) +(?:async +)?(?:function *(?:\* *)?\(|\(|[\w$]+ *=>)/],
    ['interface', new RegExp(`${TS_START}interface +([\\w$]+)`)],
    ['enum', new RegExp(`${TS_START}(?:const +)?enum +([\\w$]+)`)],
    ['namespace', new RegExp(`${TS_START}(?:namespace|module) +['"]?([\\w$./@-]+)`)],
    ['type', new RegExp(`${TS_START}type +([\\w$]+)[^=]*[=<]`)],
    ['object', new RegExp(`${TS_START}(?:const|let|var) +([\\w$]+)(?:[^=]|=>)*= *\\{$`), 'top'],
    [
      'function',
      new RegExp(`${TS_START}(?:const|let|var) +([\\w$]+)(?:[^=]|=>)*= *(?:async *)?(?:function\\b|\\(|<|[\\w$]+ *=>)`),
    ],
    ['constant', new RegExp(`${TS_START}(?:const|let|var) +([\\w$]+)`), 'top'],
    ['function', /^(?:[\w$]+\.)+([\w$]+) *= *(?:async *)?(?:function\b|\(|[\w$]+ *=>)/],
    ['object', /^(?:export +default|module\.exports *=) +(?:[\w$.]+\()?(\{)$/, 'top'],
  ],
  python: [
    ['function', /^(?:async +)?def +(\w+)/],
    ['function', /^cp?def +(?:[\w[\].*]+ +)*\**(\w+) *\(/],
    ['class', /^(?:cdef +)?c?class +(\w+)/],
    ['type', /^type +(\w+)(?:\[[^\]]*\])? *=/],
    ['constant', /^([A-Za-z_]\w*) *(?::[^=]+)?= *[^=]/, 'top'],
  ],
  go: [
    ['method', /^func +\([^)]*\) *(\w+)/],
    ['function', /^func +(\w+)/],
    ['interface', /^type +(\w+)(?:\[[^\]]*\])? +interface\b/],
    ['type', /^type +(\w+)/],
    ['constant', /^(?:var|const) +(\w+)/, 'top'],
    ['namespace', /^(?:type|const|var) +(\()$/, 'top'],
    ['interface', /^(\w+)(?:\[[^\]]*\])? +interface\b/, 'grouped'],
    ['type', /^(\w+)(?:\[[^\]]*\])? +(?:struct|func|map|chan)\b/, 'grouped'],
    ['constant', /^([A-Za-z]\w*)(?: +[\w.*[\]]+)? *=/, 'grouped'],
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
    ['class', new RegExp(`${MODIFIERS}(?:class|record|mixin|extension) +(\\w+)`)],
    ['interface', new RegExp(`${MODIFIERS}(?:@?interface|trait) +(\\w+)`)],
    ['enum', new RegExp(`${MODIFIERS}enum +(\\w+)`)],
    ['function', /^(?:(?:private|static|def|void) +)+(\w+) *\(/],
    ['function', /^(?:(?:public|private|protected) +)?([A-Z]\w*) *\{$/, 'top'],
  ],
  csharp: [
    ['namespace', /^namespace +([\w.]+)/],
    ['class', new RegExp(`${MODIFIERS}(?:class|struct|record(?: +(?:class|struct))?) +(\\w+)`)],
    ['interface', new RegExp(`${MODIFIERS}interface +(\\w+)`)],
    ['enum', new RegExp(`${MODIFIERS}enum +(\\w+)`)],
    ['type', new RegExp(`${MODIFIERS}delegate +[^(]*?(\\w+)(?:<[^>(]*>)? *\\(`)],
    ['function', /^(?:[\w<>?,.[\]]+ +)+operator +([^\s(]+) *\(/],
    ['function', /^(?:[\w<>?,.[\]]+ +)+(this) *\[/],
    ['constant', new RegExp(`^(?:${CSHARP_WORDS} +)+(?:[\\w<>?,.[\\]]+ +)+(\\w+) *(?:\\{.*|=>.*)?$`), 'top'],
  ],
  kotlin: [
    ['class', new RegExp(`${MODIFIERS}(?:enum +)?(?:class|object) +(\\w+)`)],
    ['class', /^(?:\w+ +)*(companion) +object\b/],
    ['interface', new RegExp(`${MODIFIERS}(?:fun +)?interface +(\\w+)`)],
    ['function', new RegExp(`${MODIFIERS}(constructor) *\\(`)],
    ['function', /^(init) *\{/],
    ['function', new RegExp(`${MODIFIERS}fun\\b[^(]*?(\\w+|\`[^\`]+\`) *\\(`)],
    ['type', new RegExp(`${MODIFIERS}typealias +(\\w+)`)],
    ['constant', new RegExp(`${MODIFIERS}va[lr] +(?:[\\w<>?]+\\.)?(\\w+)`), 'top'],
  ],
  swift: [
    [
      'class',
      new RegExp(`${MODIFIERS}(?:class|struct|enum|extension|actor) +(?!func\\b|var\\b|let\\b|subscript\\b)([\\w.]+)`),
    ],
    ['interface', new RegExp(`${MODIFIERS}protocol +(\\w+)`)],
    ['function', new RegExp(`${MODIFIERS}(?:static +)?func +(\\w+|[^\\s\\w(]+)`)],
    ['macro', new RegExp(`${MODIFIERS}macro +(\\w+)`)],
    ['function', new RegExp(`${MODIFIERS}(init|deinit|subscript)\\b *[?!]?[(<{]`)],
    ['type', new RegExp(`${MODIFIERS}typealias +(\\w+)`)],
    ['constant', new RegExp(`${MODIFIERS}(?:let|var) +(\\w+)`), 'top'],
  ],
  scala: [
    ['class', new RegExp(`${MODIFIERS}(?:package +)?(?:class|object|enum) +(\\w+)`)],
    ['type', /^(?:[\w[\]]+ +)*type +(\w+)/],
    ['interface', new RegExp(`${MODIFIERS}trait +(\\w+)`)],
    ['function', /^(?:[\w[\]]+ +)*def +([^\s([:=]+)/],
    ['constant', /^(?:[\w[\]]+ +)*(?:given|va[lr]) +(\w+)/, 'top'],
  ],
  php: [
    ['namespace', /^namespace +([\w\\]+) *\{/],
    ['class', /^(?:(?:abstract|final|readonly) +)*class +(\w+)/],
    ['interface', /^(?:interface|trait) +(\w+)/],
    ['enum', /^enum +(\w+)/],
    ['constant', /^(?:(?:public|private|protected|final) +)*const +(?:[\w|?]+ +)?(\w+) *=/],
    ['constant', /^define\( *['"]([\w\\]+)['"]/, 'top'],
    ['function', /^(?:(?:abstract|final|public|private|protected|static) +)*function +(?:& *)?(\w+)/],
  ],
  ruby: [
    ['class', /^class +([\w:]+)/],
    ['module', /^(?:module|defmodule|defimpl|defprotocol) +([\w:.]+)/],
    [
      'function',
      /^(?:private +|protected +|module_function +)?def(?:p|macro|macrop|delegate|guard)? +(?:self\.)?([\w?!=]+|[^\s(]+)/,
    ],
    ['function', /^define_method[ (]+:?['"]?([\w?!]+)/],
    ['function', /^(?:multi)?task +:?['"]?([\w:]+).*\bdo\b/],
    ['class', /^([A-Z]\w*) *= *(?:Struct|Class|Module|Data)\.\w+.*\bdo\b/],
    ['constant', /^([A-Z]\w*) *= *[^=]/],
  ],
  c: [
    ['macro', /^# *define +(\w+)(?:\(| +[^\s/])/],
    ['namespace', /^(?:inline +)?(?:namespace +([\w:]*)|extern +"(C(?:\+\+)?)") *\{?/],
    [
      'class',
      /^(?:typedef +)?(?:template *<.*> *)?(?:class|struct|union)(?: +(?:[A-Z_]+(?:\([^)]*\))?|\[\[[^\]]*\]\]|alignas\([^)]*\)))* +(\w+)[^;()=*&]*(?:[{:]|$)/,
    ],
    ['enum', /^(?:typedef +)?enum(?: +(?:class|struct))? +(\w+)[^;(){=]*(?:\{.*)?$/],
    ['class', /^typedef +(?:struct|union|enum) *(\{)?$/],
    ['class', /^@(?:interface|implementation|protocol) +(\w+)/],
    ['method', /^[-+] *\([^)]*\) *(\w+)/],
    ['type', /^using +(\w+) *=/],
    ['type', /^typedef\b[^;]*\( *\* *(\w+) *\) *\(/],
    ['type', /^typedef +[^;{()]*?(\w+)(?:\[[^\]]*\])? *;/],
    ['type', /^concept +(\w+)/],
    ['constant', /^(?:[\w:<>,*&]+ +)+[*&]*(\w+)(?:\[[^\]]*\])* *= *(?:\{.*|[^;()]*\{|\[.*\{)$/, 'top'],
  ],
  sh: [
    ['function', /^(?:function +)?([\w:.-]+) *\(\) *\{?/],
    ['function', /^function +([\w:.-]+)/],
  ],
  sql: [
    [
      'table',
      /^create +(?:or +(?:replace|alter) +)?(?:definer *= *\S+ +)?(?:global +|local +|temp(?:orary)? +|unique +|unlogged +|materialized +|recursive +|virtual +|foreign +|constraint +)*(?:table|view|function|procedure|proc|index|trigger|type|schema|sequence|policy|domain|aggregate|rule|event|role|database|extension|package(?: +body)?) +(?:concurrently +)?(?:if +not +exists +)?(["`[]?\w+["`\]]?(?:\.["`[]?\w+["`\]]?)*)/i,
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
