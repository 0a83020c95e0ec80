import { relative } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readCommandLines } from '../../../src/context/reach/shell/shell-reader.ts'
import { patchPaths } from '../../../src/text/patch-paths.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { SOON } from '../../support/soon.ts'
import { tree } from '../../support/tree.ts'

const NAMES = 'a/x.ts|a/y.ts|b/x.ts|b/c/z.ts|a b/x.ts|home/n.md|x=y'.split('|')
const planted = tree(Object.fromEntries(NAMES.map((name) => [name, ''])))
const [root, home] = [planted.base, planted.at('home')]
afterAll(() => planted[Symbol.dispose]())

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
  it('are all that wildcards of every depth match', async () => {
    expect(await pathsOf('ls **')).toEqual(expect.arrayContaining(['a', 'a/x.ts', 'b/c/z.ts']))
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
    ['numbers in braces', `{${'{1..9999},'.repeat(90)}x} `.repeat(140)],
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
