import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandPaths, patchPaths } from '../../src/text/command-paths.ts'
import { SOON } from '../support/soon.ts'

describe('the paths of a command line', () => {
  it.each([
    ['cat a/b.ts', ['cat', 'a/b.ts']],
    ['cat "a b/c.ts"', ['cat', 'a b/c.ts']],
    [`cat 'a"b' a\\ b`, ['cat', 'a"b', 'a b']],
    ['cd a && cat b/c.ts', ['cd', 'a', 'a/cat', 'a/b/c.ts']],
    ['cd a; cd /b; cat c', ['cd', 'a', 'a/cd', '/b', '/b/cat', '/b/c']],
    ['(cd a && ls)', ['cd', 'a', 'a/ls']],
    ['grep -rn --include=x/y foo src|head', ['grep', 'x/y', 'foo', 'src', 'head']],
    ['ls src/*.ts src/**/x.ts *.md', ['ls', 'src']],
    ['echo x>out/a.txt', ['echo', 'x', 'out/a.txt']],
    ['cat $HOME/a `b` $C/d', ['cat']],
    ['curl https://a.b/c file:///d', ['curl']],
    ['cat <<EOF > a/b\nnot/a/path\nEOF\ncat c/d', ['cat', 'EOF', 'a/b', 'c/d']],
    ["cat <<-'END'\n  x/y\n  END\nls z", ['cat', 'ls', 'z']],
    ['', []],
    ['cat "unfinished', ['cat', 'unfinished']],
  ])('%j', (command, paths) => {
    expect(commandPaths(command)).toEqual(paths)
  })

  it('are those that a patch in it names', () => {
    const patch = `apply_patch <<'EOF'
*** Begin Patch
*** Update File: a/b.ts
*** Move to: a/c.ts
@@
-x/y
*** Delete File: d.ts
*** End Patch
EOF`
    expect(commandPaths(patch)).toEqual(['apply_patch', 'EOF', 'a/b.ts', 'a/c.ts', 'd.ts'])
    expect(patchPaths('--- a/x.ts\n+++ b/x.ts\n--- /dev/null\n+++ b/new.ts\t2026')).toEqual(['x.ts', 'new.ts'])
  })

  it('hold every plain word that is quoted for a shell', () => {
    const word = fc
      .stringMatching(/^[a-z0-9_./ "]{1,12}$/)
      .filter((text) => /[a-z0-9]/.test(text) && !text.includes('//'))
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
        const line = words.map((text) => `'${text}'`).join(' ')
        fc.pre(words[0] !== 'cd')
        expect(commandPaths(`ls ${line}`)).toEqual([...new Set(['ls', ...words])])
      }),
    )
  })

  it.each([
    ['quotes', `'"`.repeat(60_000)],
    ['operators', ';|&'.repeat(60_000)],
    ['here-documents', '<<A\n'.repeat(60_000)],
    ['heads of patches', '*** Add File: \n'.repeat(20_000)],
    ['wildcards', '*?[{'.repeat(60_000)],
  ])('take no time for many %s', (_, line) => {
    const start = performance.now()
    commandPaths(line)
    expect(performance.now() - start).toBeLessThan(SOON)
  })
})
