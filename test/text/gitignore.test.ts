import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gitignore } from '../../src/text/gitignore.ts'
import { fc, forAll } from '../support/property.ts'
import { SOON } from '../support/soon.ts'
import { tree } from '../support/tree.ts'

describe('a .gitignore', () => {
  it.each([
    ['AGENTS.md', 'AGENTS.md', true],
    ['AGENTS.md', 'a/b/AGENTS.md', true],
    ['agents.md', 'AGENTS.md', undefined],
    ['/AGENTS.md', 'AGENTS.md', true],
    ['/AGENTS.md', 'a/AGENTS.md', undefined],
    ['a/AGENTS.md', 'a/AGENTS.md', true],
    ['a/AGENTS.md', 'b/a/AGENTS.md', undefined],
    ['*.md', 'a/AGENTS.md', true],
    ['a/*.md', 'a/b/AGENTS.md', undefined],
    ['**/a/*.md', 'x/a/AGENTS.md', true],
    ['a/**/AGENTS.md', 'a/AGENTS.md', true],
    ['a/**/AGENTS.md', 'a/b/c/AGENTS.md', true],
    ['a/**', 'a/b', true],
    ['a/**', 'a', undefined],
    ['[Aa]GENTS.md', 'AGENTS.md', true],
    ['[!a]*.md', 'AGENTS.md', true],
    ['A?ENTS.md', 'AGENTS.md', true],
    ['*.md\n!AGENTS.md', 'AGENTS.md', false],
    ['!AGENTS.md\n*.md', 'AGENTS.md', true],
    ['*.md\n!AGENTS.md\nAGENTS.md', 'AGENTS.md', true],
    ['# AGENTS.md', 'AGENTS.md', undefined],
    ['\\#a', '#a', true],
    ['\\!a', '!a', true],
    ['AGENTS.md   ', 'AGENTS.md', true],
    ['a\\ ', 'a ', true],
    ['a ', 'a ', undefined],
    ['*.md\r\n!AGENTS.md\r\n', 'AGENTS.md', false],
    ['\n\n \n', 'AGENTS.md', undefined],
    ['/', 'AGENTS.md', undefined],
    ['!', 'AGENTS.md', undefined],
    ['AGENTS.{md,txt}', 'AGENTS.md', undefined],
    ['build/', 'build', undefined],
  ])('%j: the file %s is %s', (text, path, expected) => {
    expect(gitignore(text)(path, false)).toBe(expected)
  })

  it.each([
    ['build/', 'build', true],
    ['build/', 'a/build', true],
    ['/build/', 'a/build', undefined],
    ['a/build/', 'a/build', true],
    ['build', 'build', true],
    ['**/', 'a', true],
    ['*/\n!a/', 'a', false],
  ])('%j: the directory %s is %s', (text, path, expected) => {
    expect(gitignore(text)(path, true)).toBe(expected)
  })

  it('that is hostile takes no time', () => {
    const lines = [`${'*a'.repeat(34)}b`, `${'**/a/'.repeat(100)}b`, '[a-z]*'.repeat(100), '*'.repeat(1000)]
    const says = gitignore(lines.join('\n'))
    const began = performance.now()
    for (const path of ['a'.repeat(255), `${'a/'.repeat(2000)}c`]) expect(says(path, false)).toBe(true)
    expect(performance.now() - began).toBeLessThan(SOON)
  })
})

describe('a .gitignore that asks for too much', () => {
  it.each([
    ['comments and blank lines', '# a\n\n   \n/\n!\na\n', 0],
    ['a line of 1,025 characters', `${'a'.repeat(1025)}\nb`, 1],
    ['a comment of as many', `#${'a'.repeat(1025)}\nb`, 0],
    ['10,002 rules', 'a\n'.repeat(10_002), 2],
    ['rules of more than a mebibyte', `${'a'.repeat(1023)}b\n`.repeat(1025), 1],
    ['searches of more than 2,048 characters', `*${'a'.repeat(1022)}*\n`.repeat(3), 1],
    ['no searches', '*.[ab]\n**/a/b\na/**\n**/*.md\n'.repeat(500), 0],
  ])('is not read to the end, and says so: %s', (_, text, unread) => {
    expect(gitignore(text).unread).toBe(unread)
  })

  it.each([
    ['stars in a name', `${'*a'.repeat(200)}b`],
    ['stars in a name with an open end', `${'*a'.repeat(200)}b*`],
    ['a long name between stars', `*${'a'.repeat(500)}b*`],
    ['many short names between stars', '*b*'],
    ['directories between stars', `**/${'a/'.repeat(200)}b/**`],
    ['names with stars between stars', `**/${'*a*/'.repeat(200)}b/**`],
    ['a class between stars', `*[${'b-c'.repeat(300)}]*`],
    ['brackets that are not closed', '[a*'.repeat(340)],
    ['spaces', `${' '.repeat(3000)}x`],
  ])('still gives its verdicts at once: %s', (_, line) => {
    const began = performance.now()
    const says = gitignore(`${line}\n`.repeat(Math.ceil(4_000_000 / line.length)))
    expect(says.unread).toBeGreaterThan(0)
    for (const path of ['a'.repeat(4096), `${'a/'.repeat(2047)}a`, `${'a'.repeat(255)}/`.repeat(15)]) says(path, true)
    expect(performance.now() - began).toBeLessThan(SOON)
  })
})

const SEGMENT = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[ab]{1,2}$/) },
  fc.constantFrom('*', '**', 'a*', '*b', '?', '[ab]', '[!a]', 'a?', '[a-b]b'),
)
const LINE = fc
  .record({
    negated: fc.boolean(),
    anchored: fc.boolean(),
    segments: fc.array(SEGMENT, { minLength: 1, maxLength: 3 }),
    directory: fc.boolean(),
  })
  .map(
    ({ negated, anchored, segments, directory }) =>
      `${negated ? '!' : ''}${anchored ? '/' : ''}${segments.join('/')}${directory ? '/' : ''}`,
  )
const FILES = ['a', 'b/a', 'ab/b', 'b/ab/a', 'a2/b/ab', 'bb', 'ab2/a/a/b', 'aa/bb/ab.md']

/** What git says of each path: the pattern that decides, `!` first when it brings the file back; nothing for none. */
function gitSays(cwd: string, paths: readonly string[]): boolean[] {
  const args = ['-c', 'core.excludesFile=/dev/null', 'check-ignore', '--stdin', '-z', '-v', '-n', '--no-index']
  // Its exit code is 1 when no file is ignored.
  const { stdout } = spawnSync('git', args, { cwd, input: paths.join('\0'), encoding: 'utf8' })
  const fields = stdout.split('\0')
  return paths.map((_, index) => /^[^!]/.test(fields[index * 4 + 2] ?? ''))
}

/** The same, file by file: a file in an ignored directory is ignored, else the nearest verdict counts. */
function weSay(text: string): boolean[] {
  const says = gitignore(text)
  const ignored = (path: string, isDirectory: boolean): boolean => {
    const above = dirname(path)
    return (above !== '.' && ignored(above, true)) || (says(path, isDirectory) ?? false)
  }
  return FILES.map((path) => ignored(path, false))
}

it('says what git says', () => {
  using planted = tree({ 'x/': '' })
  execFileSync('git', ['init', '-q'], { cwd: planted.base })
  const texts = fc.array(fc.array(LINE, { minLength: 1, maxLength: 5 }), { minLength: 100, maxLength: 100 })
  // One process of git for a hundred directories, each with rules of its own.
  forAll(1, texts, (all) => {
    const paths = all.flatMap((lines, index) => {
      for (const file of FILES) mkdirSync(dirname(planted.at(`d${index}/${file}`)), { recursive: true })
      writeFileSync(planted.at(`d${index}/.gitignore`), `${lines.join('\n')}\n`)
      return FILES.map((file) => `d${index}/${file}`)
    })
    const verdicts = gitSays(planted.base, paths)
    const found = all.map((lines, index) => ({
      lines,
      ignored: verdicts.slice(index * FILES.length, (index + 1) * FILES.length),
    }))
    expect(all.map((lines) => ({ lines, ignored: weSay(lines.join('\n')) }))).toEqual(found)
  })
})
