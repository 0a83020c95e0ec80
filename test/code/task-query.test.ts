import { describe, expect, it } from 'vitest'
import { hashOf, termsOfWord } from '../../src/code/index/identifiers.ts'
import { parseTask } from '../../src/code/task-query.ts'

const weightOf = (task: string, word: string) => parseTask(task).terms.get(termsOfWord(word).parts[0] ?? 0) ?? 0

describe('a task', () => {
  it('is its words by their stems, parts of identifiers, and whole identifiers', () => {
    const { terms, identifiers } = parseTask('The `parseRequest` drops retries')
    for (const word of ['pars', 'request', 'retri', 'parserequest']) expect(terms.has(hashOf(word))).toBe(true)
    expect([...identifiers.keys()]).toEqual(['parserequest'])
  })

  it('says the same of a name however it is written', () => {
    const [snake, camel] = [parseTask('fix parse_request'), parseTask('fix parseRequest')]
    expect([...snake.terms.keys()].sort()).toEqual([...camel.terms.keys()].sort())
  })

  it.each([
    ['a comment of a template', 'Bug in walrus\n<!-- please fill in zebra -->\nmore text'],
    ['an address', 'Bug in walrus\nsee https://zebra.example/zebra'],
    ['a check box', 'Bug in walrus\n- [x] I searched for zebra'],
    ['a heading of a template', 'Bug in walrus\n## Steps to reproduce zebra'],
  ])('is read without %s', (_, task) => {
    expect(weightOf(task, 'walrus')).toBeGreaterThan(0)
    expect(weightOf(task, 'zebra')).toBe(0)
  })

  it.each([
    ['an environment', '## Environment\nzebra'],
    ['a reproduction', '## Reproduction link\nzebra'],
    ['code in a fence', '```\nzebra\n```'],
  ])('counts a word in %s for less', (_, part) => {
    expect(weightOf(`Title of it\n${part}`, 'zebra')).toBeLessThan(weightOf('Title of it\nzebra', 'zebra'))
  })

  it('counts a word of the title, and one in backticks, for more', () => {
    expect(weightOf('zebra\nwalrus', 'zebra')).toBeGreaterThan(weightOf('zebra\nwalrus', 'walrus'))
    expect(weightOf('x y\n`zebra` walrus', 'zebra')).toBeGreaterThan(weightOf('x y\n`zebra` walrus', 'walrus'))
  })

  it.each([
    ['Python', '  File "/home/me/src/parser.py", line 12, in parse_line', 'home/me/src/parser.py', 12, 'parse_line'],
    ['JavaScript', '    at Parser.parse (/app/src/parser.js:12:5)', 'app/src/parser.js', 12, 'parse'],
    ['Java', '\tat com.acme.text.Parser.parse(Parser.java:12)', 'com/acme/text/Parser.java', 12, 'parse'],
    ['Go', '\t/go/src/app/parser.go:12 +0x1b', 'go/src/app/parser.go', 12, undefined],
    ['Rust', '  --> src/parser.rs:12:5', 'src/parser.rs', 12, undefined],
    ['PHP', '#0 /var/www/Handler/Curl.php(158): Acme\\Curl::finish()', 'var/www/Handler/Curl.php', 158, 'finish'],
    ['PHP, of a function', '#1 /app/a.php(3): run()', 'app/a.php', 3, 'run'],
    [
      '.NET',
      '   at Acme.Parser.Parse(String text, Int32 at) in C:\\Src\\Parser.cs:line 12',
      'Src/Parser.cs',
      12,
      'Parse',
    ],
    ['.NET without symbols', '   at Acme.Text.Parser.Parse(String text)', 'Acme/Text/Parser.cs', undefined, 'Parse'],
    ['Ruby', "lib/acme/parser.rb:12:in `parse'", 'lib/acme/parser.rb', 12, 'parse'],
    ['Ruby 3.4', "\tfrom lib/acme/parser.rb:12:in 'Acme::Parser#parse?'", 'lib/acme/parser.rb', 12, 'parse?'],
    ['a minidump', 'libdb.so!db::Block::Next [block.cc : 58 + 0x0]', 'block.cc', 58, undefined],
    ['a compiler', 'src\\view\\page.ts(12,5): error TS2322: Type', 'src/view/page.ts', 12, undefined],
  ])('has the stack frames of %s', (_, line, path, number, name) => {
    expect(parseTask(`It fails\n${line}`).frames).toEqual([{ path, line: number, name }])
  })

  it('has the paths of a diff, and of a link to a file', () => {
    const diff = 'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-old()\n+new()'
    expect(parseTask(diff).paths).toContain('b/src/a.ts')
    expect(parseTask('see https://github.com/o/n/blob/main/src/b.ts#L10').paths).toContain('src/b.ts')
  })

  it('has no comment of its template, unless that is never closed', () => {
    expect(parseTask('<!-- src/a.ts -->src/b.ts<!-- src/c.ts --> <!-- src/d.ts').paths).toEqual([
      'src/b.ts',
      'src/d.ts',
    ])
  })

  it('has what it quotes, and what errors say', () => {
    const { phrases } = parseTask('It prints "no such file here"\nValueError: too many values to unpack')
    expect(phrases).toEqual(['no such file here', 'too many values', 'many values to', 'values to unpack'])
  })

  it('has the identifiers of a text in Chinese', () => {
    const { identifiers, terms } = parseTask('修复parseRequest函数的错误')
    expect([...identifiers.keys()]).toContain('parserequest')
    expect(terms.has(hashOf('修复'))).toBe(true)
  })

  it('has what Chinese words are called in code, for less than what is written, in both scripts', () => {
    for (const task of ['登录超时后没有重试', '登入逾時後沒有重試']) {
      for (const word of ['login', 'timeout', 'retry']) expect(weightOf(task, word)).toBeGreaterThan(0)
      expect(weightOf(task, 'login')).toBeLessThan(weightOf('login fails', 'login'))
    }
    expect(weightOf('数据库 is down', 'database')).toBeGreaterThan(0)
    expect(weightOf('数据库 is down', 'data')).toBe(0)
  })

  it('has a word as it is written for each term of it', () => {
    const { terms, words } = parseTask('群聊时 parseRequest retries 失败')
    for (const term of terms.keys()) expect(words.get(term)).toMatch(/./)
  })
})
