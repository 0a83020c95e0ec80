import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Drift, findDrift } from '../../src/drift/drift.ts'
import { SECRET_LINE, type Shape } from '../support/tree.ts'
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
  it.each<[what: string, text: string, cited: string]>([
    ['a file in a directory that is there', 'see `src/core/gone.ts`', 'src/core/gone.ts'],
    ['a directory below one that is there', 'see `src/gone/`', 'src/gone/'],
    ['a directory without a slash, below one that is there', 'see `packages/web`', 'packages/web'],
    ['a path from here', 'see `./src/gone.ts`', './src/gone.ts'],
    ['a hidden one, in a directory that is there', 'see `.github/workflows/gone.yml`', '.github/workflows/gone.yml'],
    ['one with a line', 'see `src/gone.ts:12`', 'src/gone.ts:12'],
    ['one with a range of lines', 'see `src/gone.ts:12-20`', 'src/gone.ts:12-20'],
    ['one with an anchor to a line', 'see `src/gone.ts#L10`', 'src/gone.ts#L10'],
    ['one with a symbol', 'see `src/gone.ts:main()`', 'src/gone.ts:main()'],
    ['one in a list', '- `src/gone.ts`: the start', 'src/gone.ts'],
    ['one in a table', '| file |\n| --- |\n| `src/gone.ts` |', 'src/gone.ts'],
    ['one in a heading', '## `src/gone.ts`', 'src/gone.ts'],
    ['one in a quote', '> `src/gone.ts`', 'src/gone.ts'],
    ['one with letters of other scripts', 'see `src/größe.ts`', 'src/größe.ts'],
    ['a linked file', 'see [it](docs/gone.md)', 'docs/gone.md'],
    ['a linked file beside it', 'see [it](GONE.md)', 'GONE.md'],
    ['a linked file with an anchor', 'see [it](docs/gone.md#a)', 'docs/gone.md#a'],
    ['a linked image', '![it](docs/gone.png)', 'docs/gone.png'],
    ['a linked file whose name is encoded', '[it](docs/a%20c.md)', 'docs/a%20c.md'],
    ['a linked file from the root', '[it](/docs/gone.md)', '/docs/gone.md'],
    ['a linked directory', '[it](srv/)', 'srv/'],
    ['a defined link', '[it]: docs/gone.md', 'docs/gone.md'],
    ['an imported text', 'see @docs/gone.md', 'docs/gone.md'],
    ['an imported text beside it', 'see @GONE.md', 'GONE.md'],
    ['one that is called like a word that excuses', 'see [it](docs/removed.md)', 'docs/removed.md'],
    ['a place where something is added', 'Add new handlers to `src/handlers.ts`', 'src/handlers.ts'],
    ['a place where something is written', 'Write tests in `src/gone/`', 'src/gone/'],
  ])('is found: %s', async (_, text, cited) => {
    expect(await gone(text)).toEqual([cited])
  })

  it.each<[what: string, text: string]>([
    ['a file', '`src/index.ts`'],
    ['a file with a line', '`src/index.ts:3`'],
    ['a directory', '`src/core/` and `src/core`'],
    ['a part of a path, as seen from a directory further down', '`core/flow.ts`'],
    ['a path in a package, as seen from the package', '`src/server.ts`'],
    ['a linked file with a space', '[a](docs/a%20b.md) [b](<docs/a b.md>)'],
    ['a linked page without its extension', '[a](docs/guide) [b](/docs/guide)'],
    ['a linked file with a query', '[a](docs/guide.md?plain=1)'],
    ['a linked file from the root', '[a](/docs/guide.md)'],
    ['an imported text', '@docs/guide.md'],
    ['a library', '`Next.js`, `node.js`, `socket.io`, `vercel/next.js`'],
    ['a package', '`@scope/name`, `lodash/fp`, `lodash/fp.js`, `vitest/config.ts`, `node:fs`, `fs/promises`'],
    ['a host', '`example.com/a.html`, `github.com/owner/name.git`'],
    ['a url', '`https://example.org/a/b.ts`, <https://example.org/a.ts>'],
    ['a route', '`/api/users`, `/src/gone.ts`, `GET /src/gone.ts`'],
    ['a pattern', '`src/**/*.ts`, `src/gone/*.ts`, `src/[id].ts`, `src/{a,b}.ts`'],
    ['a placeholder', '`src/<name>.ts`, `src/$NAME.ts`, `src/.../a.ts`, `src/…/a.ts`, `src/NAME.ts`'],
    ['a made-up name', '`path/to/file.ts`, `src/foo.ts`, `foo/bar.ts`, `my-app/index.ts`, `your/file.md`, `a/b.ts`'],
    ['the name of a way to write names', 'folders in `snake_case/`, files like `kebab-case.ts`'],
    ['a date in a name', '`docs/YYYY-MM-DD-title.md`'],
    ['a MIME type', '`text/html`, `application/json`, `image/svg+xml`'],
    ['a branch', '`feature/login`, `origin/main`, `feature/`, `fix/`'],
    ['a fraction or a date', '`1/2`, `24/7`, `2024/01/02`, `10.0.0.0/8`'],
    ['words', '`and/or`, `TCP/IP`, `I/O`, `yes/no`, `input/output`'],
    ['a remote method', '`tools/list`, `tools/call`'],
    ['a name without a directory', '`flow.ts`, `gone.ts`, `README.rst`, `.env`, `main.rs`'],
    ['the home directory', '`~/src/gone.ts`, `$HOME/gone.ts`, @~/gone.md'],
    ['a choice of two', '`src/docs`, `client/tools`'],
    ['a hidden directory that is not here', '`.claude/settings.json`, `.config/tool/config.yaml`'],
    ['a path whose directory is not there', '`srv/api/handlers.go`, `fix/gone.ts`, `.circleci/config.yml`'],
    ['a file beside files of another kind only', '`src/gone.proto`'],
    ['an absolute path', '`/etc/hosts`, `C:\\a\\b.ts`'],
    ['a path out of the root', '`../other/src/a.ts`, [a](../../issues), [b](../gone.md)'],
    ['what git ignores', '`generated/api.ts`, `src/debug.log`, `site.json`, [a](generated/a.md)'],
    ['what tools make', '`dist/index.js`, `coverage/`, `node_modules/gone/a.js`, `.venv/bin/python`'],
    ['a personal file', '`src/settings.local.json`'],
    ['a file that a tool looks for', '`.github/copilot-instructions.md`'],
    ['a flag, an option, an assignment', '`--out=src/gone.ts`, `-I/src/gone`, `A=src/gone.ts`'],
    ['an expression', '`s/old/new/`, `a/b/c`, `x => x/2.js`, `foo().bar/baz`'],
    ['a call', '`src/gone.ts()`, `render(src/gone.ts)`'],
    ['code', '```ts\nimport a from "./src/gone.ts"\n```\n'],
    ['a comment', '<!-- `src/gone.ts` [a](gone.md) -->'],
    ['front matter', '---\nglobs: "`src/gone.ts`"\n---\n'],
    ['what is about another site', '[`src/gone.ts`](https://example.org/blob/src/gone.ts)'],
    ['what is an example', 'name it like `src/gone.ts`, e.g. `src/other.ts`, such as `src/more.ts`'],
    ['what is warned of', 'not `src/gone.ts`, never `src/lost.ts`'],
    ['what is struck out', 'see ~~`src/gone.ts`~~ `src/index.ts`'],
    ['an open task', '- [ ] write `src/gone.ts`'],
    ['a path alias', '[a](@/mocks/gone.ts) [b](~/gone.ts) `#/gone.ts`, `app/gone/a.ts`, `single`'],
    ['a folder that any project has', '`components/`, `hooks/`'],
    ['what a person marks', '`src/marked.ts`, `src/marks/a.ts`, [a](docs/marks/b.md)'],
    ['a task that is done', '- [x] mend `src/gone.ts`'],
    ['a link that is a word', '[a](url) [b](link) [c](...)'],
    ['a page of a site', '[a](/guide/start) [b](guide/start) [c](start.html)'],
    ['a mention', '@someone, @types/node, `@app.route`, a@b.md'],
  ])('is not %s', async (_, text) => {
    expect(await gone(text)).toEqual([])
  })

  it.each<[name: string, text: string, expected: string[]]>([
    ['packages/api/AGENTS.md', '`src/server.ts` `src/index.ts` `src/gone.ts` `../../docs/guide.md`', ['src/gone.ts']],
    ['packages/api/AGENTS.md', '`../gone/` `../../../a/`', ['../gone/']],
    ['.context/ARCHITECTURE.md', '`src/index.ts` `docs/guide.md` `src/gone.ts`', ['src/gone.ts']],
    ['.github/copilot-instructions.md', '`workflows/ci.yml` `src/index.ts` [a](../docs/gone.md)', ['../docs/gone.md']],
  ])('is looked for from the directory of %s up to the root', async (name, text, expected) => {
    expect(await gone(text, name)).toEqual(expected)
  })

  it('is told with its line, once a line, in the order of lines and names', async () => {
    const text = '`src/b.ts`\n`src/b.ts` `src/a.ts` [x](src/a.ts)\n'
    const found = (line: number, cited: string) => ({
      ...{ path: join(tree.root, 'AGENTS.md'), line, kind: 'path', state: 'dead', cited },
      message: `${cited} does not exist.`,
    })
    expect(await driftIn(tree, text)).toEqual([found(1, 'src/b.ts'), found(2, 'src/a.ts'), found(2, 'src/b.ts')])
  })
})

describe('an anchor that is gone', () => {
  it.each<[text: string, message: string]>([
    ['[a](docs/guide.md#second-steps)', 'docs/guide.md has no heading #second-steps.'],
    ['[a](README.md#set-up-2)', 'README.md has no heading #set-up-2.'],
    ['[a](#gone)', 'AGENTS.md has no heading #gone.'],
    ['[a](docs/guide#gone)', 'docs/guide.md has no heading #gone.'],
  ])('is found: %s', async (text, message) => {
    expect(await driftIn(tree, `# Here\n${text}`)).toMatchObject([{ kind: 'anchor', line: 2, message }])
  })

  it.each([
    '[a](docs/guide.md#first-steps) [b](README.md#set-up) [c](README.md#set-up-1) [d](README.md#use-it)',
    '[a](#here) [b](#Here) [c](#) [d](#top) [e](#user-content-here)',
    '[a](src/index.ts#L10) [b](docs/guide.md#L3-L5) [c](docs/#gone)',
    '`[a](#gone)` and `#gone`',
  ])('is none of %s', async (text) => {
    expect(await gone(`# Here\n${text}`)).toEqual([])
  })
})

describe('a command that is gone', () => {
  it.each<[text: string, message: string]>([
    ['`npm run gone`', 'npm run gone cannot run: package.json has no script "gone".'],
    ['`npm run -s gone -- --watch`', 'npm run gone cannot run: package.json has no script "gone".'],
    ['`npm start`', 'npm start cannot run: package.json has no script "start".'],
    ['`pnpm run gone`', 'pnpm run gone cannot run: package.json has no script "gone".'],
    ['`pnpm typecheck`', 'pnpm typecheck cannot run: package.json has no script "typecheck".'],
    ['`yarn test:unit`', 'yarn test:unit cannot run: package.json has no script "test:unit".'],
    ['`bun run gone`', 'bun run gone cannot run: package.json has no script "gone".'],
    ['`make gone`', 'make gone cannot run: Makefile has no target "gone".'],
    ['`make -j4 build gone`', 'make gone cannot run: Makefile has no target "gone".'],
    ['`./scripts/gone.sh --fix`', './scripts/gone.sh does not exist.'],
    ['`bash scripts/gone.sh`', 'scripts/gone.sh does not exist.'],
    ['`python3 tools/gone.py --all`', 'tools/gone.py does not exist.'],
    ['`NODE_ENV=test npm run gone`', 'npm run gone cannot run: package.json has no script "gone".'],
    ['`npm test && npm run gone`', 'npm run gone cannot run: package.json has no script "gone".'],
    ['`cd packages/api && npm run gone`', 'npm run gone cannot run: packages/api/package.json has no script "gone".'],
  ])('is found: %s', async (text, message) => {
    const fence = `\`\`\`sh\n${text.replaceAll('`', '')}\n\`\`\``
    expect(await driftIn(tree, text)).toMatchObject([{ kind: 'command', line: 1, message }])
    expect(await driftIn(tree, fence)).toMatchObject([{ kind: 'command', line: 2, message }])
  })

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

  it('is looked for where the shell went, to the end of the fence', async () => {
    expect(await gone('```sh\ncd nowhere\nnpm run gone\n```\n```sh\nnpm run lost\n```')).toEqual(['npm run lost'])
    expect(await gone('```sh\ncd packages/api\nnpm run migrate\ncd ..\nnpm run lost\n```')).toEqual(['npm run lost'])
  })

  it.each([
    'use pnpm, never `npm run gone`',
    "don't run `make gone`",
    'avoid using `npm start`',
    '~~`make gone`~~',
    '- ❌ `make gone`',
  ])('is not what the line warns of: %s', async (text) => {
    expect(await gone(text)).toEqual([])
  })

  it.each<[what: string, files: Shape, command: string, expected: string[]]>([
    ['there is no package.json', {}, 'npm test', ['npm test']],
    ['there is no Makefile', {}, 'make build', ['make build']],
    ['a Makefile is made by another tool', { 'CMakeLists.txt': '' }, 'make build', []],
    ['a Makefile includes another file', { Makefile: 'include rules.mk\n' }, 'make gone', []],
    ['a Makefile computes its targets', { Makefile: '$(TARGETS):\n\ttrue\n' }, 'make gone', []],
    ['a Makefile only assigns', { Makefile: 'gone := $(a):b\nx: y\n' }, 'make gone', ['make gone']],
    ['package.json cannot be parsed', { 'package.json': '{' }, 'npm run gone', []],
    ['package.json has other sections', { 'package.json': '{"scripts":[]}' }, 'npm run gone', ['npm run gone']],
    ['a name is a property', { 'package.json': '{"scripts":{}}' }, 'npm run constructor', ['npm run constructor']],
    ['only packages below have one', { 'a/package.json': '{}' }, 'npm run gone', ['npm run gone']],
    ['start has a server.js', { 'package.json': '{}', 'server.js': '' }, 'npm start', []],
    ['the package manager runs a program', { 'package.json': '{}', 'node_modules/.bin/gone': '' }, 'yarn run gone', []],
  ])('is judged where %s', async (_, files, command, expected) => {
    using other = plant(files)
    const drift = await driftIn(other, `\`${command}\``)
    expect(dead(drift)).toEqual(expected)
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
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const drift = await driftIn(tree, pieces.join(''))
        for (const { line } of drift) expect(line).toBeGreaterThan(0)
      }),
    )
  })
})
