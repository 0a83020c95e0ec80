import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Drift, findDrift } from '../../src/drift/drift.ts'
import { fc, forAllAsync } from '../support/property.ts'
import { SECRET_LINE } from '../support/tree.ts'
import { driftIn, type Planted, plant } from './fixtures.ts'

let tree: Planted

beforeAll(() => {
  tree = plant({
    'package.json': JSON.stringify({ scripts: { test: 'x', lint: 'x' }, dependencies: { vitest: '1' } }),
    'README.md': '# Project\n\n## Set up\n\n## Set up\n\nUse it\n======\n',
    'src/core/flow.ts': '',
    'src/index.ts': '',
    'docs/guide.md': '# Guide\n\n## First steps\n',
    'docs/site/page.md': '',
    'docs/a b.md': '',
    'scripts/build.sh': '',
    'packages/api/package.json': JSON.stringify({ scripts: { migrate: 'x' } }),
    'packages/api/src/server.ts': '',
    'packages/api/AGENTS.md': '',
    'tools/': '',
    'client/': '',
    '.github/workflows/ci.yml': '',
    '.gitignore': `${SECRET_LINE}generated/\n*.log\n/site.json\n`,
    'node_modules/lodash/': '',
    '.context/ignore': 'marked.ts\nmarks/\n',
    'tsconfig.json':
      '{ // of the compiler\n "compilerOptions": { "paths": { "app/*": ["./src/*"], "single": ["./a"] } } }',
    Makefile: 'all: build\n\nbuild check:\n\ttrue\n\n%.pdf: %.md\n\ttrue\n',
  })
})
afterAll(() => tree[Symbol.dispose]())

/** What of a text is found to be gone, as cited; not what the text itself does not take to be there. */
async function gone(text: string, name?: string): Promise<string[]> {
  return dead(await driftIn(tree, text, name === undefined ? {} : { name }))
}

function dead(drift: readonly Drift[]): string[] {
  return drift.flatMap(({ state, cited }) => (state === 'dead' ? [cited] : []))
}

describe('a path that is gone', () => {
  it('is told with its line, once a line, in the order of lines and names', async () => {
    const text = '`src/b.ts`\n`src/b.ts` `src/a.ts` [x](src/a.ts)\n'
    const found = (line: number, cited: string) => ({
      ...{ path: join(tree.root, 'AGENTS.md'), line, kind: 'path', state: 'dead', cited },
      message: `${cited} does not exist.`,
    })
    expect(await driftIn(tree, text)).toEqual([found(1, 'src/b.ts'), found(2, 'src/a.ts'), found(2, 'src/b.ts')])
  })
})

describe('a command that is gone', () => {
  it.each(
    (
      'npm test | npm run lint -- src/gone.ts | npm install && npm ci && npm run | npm run migrate | ' +
      'npm run gone --workspace=web | npm --prefix web run gone | npm run <script> | npm run lint:* | ' +
      'npm run script | pnpm --filter web run gone | pnpm vitest | yarn add gone | yarn vitest | bun test | ' +
      'bunx gone | npx gone run gone | make | make all | make build check | make book.pdf | ' +
      'make -C docs gone | make VERBOSE=1 | make <target> | ./scripts/build.sh | ' +
      'scripts/build.sh > src/gone.txt | node --eval "a/b.js" | node index.js | python -m http.server | ' +
      'cd web && npm run gone | cd packages/api && npm run migrate && cd ../.. && npm run gone | ' +
      'git clone https://example.org/a && cd a && npm run gone | ' +
      'curl -O https://example.org/install.sh && ./install.sh | echo "npm run gone" | # npm run gone | ' +
      'docker run -v "$PWD:/src" image npm run gone'
    ).split(' | '),
  )('is not %s', async (command) => {
    expect(await gone(`\`\`\`sh\n${command}\n\`\`\`\n\`${command}\``)).toEqual([])
  })

  it('is one of a manifest whose scripts are a text or a list', async () => {
    for (const scripts of ['x', ['x']]) {
      using odd = plant({ 'package.json': JSON.stringify({ scripts }), 'AGENTS.md': '' })
      expect(await driftIn(odd, '`npm run 0`')).toMatchObject([{ kind: 'command', cited: 'npm run 0' }])
    }
  })

  it('is looked for where the shell went, to the end of the fence', async () => {
    expect(await gone('```sh\ncd nowhere\nnpm run gone\n```\n```sh\nnpm run lost\n```')).toEqual(['npm run lost'])
    expect(await gone('```sh\ncd packages/api\nnpm run migrate\ncd ..\nnpm run lost\n```')).toEqual(['npm run lost'])
  })
})

describe('finding drift', () => {
  it('passes over files outside the root', async () => {
    const path = join(tree.root, '..', 'AGENTS.md')
    const files = [{ path, text: '`srv/a.go`' }]
    expect(await findDrift({ root: tree.root, files })).toEqual({ drift: [], unfinished: [] })
  })

  it('keeps the order of the files', async () => {
    const files = ['b.md', 'a.md'].map((name) => ({ path: join(tree.root, name), text: '`src/a.ts`' }))
    const { drift } = await findDrift({ root: tree.root, files })
    expect(drift.map(({ path }) => path)).toEqual(files.map(({ path }) => path))
  })

  it('looks three levels below the root at the start of an agent, and to the end in a check', async () => {
    using tree = plant({ 'd/x.md': '', 'e/x.md': '', 'a/b/c/d/near.md': '', 'a/b/c/d/e/far.md': '' })
    const missing = async (history: boolean) =>
      (await driftIn(tree, 'see `d/near.md` and `e/far.md`', { history })).map(({ cited }) => cited)
    expect([await missing(false), await missing(true)]).toEqual([['e/far.md'], []])
  })

  it('stops when it is told to', async () => {
    const signal = AbortSignal.abort()
    const files = [{ path: join(tree.root, 'a.md'), text: '' }]
    await expect(findDrift({ root: tree.root, files, signal })).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('tells of names with control characters without printing them', async () => {
    const [drift] = await driftIn(tree, '[a](docs/\u0007gone.md)')
    expect(drift?.message).toBe('docs/\\u{7}gone.md does not exist.')
  })

  it('does not look into what links lead to outside the root', async () => {
    const text = '`../../../../../../../../etc/hosts.txt` [a](../../../../../../etc/gone.md)'
    expect(await gone(text)).toEqual([])
  })

  it('never fails, whatever the text', async () => {
    const piece = fc.constantFrom(
      ...'`src/index.ts`|[a](docs/guide.md)|`npm test`|\n| |- |```sh\n|```\n|<!--|-->|word|# |`|@'.split('|'),
    )
    await forAllAsync(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const drift = await driftIn(tree, pieces.join(''))
      for (const { line } of drift) expect(line).toBeGreaterThan(0)
    })
  })
})
