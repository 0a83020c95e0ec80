import fc from 'fast-check'

const PARTS = (
  '# Title\n¦## Section #tag\n¦### Item\n¦Setext\n===\n¦' +
  'Some prose. More of it! And `code. here` e.g. this? ¦一句话。另一句！¦- item\n¦- [ ] task #priority:high\n¦' +
  '  - [x] sub\n¦* [!] stuck\n¦1. one\n¦   **Key**: value\n¦**Key:** value #blocked\n¦> quote\n¦' +
  '> - in a quote\n¦```js\n# no heading\n¦```\n¦~~~~\n¦    indented\n¦  ```\n  nested\n¦<!-- comment\n¦' +
  '-->\n¦<div>\n¦| a | b |\n|---|---|\n¦| 1 | 2 |\n¦---\n¦---\ntitle: x\n¦...\n¦' +
  '[ref]: http://example.com\n¦[a][ref] ![b](c#d) <http://x/#y> http://x/#y\n¦\t- tab\n¦\n¦\r\n¦\r¦\n\n\n¦' +
  ' ¦\uFEFF¦\u2028¦\0¦\\¦\u{1f469}\u200d\u{1f4bb}¦\ud800'
).split('¦')

/** Markdown put together at random: every construct, in any order, with any line ends. */
export const markdownText = fc.array(fc.constantFrom(...PARTS), { maxLength: 25 }).map((parts) => parts.join(''))

/** Any string at all: Markdown, code points, lone surrogates, ASCII noise. */
export const anyText = fc.oneof(
  markdownText,
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('\n', '\r', ' ', '\t', '-', '*', '`', '>', '#', '|', ':', '[', ']', '.', 'a', '1'),
  }),
  fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
)

/** Inputs that make parsers slow or deep, of about so many megabytes each. */
export function pathologicalTexts(megabytes: number): readonly (readonly [name: string, text: string])[] {
  const times = (text: string, count: number) => text.repeat(count * megabytes)
  return [
    ['nested quotes', times('> ', 100_000)],
    ['nested quotes without spaces', `${times('>', 100_000)} a`],
    ['nested lists on a line', times('- ', 100_000)],
    ['nested numbered lists on a line', times('1. ', 100_000)],
    ['lists nested by indentation', Array.from({ length: 1000 }, (_, depth) => `${'  '.repeat(depth)}- a\n`).join('')],
    ['nested quotes with lazy lines', `${'> '.repeat(500)}${times('a\n', 100_000)}`],
    ['quotes and lists in turns with lazy lines', `${'> - '.repeat(500)}${times('a\n', 100_000)}`],
    ['quotes that get deeper', Array.from({ length: 300 }, (_, depth) => `${'>'.repeat(depth)} a\n`).join('')],
    ['an unclosed fence', `\`\`\`\n${times('a\n', 500_000)}`],
    ['an unclosed comment', `<!--\n${times('a\n', 500_000)}`],
    ['many unclosed comments', times('- <!--\n', 50_000)],
    ['many unclosed fences', times('- ```\n', 50_000)],
    ['a single line', times('x', 5_000_000)],
    ['a single line of words', times('lorem ipsum. ', 400_000)],
    ['a long list item', `- ${times('word #tag **b** ', 60_000)}`],
    ['a heading of spaces', `# a${times(' ', 1_000_000)}b`],
    ['a list item of spaces', `- [ ] a${times(' ', 1_000_000)}\n  b #c`],
    ['blank lines', times('\n', 1_000_000)],
    ['blank lines within', `a${times('\n', 500_000)}b${times(' \n', 250_000)}c`],
    ['open brackets', `- #a ${times('[', 100_000)}`],
    ['backticks of all lengths', `- #a ${Array.from({ length: 1000 }, (_, length) => '`'.repeat(length)).join(' ')}`],
    ['asterisks', `- #a ${times('*a **', 50_000)}`],
    ['full stops', times('.', 1_000_000)],
    ['tags without spaces', `- ${times('(#a', 200_000)}`],
    ['a wide table', `${times('|a', 50_000)}|\n${times('|-', 50_000)}|\n${times('|\n', 10_000)}`],
    ['reference definitions', times('[a]: b "\n', 50_000)],
  ]
}

/** The quick tier has a tenth of them; all of each is loaded by the long tests of test/reliability/formats.test.ts. */
export const PATHOLOGICAL = pathologicalTexts(0.1)
