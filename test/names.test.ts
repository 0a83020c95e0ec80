import { describe, expect, it } from 'vitest'
import { bareCode, readSources, type SourceFile } from './source-files.ts'

interface Declaration {
  readonly name: string
  readonly file: string
  readonly kind: 'function' | 'value' | 'type'
  readonly isExported: boolean
}

const DECLARATION =
  /^(export )?(?:declare )?(?:abstract )?(?:async )?(function\*?|const|let|class|interface|type) ([A-Za-z_$][\w$]*)( = (?:async )?(?:\([^)]*\)|\w+)[^=\n]*=>| = (?:async )?(?:<[^>]*>)?\()?/gm

/** What a file declares at its top level. */
function declarationsIn({ file, text }: SourceFile): Declaration[] {
  return [...bareCode(text).code.matchAll(DECLARATION)].map(([, exported, word = '', name = '', arrow]) => ({
    name,
    file,
    kind: isType(word) ? 'type' : word.startsWith('function') || arrow !== undefined ? 'function' : 'value',
    isExported: exported !== undefined,
  }))
}

const isType = (word: string): boolean => word === 'class' || word === 'interface' || word === 'type'

/** Names that stand in more than `most` files, with their files. */
function repeated(declarations: readonly Declaration[], most: number): string[] {
  const names = Map.groupBy(declarations, ({ name }) => name)
  return [...names].flatMap(([name, all]) => {
    const files = new Set(all.map(({ file }) => file))
    return files.size > most ? [`${name}: ${[...files].join(', ')}`] : []
  })
}

/** Irregular participles and words that say nothing, which no function may have as its whole name. */
const BANNED = new Set(
  (
    'told heard kept found said shown taken seen begun known given made done gone left lost held meant bound built ' +
    'sent spent drawn written broken chosen hidden thing one bad wrong'
  ).split(' '),
)

/** Words that look like participles and are verbs or nouns. */
const VERBS = new Set(['embed', 'feed', 'need', 'seed', 'speed', 'exceed', 'proceed', 'string', 'bring'])

function isBareParticiple(name: string): boolean {
  return BANNED.has(name) || (/^[a-z]+(?:ed|ing)$/.test(name) && !VERBS.has(name))
}

/** What the library exports keeps its name. */
const LIBRARY = new Set(
  readSources('src')
    .find(({ file }) => file === 'index.ts')
    ?.text.match(/\w+/g),
)

const RULES: Readonly<Record<string, (declarations: readonly Declaration[]) => string[]>> = {
  'a value is exported by one file only': (all) =>
    repeated(
      all.filter(({ kind, isExported }) => kind !== 'type' && isExported),
      1,
    ),
  'a type is exported by one file only': (all) =>
    repeated(
      all.filter(({ kind, isExported }) => kind === 'type' && isExported),
      1,
    ),
  'a function has its name in three files at most': (all) =>
    repeated(
      all.filter(({ kind }) => kind === 'function'),
      3,
    ),
  'a function is not a bare participle': (all) =>
    all
      .filter(({ kind, name }) => kind === 'function' && isBareParticiple(name) && !LIBRARY.has(name))
      .map(({ name, file }) => `${name}: ${file}`),
}

/** Names that say nothing to a reader who does not know the file. Whole words of code; comments and strings may hold some of them. */
const FORBIDDEN = new Set(
  (
    'told Staff Workers Sight Means Keeper Outlet keptBeside runsBeside spread laidAside SharedRoom Stretch whereIs Word heed ' +
    'Elsewhere Desk Meant meaningOf Looking lookingOver Works heardIn Heard keepsSatisfying livingIn Gate Slots seamsOf ' +
    'standingIn ladderOf onward untold retold seam seams notHad notKept nothingYet askedAgain movedAside rowsAside lostIn lostTo ' +
    'door concern vouched takers isThat'
  ).split(' '),
)

/** Fields of stored data, and words of shell scripts as their parser names them. */
const ALLOWED =
  /^(?:agent\/assistant\/place-context|research\/run\/journal)\.ts: told$|^context\/reach\/shell\/.*: Word$/

/** The forbidden names of each file, a line each. */
function forbiddenNames({ file, text }: SourceFile): string[] {
  const words = new Set(bareCode(text).code.match(/\w+/g))
  const found = [...words].filter((word) => FORBIDDEN.has(word)).map((word) => `${file}: ${word}`)
  return found.filter((line) => !ALLOWED.test(line))
}

/** Breaches that are left, by rule. A ceiling only goes down; a rule that is not named here has none. */
const CEILINGS: Readonly<Record<string, number>> = {}

describe('the names', () => {
  const declarations = readSources('src').flatMap(declarationsIn)

  it.each(Object.entries(RULES))('%s', (rule, breaches) => {
    const found = breaches(declarations)
    expect(found.slice(0, Math.max(0, found.length - (CEILINGS[rule] ?? 0)))).toEqual([])
  })

  it('are not forbidden', () => {
    expect(readSources('src').flatMap(forbiddenNames)).toEqual([])
  })
})

describe('the check itself', () => {
  it('finds a forbidden name in code, and none in strings and comments', () => {
    const text = "const told = 'Word' // Outlet\n"
    expect(forbiddenNames({ file: 'a.ts', text })).toEqual(['a.ts: told'])
  })

  const breachesOf = (rule: string, ...texts: readonly string[]) =>
    RULES[rule]?.(texts.flatMap((text, at) => declarationsIn({ file: `${at}.ts`, text })))

  it.each([
    ['a value is exported by one file only', ['export const LIMIT = 1', 'export const LIMIT = 2']],
    ['a value is exported by one file only', ['export function load() {}', 'export async function load() {}']],
    ['a type is exported by one file only', ['export interface Found {}', 'export type Found = string']],
    [
      'a function has its name in three files at most',
      ['function textOf() {}', 'const textOf = (a: string) => a', 'function* textOf() {}', 'function textOf() {}'],
    ],
    ['a function is not a bare participle', ['function heard() {}']],
    ['a function is not a bare participle', ['const shortened = (text: string) => text']],
  ])('finds that %s is broken', (rule, texts) => {
    expect(breachesOf(rule, ...texts)).toHaveLength(1)
  })

  it.each([
    ['a value is exported by one file only', ['export const A = 1', 'const A = 2']],
    ['a function has its name in three files at most', ['function a() {}', 'function a() {}', 'function a() {}']],
    ['a function is not a bare participle', ['function embed() {}', 'const padded = 1', '// function heard() {}']],
  ])('lets stand what %s allows', (rule, texts) => {
    expect(breachesOf(rule, ...texts)).toEqual([])
  })
})
