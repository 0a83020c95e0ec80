import { describe, expect, it } from 'vitest'
import { parseCode } from '../../src/code/definitions.ts'

/** What each language writes before a name: a text, and all that it defines, as `kind name`. */
const CASES: Readonly<Record<string, readonly (readonly [text: string, ...defined: string[]])[]>> = {
  ts: [
    ['class A {\n  *#walk() {\n    yield 1\n  }\n}', 'class A', 'method walk'],
    ['class A {\n  async *#enter(path: string): Steps<void> {\n  }\n}', 'class A', 'method enter'],
    ['class A {\n  static async *[Symbol.asyncIterator]() {\n  }\n}', 'class A', 'method Symbol.asyncIterator'],
    ['class A {\n  async #load<T extends Foo<string>>(a: T): Promise<void> {\n  }\n}', 'class A', 'method load'],
    ['class A {\n  get #size(): number {\n  }\n}', 'class A', 'method size'],
    ["class A {\n  'quoted-name'() {\n  }\n}", 'class A', 'method quoted-name'],
    ['@Component({}) export class A {\n}', 'class A'],
    ['export default async function (a) {\n  return a\n}', 'function default'],
    ['export default class extends Base {\n  go() {\n  }\n}', 'class default', 'method go'],
    ['const Local = class extends Base {\n  go() {\n  }\n}', 'class Local', 'method go'],
    ['const typed: Record<string, () => void> = {\n  go() {\n  },\n}', 'object typed', 'method go'],
    ['const run: Handler<() => void> = async (a) => {\n}', 'function run'],
    ['declare global {\n  interface Window {\n  }\n}', 'interface Window'],
    ['Foo.prototype.bar = function (a) {\n}', 'function bar'],
  ],
  tsx: [
    ['export const Row = memo(function Row({ a }: Props) {\n  return <p />\n})', 'constant Row'],
    ['export const Field = forwardRef<HTMLElement, P>((p, ref) => {\n  return <p ref={ref} />\n})', 'constant Field'],
  ],
  vue: [
    ['<script>\nexport default defineComponent({\n  setup() {\n  },\n})\n</script>', 'object ', 'method setup'],
    [
      '<script>\nexport default {\n  methods: {\n    async load(id) {\n    },\n  },\n}\n</script>',
      'object ',
      'method load',
    ],
    ['<script setup>\nconst total = computed(() => {\n  return 1\n})\n</script>', 'constant total'],
  ],
  svelte: [['<script>\n  const load = async () => {\n  }\n</script>\n{#if a}\n{/if}', 'function load']],
  py: [
    ['type Alias = list[int]', 'type Alias'],
    ['cdef int fast(int a):\n    return a', 'function fast'],
    ['cpdef double both(double a) nogil:\n    return a', 'function both'],
    ['def generic[T](a: T) -> T:\n    return a', 'function generic'],
    ['@overload\ndef f(a: int) -> int: ...', 'function f'],
    ['try:\n    import x\nexcept ImportError:\n    def fallback():\n        pass', 'function fallback'],
    ["TEXT = '''\ndef no(a):\n'''", 'constant TEXT'],
  ],
  go: [
    ['type (\n\tFoo struct {\n\t\ta int\n\t}\n)', 'namespace ', 'type Foo'],
    ['type (\n\tBar interface {\n\t\tDo()\n\t}\n)', 'namespace ', 'interface Bar'],
    ['const (\n\tKindA Kind = iota\n\tLimit = 5\n)', 'namespace ', 'constant KindA', 'constant Limit'],
    ['func (l *List[T]) Push(v T) {\n}', 'method Push'],
    ['func Map[K comparable, V any](m map[K]V) []V {\n}', 'function Map'],
    ['type Handler func(a int) error', 'type Handler'],
  ],
  rs: [
    ['pub(in crate::a) const fn k() -> u8 { 1 }', 'function k'],
    ["impl<'a, T> Iterator for Iter<'a, T> {\n    fn next(&mut self) {\n    }\n}", 'class Iter', 'method next'],
    ['extern "C" {\n    fn c_fun(a: i32) -> i32;\n}', 'function c_fun'],
    ['#[cfg(test)]\nmod tests {\n    #[test]\n    fn works() {\n    }\n}', 'module tests', 'function works'],
    ['static mut COUNT: u32 = 0;', 'constant COUNT'],
  ],
  java: [
    ['public record Point(int x) {\n  public Point {\n    check(x);\n  }\n}', 'class Point', 'method Point'],
    ['interface A {\n  default void x() {}\n}', 'interface A', 'method x'],
    ['class A {\n  synchronized void put(int k) {\n  }\n}', 'class A', 'method put'],
    ['class A {\n  java.util.List<String> all() {\n  }\n}', 'class A', 'method all'],
    ['enum E {\n  A;\n  public Map<String, List<Integer>> all() {\n  }\n}', 'enum E', 'method all'],
    ['class A {\n  String t = """\n  void no() {\n  """;\n  void yes() {\n  }\n}', 'class A', 'method yes'],
    ['sealed interface Shape permits Circle {}', 'interface Shape'],
    ['@Entity @Table(name = "a") class A {}', 'class A'],
  ],
  kt: [
    ['class A(val n: String) {\n    init {\n    }\n}', 'class A', 'method init'],
    ['class A(val n: String) {\n    constructor() : this("") {\n    }\n}', 'class A', 'method constructor'],
    ['class A {\n    companion object {\n        fun of() = A()\n    }\n}', 'class A', 'class companion', 'method of'],
    ['fun interface Action {\n    fun run()\n}', 'interface Action', 'method run'],
    ['inline fun <reified T : Any> parse(text: String): T {\n}', 'function parse'],
    ['fun `a name with spaces`() {\n}', 'function a name with spaces'],
    ['@Composable fun Page() {\n}', 'function Page'],
  ],
  c: [
    ['typedef struct {\n    int a;\n} thing_t;', 'class thing_t'],
    ['typedef int (*callback)(void *);', 'type callback'],
    ['typedef unsigned long hash_t;', 'type hash_t'],
    ['enum color { RED, GREEN };', 'enum color'],
    ['static struct command table[] = {\n    {1, 2},\n};', 'constant table'],
    ['static void old_style(a, b)\n    int a;\n{\n    return;\n}', 'function old_style'],
    ['UV_EXTERN int uv_run(uv_loop_t* loop,\n                     uv_run_mode mode) {\n}', 'function uv_run'],
    ['int declared(int x);'],
  ],
  cpp: [
    ['template <class T> class Box {\n public:\n  T get() {\n  }\n};', 'class Box', 'method get'],
    ['template <typename T> void go(T a) {\n}', 'function go'],
    ['template <class T>\nFoo<T>::~Foo() {\n}', 'method ~Foo'],
    ['template <typename T> concept Small = sizeof(T) < 4;', 'type Small'],
    ['enum class Kind : uint8_t { A, B };', 'enum Kind'],
    ['auto compare = [](int a) {\n  return a;\n};', 'constant compare'],
    ['bool operator==(const A& a, const A& b) {\n}', 'function operator=='],
    ['[[nodiscard]] int attr(int a) {\n}', 'function attr'],
    ['namespace acme {\n  int inner(int a) {\n    int local(a);\n  }\n}', 'namespace acme', 'function inner'],
  ],
  cs: [
    [
      'class R {\n    Task<List<T>> Load<K>(K key)\n        where K : struct\n    {\n    }\n}',
      'class R',
      'method Load',
    ],
    ['class R {\n    public string? Name(int a) => null;\n}', 'class R', 'method Name'],
    ['[Serializable] public class R {\n}', 'class R'],
    ['class R {\n    public static R operator +(R a, R b) => a;\n}', 'class R', 'method +'],
    ['class R {\n    public T this[int i]\n    {\n    }\n}', 'class R', 'method this'],
    ['class R {\n    public int Total => 1;\n}', 'class R', 'constant Total'],
    ['class R {\n    public string Name { get; set; }\n}', 'class R', 'constant Name'],
    ['public delegate void Handler<T>(T a);', 'type Handler'],
    ['public record struct Pair(int X);', 'class Pair'],
  ],
  rb: [
    ['class A\n  def [](k)\n    k\n  end\n  def <=>(o)\n  end\nend', 'class A', 'method []', 'method <=>'],
    ['class A\n  define_method(:dyn) do |a|\n  end\nend', 'class A', 'method dyn'],
    ['Pair = Struct.new(:a) do\n  def x\n  end\nend', 'class Pair', 'method x'],
    ['task :build do\n  x\nend', 'function build'],
    ['class A\n  private def hidden\n  end\n  def short = 1\nend', 'class A', 'method hidden', 'method short'],
  ],
  php: [
    ["class A\n{\n    public const string Y = 'a';\n}", 'class A', 'constant Y'],
    ['class A\n{\n    public function &ref() {}\n}', 'class A', 'method ref'],
    ["define('LIMIT', 1);", 'constant LIMIT'],
    ["enum Suit: string {\n    case A = 'a';\n    public function label(): string {}\n}", 'enum Suit', 'method label'],
    ["class A {\n    #[Route('/a')]\n    public static function make(): static {}\n}", 'class A', 'method make'],
  ],
  swift: [
    ['class A {\n    class func make() -> A { A() }\n}', 'class A', 'method make'],
    ['struct A {\n    static func == (l: A, r: A) -> Bool { true }\n}', 'class A', 'method =='],
    ['extension Array where Element: Equatable {\n    func dedupe() {\n    }\n}', 'class Array', 'method dedupe'],
    ['actor Counter {\n    nonisolated func id() -> Int { 1 }\n}', 'class Counter', 'method id'],
    ['public macro make() = #externalMacro(module: "a", type: "b")', 'macro make'],
  ],
  scala: [
    ['package object tools {\n  type Alias = List[Int]\n}', 'class tools', 'type Alias'],
    ['enum Color:\n  case Red, Green', 'class Color'],
    ['object A {\n  private[this] def hidden: Int = 1\n}', 'class A', 'method hidden'],
    ['object A {\n  final def + (o: A): A = o\n}', 'class A', 'method +'],
    ['case object Empty extends Shape[Nothing]', 'class Empty'],
  ],
  sh: [
    ['deploy()\n{\n  echo z\n}', 'function deploy'],
    ['run() {\n  cat <<EOT\nnot() {\nEOT\n  echo\n}\nnext() {\n}', 'function run', 'function next'],
    ['function build {\n  echo a\n}', 'function build'],
    ['ns::run() {\n}', 'function ns::run'],
  ],
  sql: [
    ['CREATE FUNCTION total(x int) AS $$\nBEGIN\nCREATE TABLE inner_one (a int);\nEND;\n$$;', 'table total'],
    ['CREATE TABLE [dbo].[Orders] (a int);', 'table dbo.Orders'],
    ['CREATE OR ALTER PROCEDURE dbo.GetX AS BEGIN SELECT 1 END;', 'table dbo.GetX'],
    ['CREATE DEFINER=`root`@`%` PROCEDURE p2() BEGIN END;', 'table p2'],
    ['create virtual table docs using fts5(a);', 'table docs'],
  ],
}

describe('the definitions of each language', () => {
  const rows = Object.entries(CASES).flatMap(([extension, cases]) =>
    cases.map(([text, ...expected]) => ({ extension, text, expected })),
  )

  it.each(rows)('$extension: $text', ({ extension, text, expected }) => {
    const { definitions } = parseCode(`a.${extension}`, `${text}\n`)
    expect(definitions.map(({ kind, name }) => `${kind} ${name}`)).toEqual(expected)
  })
})
