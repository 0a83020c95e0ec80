import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findDrift } from '../../src/drift/drift.ts'
import { PathHistory, type PathRename, RenameResolver } from '../../src/drift/lookup/history.ts'
import { SOON } from '../support/soon.ts'
import { committed, driftIn, type Planted, plant } from './fixtures.ts'

/** A text that git sees again when it moves. */
function body(name: string): string {
  return Array.from({ length: 20 }, (_, line) => `${name} line ${line}\n`).join('')
}

/** A repository whose first commit holds the files, each with a text of its own. */
function repository(names: readonly string[]): Planted {
  return committed(Object.fromEntries(names.map((name) => [name, body(name)])))
}

/** The same after some more commits, each of which renames: `a > b; c > d`. */
function repositoryAfter(names: readonly string[], ...commits: readonly string[]): Planted {
  const planted = repository(names)
  for (const commit of commits) {
    for (const rename of commit.split('; ')) planted.git('mv', ...rename.split(' > '))
    planted.commit('rename')
  }
  return planted
}

async function proposals(planted: Planted, text: string, name = 'AGENTS.md') {
  const drift = await driftIn(planted, text, { name, history: true })
  return drift.map(({ cited, proposal }) => [cited, proposal])
}

/** The name that git gives the empty file. */
const EMPTY = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
const SERVER = ['srv/api/handlers.go', 'srv/api/routes.go', 'srv/main.go', 'docs/guide.md']

describe('history', () => {
  it('proposes the new name of a file', async () => {
    using repo = repositoryAfter(SERVER, 'srv/main.go > srv/start.go')
    expect(await driftIn(repo, 'see `srv/main.go`', { history: true })).toEqual([
      {
        path: join(repo.root, 'AGENTS.md'),
        line: 1,
        kind: 'path',
        state: 'moved',
        cited: 'srv/main.go',
        message: 'srv/main.go does not exist; it was renamed to srv/start.go.',
        proposal: 'srv/start.go',
      },
    ])
  })

  it('proposes the new name of a top directory, for it and for all in it', async () => {
    using repo = repositoryAfter(SERVER, 'srv > server')
    const text = '`srv/` `srv/api` `srv/api/` `srv/api/handlers.go` `srv/api/handlers.go:12`'
    expect(await proposals(repo, text)).toEqual([
      ['srv/', 'server/'],
      ['srv/api', 'server/api'],
      ['srv/api/', 'server/api/'],
      ['srv/api/handlers.go', 'server/api/handlers.go'],
    ])
  })

  it('follows a chain of renames', async () => {
    using repo = repositoryAfter(
      SERVER,
      'srv > server',
      'server/api/handlers.go > server/api/endpoints.go',
      'server > backend',
    )
    expect(await proposals(repo, '`srv/api/handlers.go` `srv/api/` `server/main.go`')).toEqual([
      ['server/main.go', 'backend/main.go'],
      ['srv/api/', 'backend/api/'],
      ['srv/api/handlers.go', 'backend/api/endpoints.go'],
    ])
  })

  it('proposes what a directory became for a file that came later', async () => {
    using repo = repositoryAfter(SERVER, 'srv > server')
    repo.write({ 'server/later.go': 'package later\n' })
    expect(await proposals(repo, '[a](srv/later.go)')).toEqual([['srv/later.go', 'server/later.go']])
  })

  it('proposes no name that is gone again, nor a directory that was torn apart', async () => {
    using repo = repositoryAfter(SERVER, 'srv/main.go > srv/start.go')
    repo.git('rm', '--quiet', 'srv/start.go')
    mkdirSync(join(repo.root, 'one'))
    mkdirSync(join(repo.root, 'two'))
    repo.git('mv', 'srv/api/handlers.go', 'one/handlers.go')
    repo.git('mv', 'srv/api/routes.go', 'two/routes.go')
    repo.commit('apart')
    rmSync(join(repo.root, 'srv'), { recursive: true })
    expect(await proposals(repo, '`srv/main.go` `srv/api/`')).toEqual([
      ['srv/api/', undefined],
      ['srv/main.go', undefined],
    ])
  })

  it('writes a proposal as the file would: from its directory for a link, else from where the path starts', async () => {
    using repo = repositoryAfter(
      ['packages/api/src/old.ts', 'docs/old.md', 'packages/api/AGENTS.md'],
      'packages/api/src/old.ts > packages/api/src/new.ts; docs/old.md > docs/new.md',
    )
    const text = '`src/old.ts` `packages/api/src/old.ts` [a](../../docs/old.md#x) [b](src/old.ts) [c](/docs/old.md)'
    expect(await proposals(repo, text, 'packages/api/AGENTS.md')).toEqual([
      ['../../docs/old.md#x', '../../docs/new.md'],
      ['/docs/old.md', 'docs/new.md'],
      ['packages/api/src/old.ts', 'packages/api/src/new.ts'],
      ['src/old.ts', 'src/new.ts'],
    ])
  })

  it('proposes the new name of a script', async () => {
    using repo = repositoryAfter(['scripts/check.sh'], 'scripts/check.sh > scripts/verify.sh')
    expect(await driftIn(repo, '```sh\n./scripts/check.sh --all\n```', { history: true })).toMatchObject([
      { kind: 'command', cited: './scripts/check.sh', proposal: 'scripts/verify.sh' },
    ])
  })

  it.each<[text: string, found: boolean]>([
    ['`handlers.go`', true],
    ['`never.go`', false],
    ['`srv/api`', false],
    ['`never/api`', false],
    ['`guide.md`', false],
    ['`build/out.js`', true],
    ['e.g. `srv/main.go`', true],
    ['e.g. `srv/never.go`', false],
  ])('tells a name that once was from one that never was: %s', async (text, found) => {
    using repo = repository([...SERVER, 'build/out.js', 'keep.txt'])
    repo.git('rm', '-r', '--quiet', 'srv', 'build')
    repo.commit('delete')
    const gone = async (history: boolean) =>
      (await driftIn(repo, text, { history })).filter(({ state }) => state !== 'example')
    expect(await gone(true)).toHaveLength(found ? 1 : 0)
    expect(await gone(false)).toHaveLength(0)
  })

  it('knows names that are not ASCII, or hold a line feed', async () => {
    using repo = repositoryAfter(
      ['docs/größe alt.md', 'docs/a\nb.md'],
      'docs/größe alt.md > docs/größe.md; docs/a\nb.md > docs/ab.md',
    )
    expect(await proposals(repo, '[a](docs/größe%20alt.md) [b](docs/a%0Ab.md)')).toEqual([
      ['docs/a%0Ab.md', 'docs/ab.md'],
      ['docs/größe%20alt.md', 'docs/größe.md'],
    ])
  })

  it('sees a root that is a part of the repository from itself', async () => {
    using repo = repositoryAfter(['app/srv/a.go', 'app/srv/b.go', 'srv/c.go'], 'app/srv > app/server')
    const root = join(repo.root, 'app')
    const files = [{ path: join(root, 'AGENTS.md'), text: '`srv/a.go`' }]
    expect(await findDrift({ root, files, history: true })).toMatchObject({ drift: [{ proposal: 'server/a.go' }] })
  })

  it.each<[what: string, prepare: (planted: Planted) => void]>([
    ['there is no repository', () => {}],
    ['the repository has no commit', (planted) => planted.git('init', '--quiet')],
    ['the repository is broken', (planted) => writeFileSync(join(planted.root, '.git'), 'gitdir: nowhere\n')],
  ])('is silent where %s', async (_, prepare) => {
    using planted = plant({ 'docs/guide.md': '' })
    prepare(planted)
    expect(await proposals(planted, '`docs/gone.md`')).toEqual([['docs/gone.md', undefined]])
  })
})

/** Signs the last commit, so that showing signatures would run the program that checks them. */
function sign(repo: Planted): void {
  const tree = repo.git('rev-parse', 'HEAD^{tree}').trim()
  const parent = repo.git('rev-parse', 'HEAD~1').trim()
  const who = 'Test <test@example.org> 1700000000 +0000'
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----'
  const commit = `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n${signature}\n\nsigned\n`
  writeFileSync(join(repo.root, '.git/commit-text'), commit)
  repo.git('update-ref', 'HEAD', repo.git('hash-object', '-t', 'commit', '-w', '.git/commit-text').trim())
}

/** Takes away what `srv/main.go` was in the first commit, without which git cannot tell that it was renamed. */
function forget(repo: Planted): void {
  const blob = repo.git('rev-parse', 'HEAD~1:srv/main.go').trim()
  rmSync(join(repo.root, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true })
}

/** A repository in which a file was renamed and changed. */
function changed(): Planted {
  const repo = repository(SERVER)
  repo.git('mv', 'srv/main.go', 'srv/start.go')
  repo.write({ 'srv/start.go': `${body('srv/main.go')}changed\n`, '.gitattributes': '* diff=text filter=text\n' })
  repo.commit('rename')
  return repo
}

describe('a repository of another kind', () => {
  const renamed = [['srv/main.go', 'srv/start.go']]

  it.each<[what: string, prepare: (planted: Planted) => void]>([
    ['has packed references and objects', (repo) => repo.git('gc', '--quiet')],
    ['has no branch checked out', (repo) => repo.git('checkout', '--quiet', '--detach')],
    [
      'has a branch that stands for another',
      (repo) => {
        repo.git('symbolic-ref', 'refs/heads/other', repo.git('symbolic-ref', 'HEAD').trim())
        repo.git('symbolic-ref', 'HEAD', 'refs/heads/other')
      },
    ],
    [
      'keeps its directory elsewhere',
      (repo) => {
        renameSync(join(repo.root, '.git'), join(repo.root, '../elsewhere.git'))
        writeFileSync(join(repo.root, '.git'), 'gitdir: ../elsewhere.git\n')
      },
    ],
  ])('is read where it %s', async (_, prepare) => {
    using repo = changed()
    prepare(repo)
    expect(await proposals(repo, '`srv/main.go`')).toEqual(renamed)
  })

  it.each<[what: string, args: (from: string, to: string) => readonly string[]]>([
    ['a linked work tree', (_, to) => ['worktree', 'add', '--quiet', '-b', 'linked', to]],
    ['a clone that shares objects', (from, to) => ['clone', '--quiet', '--shared', from, to]],
    ['a shallow clone', (from, to) => ['clone', '--quiet', '--depth=2', `file://${from}`, to]],
  ])('is read where it is %s', async (_, args) => {
    using repo = changed()
    const root = join(repo.root, '../linked')
    repo.git(...args(repo.root, root))
    expect(await proposals({ ...repo, root }, '`srv/main.go`')).toEqual(renamed)
  })

  it('is read where names are SHA-256', async () => {
    using repo = plant({ 'srv/main.go': body('main') })
    repo.git('init', '--quiet', '--object-format=sha256')
    repo.commit('first')
    repo.git('mv', 'srv/main.go', 'srv/start.go')
    repo.commit('rename')
    expect(await proposals(repo, '`srv/main.go`')).toEqual(renamed)
  })
})

describe('a hostile repository', () => {
  it.each<[what: string, config: (script: string) => string]>([
    ['[remote] promisor', () => '[remote]\n promisor = true\n'],
    ['[remote ""] promisor', () => '[remote ""]\n promisor = true\n partialclonefilter = blob:none\n'],
    ['[remote "origin"] promisor', () => '[remote "origin"]\n promisor = true\n url = ssh://x/y\n'],
    ['[extensions] partialClone', () => '[extensions]\n partialClone = origin\n[remote "origin"]\n url = ssh://x/y\n'],
    ['an ext: remote', (script) => `[remote "origin"]\n promisor = true\n url = ext::${script}\n`],
    ['core.fsmonitor', (script) => `[core]\n fsmonitor = ${script}\n`],
    ['gpg.program', (script) => `[gpg]\n program = ${script}\n[log]\n showSignature = true\n`],
    ['diff.external', (script) => `[diff]\n external = ${script}\n`],
    ['a text conversion', (script) => `[diff "text"]\n textconv = ${script}\n command = ${script}\n`],
    ['core.hooksPath', (script) => `[core]\n hooksPath = ${join(script, '..')}\n`],
    ['alias.log', (script) => `[alias]\n log = !${script}\n config = !${script}\n`],
    ['include.path', () => '[include]\n path = ../included\n'],
  ])('that lacks an object runs nothing by %s, and stays as it is', async (_, config) => {
    using repo = changed()
    const { script, sprung } = repo.trap('trap')
    const hostile = `[core]\n repositoryFormatVersion = 1\n sshCommand = ${script}\n[protocol]\n allow = always\n[url "ssh://x/y"]\n insteadOf = ""\n${config(script)}`
    repo.write({ included: `[remote]\n promisor = true\n[diff]\n external = ${script}\n` })
    forget(repo)
    const path = join(repo.root, '.git/config')
    writeFileSync(path, hostile)
    expect(await proposals(repo, '`srv/main.go`')).toEqual([['srv/main.go', undefined]])
    expect(existsSync(sprung)).toBe(false)
    expect(readFileSync(path, 'utf8')).toBe(hostile)
  })

  it.each<[setting: string, value: (script: string) => string]>([
    ['core.fsmonitor', (script) => script],
    ['core.pager', (script) => script],
    ['core.sshCommand', (script) => script],
    ['pager.log', (script) => script],
    ['diff.external', (script) => script],
    ['diff.text.command', (script) => script],
    ['diff.text.textconv', (script) => script],
    ['filter.text.clean', (script) => script],
    ['gpg.program', (script) => script],
    ['alias.log', (script) => `!${script}`],
    ['alias.config', (script) => `!${script}`],
    ['credential.helper', (script) => `!${script}`],
  ])('cannot make git run a program by %s', async (setting, value) => {
    using repo = repository(SERVER)
    repo.write({ '.gitattributes': '* diff=text filter=text\n' })
    repo.git('mv', 'srv', 'server')
    repo.write({ 'server/main.go': `${body('srv/main.go')}changed\n` })
    repo.commit('rename')
    sign(repo)
    const { script, sprung } = repo.trap('trap')
    repo.git('config', 'log.showSignature', 'true')
    repo.git('config', setting, value(script))
    expect(await proposals(repo, '`srv/main.go`')).toEqual([['srv/main.go', 'server/main.go']])
    expect(existsSync(sprung)).toBe(false)
  })

  it('cannot make git run a hook', async () => {
    using repo = repository(SERVER)
    const { script, sprung } = repo.trap('trap')
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change', 'fsmonitor-watchman']) {
      repo.write({ [`.git/hooks/${hook}`]: `#!/bin/sh\n${script}\n` })
    }
    await proposals(repo, '`srv/gone.go`')
    expect(existsSync(sprung)).toBe(false)
  })

  it.each(['remote.origin.promisor', 'remote.origin.partialCloneFilter', 'extensions.partialClone'])(
    'is not completed where git would fetch what it lacks: %s',
    async (setting) => {
      using repo = changed()
      forget(repo)
      const { script, sprung } = repo.trap('trap')
      repo.git('config', 'core.repositoryFormatVersion', '1')
      repo.git('config', 'remote.origin.url', 'ssh://example.org/a')
      repo.git('config', 'core.sshCommand', script)
      repo.git('config', setting, setting.endsWith('promisor') ? 'true' : 'origin')
      expect(await proposals(repo, '`srv/main.go`')).toEqual([['srv/main.go', undefined]])
      expect(existsSync(sprung)).toBe(false)
    },
  )

  it('with a program called git in it has no say', async () => {
    using repo = repository(SERVER)
    const { script, sprung } = repo.trap('trap')
    repo.write({ git: `#!/bin/sh\n${script}\n`, 'git.cmd': script })
    await proposals(repo, '`srv/gone.go`')
    expect(existsSync(sprung)).toBe(false)
  })
})

it('looks for deep paths of a great history in little time', async () => {
  using planted = plant({ '.gitignore': 'node_modules\n' })
  planted.git('init', '--quiet')
  const deep = 'd/'.repeat(200)
  const entry = (path: string) => `100644 blob ${EMPTY}\t${path}\n`
  planted.git('hash-object', '-t', 'blob', '-w', '/dev/null')
  planted.index(Array.from({ length: 5000 }, (_, at) => entry(`${deep}f${at}.ts`)).join(''))
  planted.git('commit', '--quiet', '--message', 'first')
  planted.git('read-tree', '--empty')
  planted.index(Array.from({ length: 5000 }, (_, at) => entry(`e/f${at}`)).join(''))
  planted.git('commit', '--quiet', '--message', 'second')
  const text = Array.from({ length: 200 }, (_, at) => `\`${deep}f${at}.ts\``).join('\n')
  const start = performance.now()
  expect(await driftIn(planted, text, { history: true })).toHaveLength(200)
  expect(performance.now() - start).toBeLessThan(SOON)
})

describe('RenameResolver', () => {
  const anything = () => true
  const renamed = (...pairs: readonly string[]) =>
    pairs.map((pair) => ({ from: pair.split(' ')[0] ?? '', to: pair.split(' ')[1] ?? '' }))
  const now = (renames: readonly PathRename[], path: string, exists: (path: string) => boolean = anything) =>
    new RenameResolver(renames, exists).currentPath(path)

  it('follows only renames that came after', () => {
    const renames = renamed('b a', 'a b')
    expect(now(renames, 'a', (path) => path === 'b')).toBe('b')
    expect(now(renames, 'b', (path) => path === 'a')).toBe('a')
    expect(now(renames, 'a', () => false)).toBeUndefined()
  })

  it('takes the last of several renames of one name', () => {
    expect(now(renamed('a c', 'a b'), 'a')).toBe('c')
  })

  it('wants more than half of the files for a directory', () => {
    const half = renamed('a/1 b/1', 'a/2 c/2')
    expect(now(half, 'a')).toBeUndefined()
    expect(now([...half, ...renamed('a/3 b/3')], 'a')).toBe('b')
    expect(now(renamed('a/1 b/other'), 'a')).toBeUndefined()
    expect(now(renamed('a/1 1'), 'a')).toBeUndefined()
  })

  it('asks only the files of a directory, and not all of a great one', () => {
    const many = Array.from({ length: 5000 }, (_, index) => `a/${index} ${index % 3 === 0 ? 'c' : 'b'}/${index}`)
    const beside = renamed('a!/1 x/1', 'a0/1 x/1', 'a.b/1 x/1')
    expect(now([...beside, ...renamed(...many)], 'a')).toBe('b')
    expect(now([...beside, ...renamed('a/1 b/1')], 'a')).toBe('b')
  })

  it('follows every name of a long chain, and of deep directories, in little time', () => {
    const chain = Array.from({ length: 20_000 }, (_, index) => ({ from: `f${index + 1}`, to: `f${index}` }))
    const deep = `${'d/'.repeat(200)}`
    const below = Array.from({ length: 20_000 }, (_, index) => ({ from: `${deep}${index}`, to: `gone/${index}` }))
    const start = performance.now()
    const ends = new RenameResolver(chain, (path) => path === 'f0')
    expect(chain.map(({ from }) => ends.currentPath(from)).every((end) => end === 'f0')).toBe(true)
    const lost = new RenameResolver(below, () => false)
    for (let index = 0; index < 200; index++) expect(lost.currentPath(`${deep}x${index}`)).toBeUndefined()
    expect(performance.now() - start).toBeLessThan(SOON)
  })
})

describe('PathHistory', () => {
  it('knows the files that are gone, their directories and their names', () => {
    const changes = ['2', '1'].map((commit) => ({ commit, from: 'a/b/c.ts', to: undefined }))
    const history = new PathHistory(changes, ['a/d.ts'])
    expect(['a', 'a/b', 'a/b/c.ts', 'b', 'a/c.ts', 'a/d.ts'].map((path) => history.removalOf(path))).toEqual([
      '',
      '2',
      '2',
      undefined,
      undefined,
      '',
    ])
    expect(['c.ts', 'b', 'd.ts'].map((name) => history.removalOfName(name))).toEqual(['2', undefined, undefined])
    expect(history.renames).toEqual([])
  })
})
