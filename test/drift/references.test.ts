import { describe, expect, it } from 'vitest'
import { referencesIn } from '../../src/drift/citations/references.ts'
import { fc, forAll } from '../support/property.ts'

/** As `kind line cited`. */
function cites(text: string): string[] {
  return referencesIn(text).map(({ kind, line, cited }) => `${kind} ${line} ${cited}`)
}

describe('references', () => {
  it.each<[what: string, text: string, expected: string[]]>([
    ['a code span', 'see `src/a.ts`', ['span 1 src/a.ts']],
    ['a span with two backticks', 'see `` a`b ``', ['span 1 a`b']],
    ['a span over two lines', 'see `npm\nrun x`\n\n`b`', ['span 1 npm run x', 'span 4 b']],
    ['nothing of a backtick that is not closed', 'a ` b\n\n`c`', ['span 3 c']],
    ['nothing of an escaped backtick', 'a \\`b\\` c', []],
    ['no span that would reach into another item', '- a ` b\n- `c`', ['span 2 c']],
    ['a link', '[a](docs/a.md)', ['link 1 docs/a.md']],
    ['a link with a title', '[a](docs/a.md "title")', ['link 1 docs/a.md']],
    ['a link in angle brackets', '[a](<docs/a b.md>)', ['link 1 docs/a b.md']],
    ['a link with parentheses', '[a](docs/(a).md)', ['link 1 docs/(a).md']],
    ['an image', '![a](a.png)', ['link 1 a.png']],
    ['an anchor', '[a](#b)', ['link 1 #b']],
    ['a reference definition', '[a]: docs/a.md "title"', ['link 1 docs/a.md']],
    ['a definition in angle brackets', '[a]: <docs/a b.md>', ['link 1 docs/a b.md']],
    ['no footnote', '[^1]: docs/a.md', []],
    ['no link with a scheme', '[a](https://example.org/a.md) [b](mailto:a@b.c) [c](mdc:https:/x.org)', []],
    ['no link to another host', '[a](//example.org/a.md)', []],
    ["an editor's link into the tree", '[a](mdc:src/a.ts)', ['link 1 mdc:src/a.ts']],
    ['no definition with a scheme', '[a]: https://example.org', []],
    ['a span in the text of a link', '[`a.ts`](src/a.ts)', ['span 1 a.ts', 'link 1 src/a.ts']],
    ['no span in the text of a link to elsewhere', '`a` [`b/c.ts`](https://example.org) `d`', ['span 1 a', 'span 1 d']],
    ['no link in a code span', '`[a](b.md)`', ['span 1 [a](b.md)']],
    ['an import', 'see @docs/a.md.', ['import 1 docs/a.md']],
    ['an import with a space', '@docs/a\\ b.md', ['import 1 docs/a b.md']],
    ['no import within a word', 'me@example.md', []],
    ['nothing in code', '```ts\nimport `a/b.ts` [a](b.md) @c.md\n```', []],
    ['nothing in a code fence of a list', '- a\n  ```ts\n  `a/b.ts`\n  ```\n- `c`', ['span 5 c']],
    ['nothing in a code fence of a quote', '> ```\n> `a`\n> ```\n> `b`', ['span 4 b']],
    ['nothing in a fence of tildes', '~~~\n```\n`a`\n~~~\n`b`', ['span 5 b']],
    ['nothing in a fence that is not closed', '```\n`a`', []],
    ['what follows a longer fence', '````\n```\n````\n`a`', ['span 4 a']],
    ['nothing in a comment', '`a` <!-- `b`\n\n`c` --> `d`', ['span 1 a', 'span 3 d']],
    ['nothing in any of several comments', '<!-- `a` --> `b` <!-- `c` --> `d`', ['span 1 b', 'span 1 d']],
    ['all after a comment that is not closed', '<!-- `a`\n\n`b`', ['span 1 a', 'span 3 b']],
    ['all after a comment that is code', '`<!--` `a`\n\n`b` -->', ['span 1 <!--', 'span 1 a', 'span 3 b']],
    ['no fence that is a comment', '<!--\n```\n-->\n`a`', ['span 4 a']],
    ['nothing in front matter', '---\nglobs: `a`\n---\n`b`', ['span 4 b']],
    ['lines that end in CRLF', 'a\r\n\r\n`b`\r\n', ['span 3 b']],
    ['commands', '```sh\n# first\nnpm test\n\nmake x\n```', ['command 3 npm test', 'command 5 make x']],
    ['commands with a prompt', '```bash\n$ npm test\nok\n```', ['command 2 npm test']],
    ['commands of a session', '```console\n$ npm test\nmake x\n```', ['command 2 npm test']],
    ['commands without a language', '```\n$ npm test\nmake x\n```', ['command 2 npm test']],
    ['no commands without a prompt or a language', '```\nnpm test\n```', []],
    ['no commands in another language', '```yaml\n$ npm test\n```', []],
    ['a command over two lines', '```sh\nnpm run \\\n  x\nmake y\n```', ['command 2 npm run  x', 'command 4 make y']],
    [
      'nothing in a here document',
      '```sh\ncat > a <<EOF\nmake x\nEOF\nmake y\n```',
      ['command 2 cat > a <<EOF', 'command 5 make y'],
    ],
    ['the language before a comma', '```sh,ignore\nmake x\n```', ['command 2 make x']],
  ])('are %s', (_, text, expected) => {
    expect(cites(text)).toEqual(expected)
  })

  it('say what stands before them, and around them', () => {
    expect(referencesIn('a\n\nsee `b`, c')).toMatchObject([{ before: 'see `', wholeLine: 'see `b`, c' }])
  })

  it('are at most 5000', () => {
    expect(referencesIn('`a/b.ts` '.repeat(6000))).toHaveLength(5000)
  })

  it('stand on the line that they say, whatever the text', () => {
    const piece = fc.constantFrom(...'`|``|```|\n|\r\n|<!--|-->|[|](|)|a/b.md| |# |- |> |@|$ |\\|~~~|---'.split('|'))
    forAll(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('')
      const lines = text.split(/\r\n?|\n/)
      for (const { line, cited, wholeLine } of referencesIn(text)) {
        expect(wholeLine.trimEnd()).toBe((lines[line - 1] ?? '').trimEnd())
        expect(text).toContain(cited.split(/\s/)[0])
      }
    })
  })
})
