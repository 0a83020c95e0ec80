import { describe, expect, it } from 'vitest'
import type { ImportAnswer } from '../../src/collections/answers.ts'
import type { PathContexts } from '../../src/collections/path-contexts.ts'
import { BOUNDS } from '../../src/core/bounds.ts'
import { fc, forAllAsync } from '../support/property.ts'
import { tree } from '../support/tree.ts'
import { fixture } from './contexts-fixtures.ts'

const QMD = `
global_context: "If you see a relevant [[WikiWord]], follow it"

collections:
  journals:
    path: ~/Documents/Notes
    pattern: "**/*.md"
    ignore:
      - "Archive/**"
    context:
      "/": "Notes vault"
      "/journal/2024": "Daily notes from 2024"
      "journal/2025/": "Daily notes from 2025"
`

/** An answer in words, a line for each thing. */
function wordsOf(answer: ImportAnswer): string[] {
  const outcomes = ['added', 'updated', 'unchanged', 'skipped'] as const
  return outcomes.flatMap((outcome) => answer[outcome].map(({ kind, name }) => `${outcome} ${kind} ${name}`))
}

async function saidIn(contexts: PathContexts): Promise<Record<string, string>> {
  const all = await contexts.list()
  return Object.fromEntries(all.map(({ collection, pathPrefix, context }) => [`${collection} ${pathPrefix}`, context]))
}

describe('an import', () => {
  it('leaves out a directory that is known to hold secrets, and says why', async () => {
    using base = tree({ '.ssh/id': 'x' })
    await using at = await fixture({}, { home: base.base })
    const { added, skipped } = await at.contexts.importFrom('collections:\n  keys:\n    path: ~/.ssh\n')
    const why = expect.stringContaining('is known to hold secrets')
    expect([added, skipped]).toEqual([[], [{ kind: 'collection', name: 'keys', why }]])
  })

  it('has how a bucket is reached, as an export wrote it, and refuses that of a directory', async () => {
    await using one = await fixture({})
    await using other = await fixture({})
    const access = { endpoint: 'http://127.0.0.1:9000', profile: 'minio', pathStyle: true }
    await one.store.collections.add({ name: 'lab', root: 's3://lab', patterns: [], exclude: [], access })
    await other.contexts.importFrom(await one.contexts.exportTo())
    expect((await other.store.collections.get('lab'))?.access).toEqual(access)
    const { skipped } = await other.contexts.importFrom('collections:\n  d:\n    path: /srv\n    region: eu\n')
    expect(skipped).toMatchObject([{ name: 'd', why: 'A directory has no region: only buckets have them.' }])
  })

  it('takes over what qmd knows', async () => {
    using base = tree({ 'Documents/Notes/a.md': '' })
    await using at = await fixture({}, { home: base.base })
    expect(wordsOf(await at.contexts.importFrom(QMD))).toEqual([
      'added context /',
      'added collection journals',
      'added context journals',
      'added context journals/journal/2024',
      'added context journals/journal/2025',
    ])
    const journals = { patterns: ['**/*.md'], exclude: ['Archive/**'], isPaused: false }
    const root = base.at('Documents/Notes')
    expect(await at.store.collections.list()).toMatchObject([{ name: 'journals', root, ...journals }])
    expect(await saidIn(at.contexts)).toEqual({
      'null /': 'If you see a relevant [[WikiWord]], follow it',
      'journals /': 'Notes vault',
      'journals /journal/2024': 'Daily notes from 2024',
      'journals /journal/2025': 'Daily notes from 2025',
    })
  })

  it('of the same file again changes nothing', async () => {
    await using at = await fixture({}, { home: '/home/nobody' })
    const first = await at.contexts.importFrom(QMD)
    const before = [await at.contexts.list(), await at.store.collections.list()]
    const again = await at.contexts.importFrom(QMD)
    expect(again).toMatchObject({ added: [], updated: [], skipped: [] })
    expect(again.unchanged).toHaveLength(first.added.length)
    expect([await at.contexts.list(), await at.store.collections.list()]).toEqual(before)
  })

  it('updates what was said before, and leaves what the file does not speak of', async () => {
    const roots = { journals: '/home/nobody/Documents/Notes' }
    await using at = await fixture({ journals: null }, { home: '/home/nobody', roots })
    await at.contexts.set('journals', 'Old words')
    await at.contexts.set('journals/other', 'Stays')
    expect(wordsOf(await at.contexts.importFrom(QMD))).toEqual([
      'added context /',
      'added context journals/journal/2024',
      'added context journals/journal/2025',
      'updated context journals',
      'unchanged collection journals',
    ])
    expect(await saidIn(at.contexts)).toMatchObject({ 'journals /': 'Notes vault', 'journals /other': 'Stays' })
  })

  it('keeps a collection that is there with the same directory under another path', async () => {
    using base = tree({ 'Documents/Notes/a.md': '', 'link -> Documents': '' })
    await using at = await fixture({ journals: null }, { home: base.base, roots: { journals: base.at('link/Notes') } })
    expect((await at.contexts.importFrom(QMD)).unchanged).toMatchObject([{ kind: 'collection', name: 'journals' }])
    expect((await at.store.collections.get('journals'))?.root).toBe(base.at('link/Notes'))
  })

  it('skips a collection that is there with another root, with all that is said of it', async () => {
    await using at = await fixture({ journals: null }, { home: '/home/nobody' })
    const answer = await at.contexts.importFrom(QMD)
    expect(wordsOf(answer)).toEqual([
      'added context /',
      'skipped collection journals',
      'skipped context journals/',
      'skipped context journals/journal/2024',
      'skipped context journals/journal/2025/',
    ])
    expect(answer.skipped[0]?.why).toContain('/srv/journals')
    expect(Object.keys(await saidIn(at.contexts))).toEqual(['null /'])
  })

  it('adds a collection whose directory is not there, and says so', async () => {
    await using at = await fixture({}, { home: '/home/nobody' })
    const [, journals] = (await at.contexts.importFrom(QMD)).added
    const why = '/home/nobody/Documents/Notes does not exist yet.'
    expect(journals).toEqual({ kind: 'collection', name: 'journals', why })
  })

  it.each([
    ['path: /etc', 'operating system'],
    ['path: /', 'operating system'],
    ['path: FILE', 'not a directory'],
    ['path: ""', 'no path'],
    ['path: " "', 'no path'],
    ['pattern: "*.md"', 'no path'],
    ['path: "~/x\\0"', 'Not a path'],
  ])('skips a collection with %j', async (settings, why) => {
    using base = tree({ file: '' })
    await using at = await fixture({}, { home: base.base })
    const yaml = `collections:\n  a:\n    ${settings.replace('FILE', base.at('file'))}\n    context: { /: A }\n`
    const { added, skipped } = await at.contexts.importFrom(yaml)
    expect(added).toEqual([])
    const collection = { kind: 'collection', name: 'a', why: expect.stringContaining(why) }
    expect(skipped).toMatchObject([collection, { kind: 'context' }])
    expect(await at.store.collections.list()).toEqual([])
  })

  it.each(['a/b', '../a', '~', '-x', 'a\\tb', '', '__proto__/x', 'x'.repeat(129)])(
    'skips a collection with the name %j',
    async (name) => {
      await using at = await fixture({})
      const { added, skipped } = await at.contexts.importFrom(`collections:\n  "${name}":\n    path: /srv/x\n`)
      expect([added, skipped.map(({ kind }) => kind)]).toEqual([[], ['collection']])
    },
  )

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'takes %j for a name like any other',
    async (name) => {
      await using at = await fixture({})
      const context = `{ "${name}": said, "/x/__proto__": too }`
      await at.contexts.importFrom(`collections:\n  ${name}:\n    path: /srv/x\n    context: ${context}\n`)
      expect(await at.contexts.find(name, `${name}/a.md`)).toBe('said')
      expect(await at.contexts.find(name, 'x/__proto__/a.md')).toBe('too')
      expect(({} as Record<string, unknown>).said).toBeUndefined()
    },
  )

  it('skips paths and texts that cannot be taken, and takes the others', async () => {
    await using at = await fixture({ docs: null })
    const yaml = `
global_context: "  "
collections:
  docs:
    path: /srv/docs
    context:
      /good: Good
      /up/../x: Up
      "/a\\nb": Control
      /blank: " "
      /nothing:
      good/: Twice
      /long: ${'x'.repeat(8193)}
`
    const { added, skipped } = await at.contexts.importFrom(yaml)
    expect(added).toEqual([{ kind: 'context', name: 'docs/good' }])
    expect(skipped).toMatchObject([
      { name: '/', why: 'The text is empty.' },
      { name: 'docs//up/../x', why: expect.stringContaining('leads up') },
      { name: 'docs//a\nb', why: expect.stringContaining('control character') },
      { name: 'docs/blank', why: 'The text is empty.' },
      { name: 'docs/nothing', why: 'The text is empty.' },
      { name: 'docs/good', why: expect.stringContaining('another text for this place') },
      { name: 'docs/long', why: expect.stringContaining('8192') },
    ])
    expect(await saidIn(at.contexts)).toEqual({ 'docs /good': 'Good' })
  })

  it('names the settings that mean nothing here, and runs none of them', async () => {
    await using at = await fixture({})
    const yaml = 'models: { embed: x }\ncollections:\n  a:\n    path: /srv/a\n    update: touch /nowhere/ran\n'
    const { skipped } = await at.contexts.importFrom(yaml)
    const names = skipped.map(({ kind, name }) => `${kind} ${name}`)
    expect(names).toEqual(['setting models', 'setting collections.a.update'])
  })

  it.each([
    ['"*.md"', ['*.md']],
    ['"*.md,*.txt"', ['*.md', '*.txt']],
    ['"*.md, *.txt ,"', ['*.md', '*.txt']],
    ['"**/*.{md,txt}"', ['**/*.{md,txt}']],
    ['"[,]x,y"', ['[,]x', 'y']],
    ['["a,b", c]', ['a,b', 'c']],
    ['"**/*"', []],
    ['""', []],
  ])('reads the pattern %s', async (pattern, patterns) => {
    await using at = await fixture({})
    await at.contexts.importFrom(`collections: { a: { path: /srv/a, pattern: ${pattern} } }`)
    expect((await at.store.collections.get('a'))?.patterns).toEqual(patterns)
  })

  it('pauses what qmd leaves out of its searches', async () => {
    await using at = await fixture({})
    await at.contexts.importFrom('collections: { a: { path: /srv/a, includeByDefault: false }, b: { path: /srv/b } }')
    expect((await at.store.collections.list()).map(({ isPaused }) => isPaused)).toEqual([true, false])
  })

  it('takes texts as they are written, and those that stand for another', async () => {
    await using at = await fixture({ docs: null })
    const context = '{ /a: &x 2024-01-01, /b: *x, /c: yes, /d: 0x10, /e: "null", <<: {/f: merged} }'
    const importing = (said: string) =>
      at.contexts.importFrom(`collections: { docs: { path: /srv/docs, context: ${said} } }`)
    await expect(importing(context)).rejects.toMatchObject({ code: 'invalid-input' })
    await importing(context.replace(', <<: {/f: merged}', ''))
    expect(Object.values(await saidIn(at.contexts))).toEqual(['2024-01-01', '2024-01-01', 'yes', '0x10', 'null'])
  })

  it.each(['', '\n', '---\n', '# nothing', 'collections:\n', 'collections: {}', 'null'])(
    'finds nothing in %j',
    async (yaml) => {
      await using at = await fixture({})
      const answer = await at.contexts.importFrom(yaml === 'null' ? '' : yaml)
      expect(answer).toEqual({ added: [], updated: [], unchanged: [], skipped: [] })
    },
  )
})

describe('what cannot be imported changes nothing', () => {
  const nested = (open: string, times: number) => open.repeat(times)
  it.each([
    ['no YAML', 'global_context: new\ncollections: [', 'invalid-input', /Line 2/],
    ['a list', '- a', 'invalid-input', /The configuration/],
    ['a text', 'hello', 'invalid-input', /The configuration/],
    ['collections in a list', 'global_context: new\ncollections: [a]', 'invalid-input', /"collections"/],
    ['a collection that is a text', 'global_context: new\ncollections: { a: /srv/a }', 'invalid-input', /"a"/],
    ['a list of contexts', 'collections: { a: { path: /srv/a, context: [x] } }', 'invalid-input', /"context" of "a"/],
    ['a context as a list', 'collections: { a: { path: /srv/a, context: { /: [x] } } }', 'invalid-input', /context of/],
    ['a path that is a map', 'collections: { a: { path: { b: c } } }', 'invalid-input', /"path" of "a"/],
    ['a global context that is a list', 'global_context: [x]', 'invalid-input', /global_context/],
    ['a name that is a list', 'collections: { ? [a] : { path: /srv/a } }', 'invalid-input', /not text/],
    [
      'a name twice',
      'collections:\n  a: { path: /a }\n  a: { path: /b }',
      'invalid-input',
      /Line 3: "a" is given twice/,
    ],
    ['several documents', 'global_context: a\n---\nglobal_context: b', 'invalid-input', /./],
    ['an alias of nothing', 'global_context: *x', 'invalid-input', /x/],
    ['many aliases', `global_context: &x a\ncollections: [${'*x,'.repeat(101)}]`, 'over-limit', /101|100 aliases/],
    ['many brackets', nested('[', 100_000), 'invalid-input', /nested|Line/],
    ['many dashes', nested('- ', 50_000), 'invalid-input', /nested|Line/],
    ['too much', `global_context: ${'x'.repeat(BOUNDS.configuration)}`, 'over-limit', /bytes/],
  ])('%s', async (_, yaml, code, message) => {
    await using at = await fixture({ docs: null })
    await at.contexts.set('/', 'before')
    const error = { name: 'ContextError', code, message: expect.stringMatching(message) }
    await expect(at.contexts.importFrom(yaml)).rejects.toMatchObject(error)
    expect(await saidIn(at.contexts)).toEqual({ 'null /': 'before' })
    expect(await at.store.collections.list()).toHaveLength(1)
  })

  it('a billion laughs', async () => {
    const levels = Array.from({ length: 20 }, (_, at) => `l${at + 1}: &l${at + 1} [${`*l${at},`.repeat(4)}]`)
    await using at = await fixture({})
    const importing = at.contexts.importFrom(`l0: &l0 ha\n${levels.join('\n')}\n`)
    await expect(importing).rejects.toMatchObject({ name: 'ContextError' })
  })

  it('maps within maps, whether a parser gets to their end or not', async () => {
    await using at = await fixture({})
    const yaml = Array.from({ length: 1200 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')
    const told = await at.contexts.importFrom(yaml).then(wordsOf, ({ code, message }) => [code, message])
    expect([['skipped setting a'], ['invalid-input', expect.stringMatching(/nested too deeply/)]]).toContainEqual(told)
    expect(await at.store.collections.list()).toEqual([])
  })

  it('an alias of itself', async () => {
    await using at = await fixture({})
    const answer = await at.contexts.importFrom('collections: &a { b: *a }')
    expect(wordsOf(answer)).toEqual(['skipped setting collections.b.b', 'skipped collection b'])
  })

  it('an import that was stopped', async () => {
    await using at = await fixture({}, { home: '/home/nobody' })
    const importing = at.contexts.importFrom(QMD, { signal: AbortSignal.abort() })
    await expect(importing).rejects.toMatchObject({ code: 'cancelled' })
    expect(await at.store.collections.list()).toEqual([])
    expect(await at.contexts.list()).toEqual([])
  })
})

describe('a configuration file', () => {
  it('is read where it is, also through a link; roots are seen from its directory', async () => {
    using base = tree({
      'dotfiles/real.yml': 'collections: { notes: { path: ./notes, context: { /: Notes } } }',
      'config/index.yml -> ../dotfiles/real.yml': '',
      'config/notes/a.md': '',
    })
    await using at = await fixture({}, { cwd: base.base })
    await at.contexts.importFile('config/index.yml')
    expect((await at.store.collections.get('notes'))?.root).toBe(base.at('config/notes'))
    expect(await at.contexts.find('notes', 'a.md')).toBe('Notes')
  })

  it('may be named by ~', async () => {
    using base = tree({ 'home/index.yml': 'global_context: said' })
    await using at = await fixture({}, { home: base.at('home') })
    await at.contexts.importFile('~/index.yml')
    expect(await at.contexts.global()).toBe('said')
  })

  it.each([
    ['absent.yml', 'not-found'],
    ['folder', 'invalid-input'],
    ['absent/index.yml', 'not-found'],
    ['folder/link.yml', 'not-found'],
    ['binary.yml', 'invalid-input'],
    ['large.yml', 'over-limit'],
  ])('%s is refused as %s', async (name, code) => {
    const large = 'x'.repeat(BOUNDS.configuration + 1)
    using base = tree({ 'folder/link.yml -> nowhere': '', 'binary.yml': 'a: \0', 'large.yml': large })
    await using at = await fixture({}, { cwd: base.base })
    const importing = at.contexts.importFile(name)
    await expect(importing).rejects.toMatchObject({ name: 'ContextError', code })
  })
})

describe('an export', () => {
  it('is YAML that qmd would read, too', async () => {
    await using at = await fixture({ docs: null, empty: null })
    await at.contexts.set('/', 'Everything: all of it')
    await at.contexts.set('docs/api', 'yes')
    await at.contexts.set('docs', 'The docs\n\nTwo paragraphs')
    await at.store.collections.add({ name: 'b', root: '/srv/b', patterns: ['*.md', '*.txt'], exclude: ['x/'] })
    await at.store.collections.update('b', { isPaused: true })
    expect(await at.contexts.exportTo()).toBe(`global_context: "Everything: all of it"
collections:
  b:
    path: /srv/b
    pattern: "*.md,*.txt"
    ignore:
      - x/
    includeByDefault: false
  docs:
    path: /srv/docs
    pattern: "**/*"
    context:
      /: |-
        The docs

        Two paragraphs
      /api: yes
  empty:
    path: /srv/empty
    pattern: "**/*"
`)
  })

  it('of nothing is a configuration of nothing', async () => {
    await using at = await fixture({})
    expect(await at.contexts.exportTo()).toBe('collections: {}\n')
  })

  it.each([' \n', '\n', ' a', 'a\t', '\r\n', '\u2028', '#', "'", 'a: b', '- ', '\ufeff'])(
    'keeps the pattern %j',
    async (pattern) => {
      await using one = await fixture({})
      await using other = await fixture({})
      await one.store.collections.add({ name: 'a', root: '/srv/a', patterns: [], exclude: [pattern] })
      await other.contexts.importFrom(await one.contexts.exportTo())
      expect((await other.store.collections.get('a'))?.exclude).toEqual([pattern])
    },
  )

  const odd = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string({
      unit: fc.constantFrom(...'a \n\r\t:#-"\'|>*&!%@\u2028\x85\ufeff~,{[', 'yes', 'null', '1'),
      maxLength: 20,
    }),
    fc.constantFrom(...'null|~|true|0x1|1e3|2024-01-01|=|<<|---|...|__proto__|- a|? b'.split('|')),
  )
  const written = odd.filter((text) => text !== '')
  const said = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '.x', '%', '📚', ':', '#', "'", 'null', '-'),
    minLength: 1,
    maxLength: 8,
  })
  const names = fc.stringMatching(/^[a-z0-9_][a-z0-9_.@ +-]{0,12}$/)
  const trees = fc.dictionary(
    names,
    fc.record({
      root: fc.string({ unit: fc.constantFrom('a', 'b', ' ', '~', ':', '#', "'"), minLength: 1, maxLength: 8 }),
      patterns: fc.uniqueArray(fc.constantFrom('*.md', 'a,b', '{a,b}', '[,', ' x', '*', '!y', '#'), { maxLength: 3 }),
      exclude: fc.uniqueArray(written, { maxLength: 2 }),
      isPaused: fc.boolean(),
      contexts: fc.dictionary(said, odd, { maxKeys: 4 }),
    }),
    { maxKeys: 4 },
  )

  it('gives the same collections and contexts when it is imported elsewhere', async () => {
    await forAllAsync(150, trees, fc.option(odd), async (collections, global) => {
      await using one = await fixture({})
      await using other = await fixture({})
      if (global !== null) await one.contexts.set('/', global).catch(() => undefined)
      for (const [name, { root, patterns, exclude, isPaused, contexts }] of Object.entries(collections)) {
        await one.store.collections.add({ name, root: `/srv/${root}/x`, patterns, exclude })
        await one.store.collections.update(name, { isPaused })
        for (const [pathPrefix, text] of Object.entries(contexts)) {
          // Some are empty, and refused.
          await one.contexts.set({ collection: name, pathPrefix }, text).catch(() => undefined)
        }
      }
      const answer = await other.contexts.importFrom(await one.contexts.exportTo())
      expect(answer).toMatchObject({ updated: [], unchanged: [], skipped: [] })
      expect(await saidIn(other.contexts)).toEqual(await saidIn(one.contexts))
      const list = async ({ store }: typeof one) =>
        (await store.collections.list()).map(({ createdAt: _, ...collection }) => collection)
      expect(await list(other)).toEqual(await list(one))
    })
  })
})
