import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCode } from '../../src/code/definitions.ts'

/** `kind name first-last`, with what it is in; lines from 1. */
function defined(path: string, text: string): string[] {
  const { definitions } = parseCode(path, text)
  return definitions.map(({ kind, name, start, end, parent }) => {
    const within = definitions[parent]?.name
    return `${kind} ${within === undefined ? '' : `${within}.`}${name} ${start + 1}-${end}`
  })
}

const CASES: readonly (readonly [path: string, text: string, expected: readonly string[]])[] = [
  [
    'a.ts',
    `/** Adds. */
export async function add(a: number, {
  b,
}: Options): Promise<number> {
  if (a) {
    return 1
  }
  return a + b
}
export const LIMIT = 5
@Injectable()
export class Store<T> extends Base {
  async get(id: string): Promise<T> {
    return this.items.get(id)
  }

  static #make = () => {
    return 1
  }
}
const handler = async (event) => {
  return event
}
module.exports = {
  one() {
    return 1
  },
}
`,
    [
      'function add 1-9',
      'constant LIMIT 10-10',
      'class Store 11-20',
      'method Store.get 13-15',
      'method Store.make 17-19',
      'function handler 21-23',
      'object  24-28',
      'method .one 25-27',
    ],
  ],
  [
    'a.py',
    `@decorator(
    "x",
)
class Foo(Bar):
    """Doc

def not_a_function
    """

    @property
    def name(self) -> str:
        return "a"

    async def go(
        self,
    ):
        return b

def top(a):
    def inner():
        pass
`,
    ['class Foo 1-17', 'method Foo.name 10-12', 'method Foo.go 14-17', 'function top 19-21'],
  ],
  [
    'a.go',
    'type store struct {\n\ta int\n}\n\n// New makes.\nfunc New() *store {\n\tx := `raw\ntext at the left\n`\n\treturn x\n}\n\nfunc (s *store) Get(key string) string {\n\treturn key\n}\n',
    ['type store 1-3', 'function New 5-11', 'method Get 13-15'],
  ],
  [
    'a.rs',
    `impl<S> fmt::Debug for Router<S>
where
    S: Clone,
{
    /// New.
    pub(crate) async fn route<T>(self) -> Self
    where
        T: Send,
    {
        self
    }
}
macro_rules! make {
    () => {};
}
`,
    ['class Router 1-12', 'method Router.route 5-11', 'macro make 13-15'],
  ],
  [
    'A.java',
    `/**
 * Doc.
 */
@Component
public final class Parser extends Base {
  private final int x = foo(5);

  public Parser(int x) {
    this.x = x;
  }

  @Override
  public <T> List<T> parse(String text, int n) throws IOException {
    for (int i = 0; i < n; i++) {
      foo(i);
    }
    return null;
  }
}
`,
    ['class Parser 1-19', 'method Parser.Parser 8-10', 'method Parser.parse 12-18'],
  ],
  [
    'a.c',
    `#ifndef A_H_
#define A_H_
#define MAX 5

/* Doc */
static int
parse_line(char *line, int n)
{
#ifdef FOO
    i = 1;
#endif
out:
    return i;
}

void *makeNode(int x) {
    return NULL;
}

int declared(int x);
`,
    ['macro MAX 3-3', 'function parse_line 5-14', 'function makeNode 16-18'],
  ],
  [
    'a.cpp',
    'template <typename T>\nclass Widget : public Base {\n public:\n  int size() const {\n    return x_;\n  }\n};\n\nint Widget::area(int a) const {\n  return a;\n}\n',
    ['class Widget 1-7', 'method Widget.size 4-6', 'method area 9-11'],
  ],
  [
    'a.cs',
    'namespace Acme\n{\n    public class Order\n    {\n        [Fact]\n        public async Task<int> SaveAsync(string name)\n        {\n            return 1;\n        }\n    }\n}\n',
    ['namespace Acme 1-11', 'class Acme.Order 3-10', 'method Order.SaveAsync 5-9'],
  ],
  [
    'a.kt',
    'object Registry {\n    private suspend fun <T> List<T>.second(): T = this[1]\n}\n\nfun String.shout() = uppercase()\n',
    ['class Registry 1-3', 'method Registry.second 2-2', 'function shout 5-5'],
  ],
  [
    'a.rb',
    'module Jekyll\n  class Site < Base\n    def read(path)\n      x\n    rescue Foo\n      y\n    end\n\n    def self.make = new\n  end\nend\n',
    ['module Jekyll 1-11', 'class Jekyll.Site 2-10', 'method Site.read 3-7', 'method Site.make 9-9'],
  ],
  [
    'a.php',
    '<?php\nfinal class Installer\n{\n    /** Doc */\n    public function run(array $a): int\n    {\n        return 1;\n    }\n}\n',
    ['class Installer 2-9', 'method Installer.run 4-8'],
  ],
  [
    'a.swift',
    'public struct Request {\n    init(url: URL) {\n        self.url = url\n    }\n    func send() async throws -> Data {\n        return Data()\n    }\n}\n',
    ['class Request 1-8', 'method Request.init 2-4', 'method Request.send 5-7'],
  ],
  [
    'a.scala',
    'object Main extends App {\n  def run[T](x: Int): Unit = {\n    println(x)\n  }\n}\ntrait Shape {\n  def area: Double\n}\n',
    ['class Main 1-5', 'method Main.run 2-4', 'interface Shape 6-8', 'method Shape.area 7-7'],
  ],
  ['a.sh', '# Doc\nbuild_all() {\n  echo hi\n}\n\nbuild_all\n', ['function build_all 1-4']],
  [
    'a.sql',
    'CREATE TABLE users (\n  id int\n);\n\nCREATE OR REPLACE FUNCTION total(x int) AS $$\nBEGIN\n  RETURN x;\nEND;\n$$;\n',
    ['table users 1-3', 'table total 5-9'],
  ],
  [
    'a.vue',
    '<template>\n  <div/>\n</template>\n\n<script setup>\nfunction go() {\n  a++\n}\n</script>\n',
    ['function go 6-8'],
  ],
  [
    'a.svelte',
    '<script lang="ts">\n  export let name: string\n  function greet(who: string) {\n    return who\n  }\n</script>\n\n<p on:click={() => greet(name)}>{name}</p>\n',
    ['function greet 3-5'],
  ],
  [
    'a.jsx',
    'export function Button({ label }) {\n  return <button>{label}</button>\n}\n\nexport const Link = ({ to }) => {\n  return <a href={to} />\n}\n',
    ['function Button 1-3', 'function Link 5-7'],
  ],
  ['a.tsx', 'export const App: FC<Props> = ({ a }) => (\n  <main>{a}</main>\n)\n', ['function App 1-3']],
  ['a.md', '# One\n\n```sh\n# no heading\n```\n\n## Two\n\ntext\n', ['section One 1-6', 'section Two 7-9']],
]

describe('the definitions of a file', () => {
  it.each(CASES)('are found in %s', (path, text, expected) => {
    expect(defined(path, text)).toEqual(expected)
  })
})

describe('the units of a file', () => {
  const line = fc.constantFrom(
    ...'|  |}|{|end|def a|class A {|  f() {|  }|x = 1|# Title|/* c|*/|"""|@a'.split('|'),
    ...['func b() {', '    return', 'struct a;', '// c', 'fn c() {', 'public void d() {', '  const e = () => {', '});'],
  )
  const paths = fc.constantFrom(...'a.ts a.py a.c a.rb a.rs a.java a.cs a.md a.json a.sql a.lua'.split(' '))

  it('tile it: every line is in exactly one of them, in order', () => {
    const texts = fc.array(line, { maxLength: 400 }).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(paths, texts, (path, text) => {
        const { lines, units } = parseCode(path, text)
        const covered = units.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at))
        expect(covered).toEqual(lines.map((_, at) => at))
      }),
    )
  })

  it('are a function whole up to 160 lines, and parts of a longer one', () => {
    const body = (lines: number) => `function long() {\n${'  work()\n'.repeat(lines - 2)}}\n`
    const sizes = (lines: number) => parseCode('a.ts', body(lines)).units.map(({ start, end }) => end - start)
    expect(sizes(160)).toEqual([160])
    expect(sizes(300)).toEqual([120, 180 - 60, 60])
  })

  it.each([
    [59, 60],
    [50, 51],
    [43, 44],
    [41, 60],
  ])('are parts of lines without definitions: a blank line %i ends the first at %i', (blank, end) => {
    const lines = Array.from({ length: 130 }, (_, at) => (at === blank ? '' : 'work()'))
    const starts = parseCode('a.ts', lines.join('\n')).units.map(({ start }) => start)
    expect(starts.slice(0, 2)).toEqual([0, end])
  })

  it('have the name of what they are in', () => {
    const { units } = parseCode('a.ts', 'class A {\n  b() {\n    return 1\n  }\n}\n')
    expect(units.map(({ names, parent }) => [names, parent])).toEqual([
      [['A'], undefined],
      [['b'], 'A'],
    ])
  })
})
