import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCommandLines } from '../../../src/context/reach/shell/shell-reader.ts'
import { patchPaths } from '../../../src/text/patch-paths.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { SOON } from '../../support/soon.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-shell-')))
const home = join(root, 'home')

beforeAll(() => {
  for (const name of (
    'a/x.ts | a/y.ts | b/x.ts | b/c/z.ts | a b/x.ts | home/n.md | .hidden/x.ts | x=y | lib/a.c | c1/y.c | ' + 'c2/y.c'
  ).split(' | ')) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), '')
  }
})

afterAll(() => rmSync(root, { recursive: true }))

const variables: Readonly<Record<string, string>> = { PKG: 'b', ABS: `${root}/a` }

async function pathsOf(
  line: string | readonly string[],
  at: { home: string | undefined } = { home },
): Promise<string[]> {
  const { paths } = await readCommandLines([line].flat(), {
    cwd: root,
    root,
    ...at,
    variable: (name) => variables[name],
  })
  return paths.map((path) => relative(root, path) || '.')
}

describe('the paths of a command line', () => {
  it.each<[string, string[]]>([
    ['cat a/x.ts', ['a/x.ts']],
    ['cat "a b/x.ts" a\\ b', ['a b/x.ts', 'a b']],
    ['cd a && cat x.ts', ['a', 'a/x.ts']],
    ['cd a; cd ../b; cat x.ts', ['a', 'b', 'b/x.ts']],
    ['(cd a && ls) ; cat x.ts b/x.ts', ['a', 'b/x.ts']],
    ['cd a | cat x.ts', ['a']],
    ['pushd b >/dev/null && cat c/z.ts', ['../../dev/null', 'b', 'b/c/z.ts']],
    ["bash -lc 'cat a/x.ts'", ['a/x.ts']],
    ["timeout 5 sh -c 'cd b && cat c/z.ts'", ['b', 'b/c/z.ts']],
    [`bash -c "bash -c 'cat a/x.ts'"`, ['a/x.ts']],
    ["eval 'cat a/x.ts'", ['a/x.ts']],
    ['bash <<EOF\ncat a/x.ts\nEOF', ['a/x.ts']],
    ['cat <<EOF\na/x.ts\nEOF', []],
    ["cat <<-'END' > a/new.ts\n\tb/x.ts\n\tEND\nls b", ['a/new.ts', 'b']],
    ['cat <<EOF\n$(cat a/x.ts)\nEOF', ['a/x.ts']],
    ['cat {a,b}/x.ts', ['a/x.ts', 'b/x.ts']],
    ['cat c{1..2}/y.c', ['c1/y.c', 'c2/y.c']],
    ['cat c{2..1}/y.c a/$((1+1)).ts', ['c2/y.c', 'c1/y.c', 'a']],
    ['cat "$\x7b!PKG}/x.ts" $\x7bPKG[1]}/x.ts $\x7bPKG%b}/x.ts $\x7bPKG:-a}/x.ts', ['b/x.ts']],
    ['D[0]=b; D+=b; cat $D/x.ts; D=(a b); cat $D/x.ts', []],
    ['cd && cat n.md', ['home/n.md']],
    ['cat $(ls; pwd)/a/x.ts $("$X")/a/x.ts > $UNKNOWN/y > none/x.ts', []],
    ['ls **', expect.arrayContaining(['a', 'a/x.ts', 'b/c/z.ts'])],
    ['[[ -f a/x.ts ]] && case a/y.ts in *) cat b/x.ts ;; esac', ['a/x.ts', 'a/y.ts', 'b/x.ts']],
    ['case q in $(cat a/x.ts)) cat b/x.ts ;; esac', ['a/x.ts', 'b/x.ts']],
    ['cat b/{x,c/{z,w}}.ts', ['b/x.ts', 'b/c/z.ts', 'b/c/w.ts']],
    ['ls */x.ts', ['a/x.ts', 'a b/x.ts', 'b/x.ts']],
    ['ls b/**/*.ts', ['b/x.ts', 'b/c/z.ts']],
    ['ls a/*.none', ['a']],
    ["find . -name '*.ts'", ['.']],
    ['rg --glob=*.ts foo a', ['a']],
    ['cat "$PWD/a/x.ts" $HOME/n.md ~/n.md "~/n.md"', ['a/x.ts', 'home/n.md']],
    ['cat "$PKG/x.ts" $ABS/y.ts', ['b/x.ts', 'a/y.ts']],
    ['D=b; cat $D/c/z.ts "$\x7bD}/x.ts" $\x7bE:-a}/x.ts', ['b/c/z.ts', 'b/x.ts', 'a/x.ts']],
    ['export D=b && cat $D/x.ts', ['b/x.ts']],
    ['D=$(mktemp); cat $D/a/x.ts', []],
    ['cat $UNKNOWN/a/x.ts `ls`', []],
    ['cat b/$UNKNOWN/z.ts', ['b']],
    ['for f in a/x.ts b/x.ts; do cat "$f"; done', ['a/x.ts', 'b/x.ts']],
    ['for d in a b; do (cd $d && cat x.ts); done', ['a', 'a/x.ts', 'b', 'b/x.ts']],
    ['for f in a/*.ts; do sed -n 1,5p $f; done', ['a/x.ts', 'a/y.ts']],
    ['for f in $(ls b); do cat a/$f; done', ['b', 'a']],
    ['if [ -f a/x.ts ]; then cat b/x.ts; fi', ['a/x.ts', 'b/x.ts']],
    ['while read f; do cat $f; done < a/x.ts', ['a/x.ts']],
    ['cat $(git rev-parse --show-toplevel)/a/x.ts $(pwd)/b/x.ts', ['a/x.ts', 'b/x.ts']],
    ['diff <(cat a/x.ts) b/x.ts', ['a/x.ts', 'b/x.ts']],
    ['git show HEAD:a/x.ts; code a/y.ts:12', ['a/x.ts', 'a/y.ts']],
    ['make DIR=b/c x=y', ['b/c', 'x=y']],
    ['echo x>a/out.txt', ['a/out.txt']],
    ['cat x.ts none/x.ts a/none.ts', ['a/none.ts']],
    ['cd $UNKNOWN && cat a/x.ts *.ts', []],
    ['curl https://a/x.ts', []],
    ['', []],
    ['cat "a/x.ts', ['a/x.ts']],
    ["apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a/x.ts\n*** Move to: b/y.ts\nEOF", ['a/x.ts', 'b/y.ts']],
  ])('%j', async (line, paths) => {
    expect(await pathsOf(line)).toEqual(paths)
  })

  it('are none of a home directory that is not known', async () => {
    expect(await pathsOf('cat ~/n.md $HOME/n.md; cd && cat a/x.ts', { home: undefined })).toEqual([])
  })

  it('hold every word that is quoted for a shell', async () => {
    const word = fc.constantFrom('a/x.ts', 'a b/x.ts', 'x=y', 'b/c/z.ts')
    await forAllAsync(fc.uniqueArray(word, { minLength: 1 }), async (words) => {
      expect(await pathsOf(`ls ${words.map((text) => `'${text}'`).join(' ')}`)).toEqual(words)
    })
  })

  it('are found beside parts that are nested too deeply', async () => {
    for (const deep of ['"$(a "'.repeat(250), `ls ${'<(ls '.repeat(250)}${')'.repeat(250)}`]) {
      expect(await pathsOf(['cat a/x.ts', deep])).toContain('a/x.ts')
    }
  })

  it.each<[string, string | readonly string[]]>([
    ['quotes', `'"`.repeat(60_000)],
    ['operators', ';|&'.repeat(60_000)],
    ['here-documents', '<<A\n'.repeat(60_000)],
    ['heads of patches', '*** Add File: \n'.repeat(20_000)],
    ['wildcards', '*?[{'.repeat(60_000)],
    ['braces', '{a,b}'.repeat(25_000)],
    ['braces in braces', '{a,'.repeat(30_000) + '}'.repeat(30_000)],
    ['loops in loops', 'for x in {1..60}; do '.repeat(40)],
    ['substitutions', '$('.repeat(50_000)],
    ['words', 'a/x.ts '.repeat(18_000)],
    ['words in loops', `for x in ${'x '.repeat(1000)}; do cat ${'a/x.ts '.repeat(9000)}; done`],
    ['scripts in scripts', 'eval '.repeat(20_000)],
    [
      'lines',
      Array.from({ length: 40 }, () => 'v=x;'.repeat(9000).replace(/v/g, (_, at) => `v${at}`) + 'b x;'.repeat(8000)),
    ],
  ])('take no time for many %s', async (_, line) => {
    const start = performance.now()
    await pathsOf(line)
    expect(performance.now() - start).toBeLessThan(SOON)
  })
})

it('the paths of a patch are those of its heads', () => {
  expect(patchPaths('--- a/x.ts\n+++ b/x.ts\n--- /dev/null\n+++ b/new.ts\t2026')).toEqual(['x.ts', 'new.ts'])
})
