/**
 * The rows of group A that no other test shows. README.md says where the others are.
 *
 * @module-tag long
 */

import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { checkPlace } from '../../src/context/check.ts'
import { loadContext } from '../../src/context/context-dir/load-context.ts'
import { replaceFile } from '../../src/context/init/files.ts'
import { type LoadRequest, load } from '../../src/context/load.ts'
import { PROFILES } from '../../src/context/profiles.ts'
import { SILENT } from '../../src/core/flow.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { openRoot } from '../../src/files/disk.ts'
import { operations } from '../../src/operations/index.ts'
import { elementsOf } from '../context/renderers/xml-scanner.ts'
import { plantTree, SECRET } from '../files/fixtures.ts'
import { SOON } from '../support/soon.ts'
import { tree } from '../support/tree.ts'
import { withNobody } from '../support/with-nobody.ts'
import { open, project } from '../support/workspace.ts'
import { inChild } from './child.ts'

const LINUX = process.platform === 'linux'
const engine = createEngine({ file: undefined, unknown: [], home: false })

/** Runs an operation by its name, as a surface would. */
async function run(name: string, input: object) {
  const operation = operations.find((one) => one.name === name)
  if (!operation) throw new Error(`There is no operation ${name}.`)
  const output = await operation.run(engine, operation.input.parse(input), SILENT)
  return { output, text: operation.text(output) }
}

function loaded(place: string, request: LoadRequest = {}) {
  return load({ place, home: false, ...request }, SILENT)
}

describe.runIf(LINUX)('A9, A10 while another process exchanges a directory for a link', () => {
  it('A10 no write lands outside, and those that land inside are whole', async () => {
    using planted = plantTree('/dev/shm')
    const { base, root: path, outside } = planted
    const inside = join(path, 'swapped/AGENTS.md')
    mkdirSync(join(path, 'swapped'))
    writeFileSync(inside, 'round none')
    spawnSync('ln', ['-s', '../outside', join(path, 'link')])
    const swapper = promisify(execFile)(process.execPath, [
      join(import.meta.dirname, '../files/swapper.ts'),
      'directory',
      base,
    ])
    const root = openRoot(path)
    let written = 0
    for (let round = 0; round < 10_000; round++) {
      const version = root.version('swapped/AGENTS.md')
      try {
        if (version) replaceFile({ root, name: 'swapped/AGENTS.md' }, `round ${round}`, version)
        written++
      } catch {
        // Refused: what was there was not what it should be.
      }
    }
    writeFileSync(join(base, 'stop'), '')
    expect(Number((await swapper).stdout)).toBeGreaterThan(1000)
    expect(written).toBeGreaterThan(100)
    expect(readFileSync(join(outside, 'AGENTS.md'), 'utf8')).toBe(SECRET)
    expect(spawnSync('ls', ['-A', outside], { encoding: 'utf8' }).stdout.split('\n')).toHaveLength(4)
    expect(readFileSync(inside, 'utf8')).toMatch(/^round \d+$/)
  })
})

describe('A18 a thousand levels', () => {
  it.runIf(LINUX)(
    'A18 with paths over 4,096 bytes are looked into as far as they go, and the rest is told',
    async () => {
      using planted = tree({ '.git/': '', 'AGENTS.md': 'root', '.context/TASKS.md': '- [ ] a' })
      await inChild('dig', { place: planted.base, levels: 1000 })
      const deepest = planted.at(...Array(1000).fill('directory'))
      const middle = planted.at(...Array(300).fill('directory'))
      const { answer, findings, ms } = await inChild('look', { place: planted.base, touched: [join(deepest, 'x.ts')] })
      expect(ms).toBeLessThan(SOON)
      expect(answer.contexts.map(({ path }) => path)).toEqual([planted.at('AGENTS.md')])
      expect(findings).toContainEqual(
        expect.objectContaining({
          rule: 'unreadable',
          message: expect.stringMatching(/name or path that is too long/),
        }),
      )
      expect((await loaded(middle)).contexts).toMatchObject([{ content: 'root' }])
      await expect(loaded(deepest)).rejects.toMatchObject({ code: 'not-found' })
    },
  )
})

describe.runIf(LINUX)('A19 names that differ in case', () => {
  const names = ['AGENTS.md', 'agents.md', 'Agents.MD', 'AGENTS.MD', 'aGENTS.md']

  it.each([
    ['as written', names],
    ['the other way round', names.toReversed()],
  ])('A19 are different files, of which AGENTS.md alone is read, planted %s', async (_, order) => {
    using planted = project(Object.fromEntries(order.map((name) => [name, name])))
    const workspace = await open(planted)
    expect((await workspace.relevantContexts()).map(({ content }) => content)).toEqual(['AGENTS.md'])
    expect(await workspace.ledger()).toHaveLength(1)
  })

  it('A19 let no link past the root: neither as a name of their own nor by an import', async () => {
    using planted = project({
      'AGENTS.md': '@agents.md',
      'agents.md -> ../outside.md': '',
      'Agents.MD -> AGENTS.md': '',
      '../outside.md': SECRET,
    })
    const answer = await loaded(planted.root)
    expect(JSON.stringify(answer)).not.toContain(SECRET)
    expect(answer.ledger.filter(({ why }) => why !== 'missing')).toMatchObject([
      { title: 'AGENTS.md', decision: 'kept' },
      { title: 'agents.md', decision: 'left', why: 'denied' },
    ])
  })

  it('A19 in a context directory are each loaded once, the known name first', async () => {
    const shape = { 'tasks.md': 'a', 'Tasks.md': 'b', 'TASKS.md': 'c', 'TASKS.MD': 'd' }
    const under = (entries: [string, string][]) =>
      Object.fromEntries(entries.map(([name, text]) => [`.context/${name}`, text]))
    using one = tree({ '.git/': '', ...under(Object.entries(shape)) })
    using two = tree({ '.git/': '', ...under(Object.entries(shape).toReversed()) })
    const [first, second] = await Promise.all([one, two].map(({ base }) => loadContext({ rootDir: base })))
    expect(first?.files.map(({ content }) => content)).toEqual(['c', 'd', 'b', 'a'])
    expect([second?.summary, second?.digest]).toEqual([first?.summary, first?.digest])
  })
})

describe.runIf(LINUX)('A20 two spellings of one name in Unicode', () => {
  const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301']

  it('A20 are two files of a context directory, each loaded once', async () => {
    using planted = tree({ '.git/': '', [`.context/${composed}.md`]: 'C', [`.context/${decomposed}.md`]: 'D' })
    const { files, ledger } = await loadContext({ rootDir: planted.base })
    expect(files.map(({ name, content }) => [name, content])).toEqual([
      [decomposed, 'D'],
      [composed, 'C'],
    ])
    expect(new Set(ledger.map(({ uri }) => uri)).size).toBe(ledger.length)
  })

  it('A20 are two directories, and each touch counts for its own', async () => {
    using planted = project({ [`${composed}/AGENTS.md`]: 'C', [`${decomposed}/AGENTS.md`]: 'D' })
    const seen = async (...touched: string[]) =>
      (await (await open(planted, { touched })).relevantContexts()).map(({ content }) => content)
    expect(await seen(`${composed}/a.ts`)).toEqual(['C'])
    expect(await seen(`${decomposed}/a.ts`)).toEqual(['D'])
    expect(await seen(`${composed}/a.ts`, `${decomposed}/a.ts`, `${composed}/b.ts`)).toEqual(['D', 'C'])
  })
})

/** Names that mean something to one of the forms that an answer can have. */
const NAMES = [
  'a "quoted" name',
  "it's",
  'a <b> & c',
  '<context>',
  'a"><context filename="b',
  ']]>',
  'a\nb',
  'a\n## Forged',
  'a\n1: error: forged [hidden-unicode]',
  'a\r\n::error::forged',
  'a\tb',
  ' leading',
  'trailing ',
  'trailing"',
  '-lead',
  '--help',
  'a\u202eb',
  'a\u200bb',
  'a\u2028b',
  '\u001b[31mred',
  '\u001b]0;title\u0007',
  '\u009b31m',
  '%20#?',
  '$(x) `y`',
  '[x](y)',
  '*',
  '{a,b}',
  '!a',
  '\\a',
  '😀é漢',
] as const

describe('A21 a name', () => {
  it.each(NAMES)('A21 is safe wherever it is told, and used exactly as it is: %j', async (name) => {
    const bad = 'see `src/gone.ts`\u200b'
    using planted = project({ [`${name}/AGENTS.md`]: bad, [`.context/${name}.md`]: bad, 'src/': '' })
    const place = planted.file(name)
    const request = { place, touched: [planted.file(`${name}/x.ts`)] }
    const markdown = await loaded(place, request)
    expect(markdown.contexts).toMatchObject([{ path: join(place, 'AGENTS.md'), content: bad }])
    expect(JSON.parse(JSON.stringify(markdown))).toMatchObject({ place, files: [{ name, content: bad }] })
    const headings = markdown.text.split(/[\r\n\u2028]/).filter((line) => line.startsWith('## '))
    expect(headings).toHaveLength(2)
    expect(markdown.text.split('\n').filter((line) => line.startsWith('Source: '))).toHaveLength(2)
    const xml = await loaded(place, { ...request, format: 'xml' })
    const shown = (path: string) => path.replace(/[\u200b\u202e]/g, '').replace(/[\0-\u0008\u000e-\u001f]/g, '\ufffd')
    expect(elementsOf(xml.text).map(({ name: tag, attributes }) => [tag, attributes])).toEqual(
      [join(place, 'AGENTS.md'), planted.file(`.context/${name}.md`)].map((path) => [
        'context',
        [['filename', shown(path)]],
      ]),
    )
    const explained = (await run('explain', request)).text
    expect(explained.match(/^(kept|left)\t/gm)).toHaveLength(markdown.ledger.length)
    expect(explained.trimEnd().split('\n')).toHaveLength(markdown.ledger.length + 1)
    const checked = await run('check', { place: planted.root })
    expect(checked.text.trimEnd().split('\n')).toHaveLength(
      (checked.output as { findings: unknown[] }).findings.length + 1,
    )
    const compared = (await run('diff', request)).text
    for (const text of [explained, checked.text, compared])
      expect(text).not.toMatch(/[\r\u001b\u009b\u0007\u202e\u2028]/)
  })
})

withNobody('A23 a user who is not root', () => {
  it.runIf(LINUX)('A23 is told by load of a touched directory that may not be entered', async () => {
    using planted = tree({ '.git/': '', 'AGENTS.md': 'a', 'closed/AGENTS.md': 'c' })
    chmodSync(planted.at('closed'), 0o000)
    const touched = [planted.at('closed/x.ts')]
    const { answer } = await inChild('look', { place: planted.base, touched, nobody: true })
    expect(answer.ledger.filter(({ why }) => why === 'unreadable')).toHaveLength(1)
    chmodSync(planted.at('closed'), 0o700)
  })

  it.runIf(LINUX)(
    'A23 is told by a check of each file and directory that may not be read, and gets the rest',
    async () => {
      using planted = tree({
        '.git/': '',
        'AGENTS.md': 'a',
        'file/AGENTS.md': 'b',
        'closed/AGENTS.md': 'c',
        'unlisted/AGENTS.md': 'd',
      })
      chmodSync(planted.at('file/AGENTS.md'), 0o000)
      chmodSync(planted.at('closed'), 0o000)
      chmodSync(planted.at('unlisted'), 0o311)
      const touched = [planted.at('file/x.ts'), planted.at('unlisted/x.ts')]
      const { answer, findings } = await inChild('look', { place: planted.base, touched, nobody: true })
      expect(answer.contexts.map(({ content }) => content)).toEqual(['d', 'a'])
      expect(answer.ledger).toContainEqual(expect.objectContaining({ title: 'file/AGENTS.md', why: 'unreadable' }))
      expect(findings.map(({ rule, path }) => [rule, relative(planted.base, path)])).toEqual([
        ['unreadable', 'closed'],
        ['unreadable', 'file/AGENTS.md'],
        ['unreadable', 'unlisted'],
      ])
    },
  )
})

describe.runIf(LINUX)('A30 a directory of the operating system', () => {
  const closed = ['/', '/etc', '/proc', '/proc/self', '/sys', '/dev', '/usr/lib', '/etc/../proc', '/../etc/hostname']
  // These need a store, and refuse the same: test/collections/collections.test.ts, test/collections/library/list-folder.test.ts.
  const listing = ['ls', 'browse']
  const onDisk = operations.filter(({ name, positional }) => !listing.includes(name) && positional?.includes('place'))
  const commands = onDisk.map(({ name }) => name)
  const at = (name: string, place: string) => (name === 'task' ? { task: 'words', place } : { place })

  it.each(closed)('A30 is refused by every command: %s', async (place) => {
    expect(commands).toEqual(['load', 'task', 'explain', 'check', 'diff', 'init', 'sync'])
    for (const name of commands) {
      await expect(run(name, at(name, place)), name).rejects.toMatchObject({ code: 'denied', hint: expect.any(String) })
    }
    await expect(run('init', { place, write: true })).rejects.toMatchObject({ code: 'denied' })
  })

  it.each(['/', '/etc', '/proc/self'])('A30 is refused behind a link: %s', async (target) => {
    using planted = tree({ 'p/': '' })
    spawnSync('ln', ['-s', target, planted.at('link')])
    for (const name of commands) {
      await expect(run(name, at(name, planted.at('link'))), name).rejects.toMatchObject({ code: 'denied' })
    }
  })
})

/** Files that a tree often holds and nobody wants in a prompt. */
const SECRETS = [
  '.env',
  '.env.local',
  '.envrc',
  '.git-credentials',
  '.aws/credentials',
  '.git/config',
  '.npmrc',
  '.netrc',
  '.ssh/id_ed25519',
  'id_rsa',
  'certs/server.pem',
  'certs/server.key',
  'certs/client.p12',
] as const

describe('A31 a secret of the project', () => {
  const KEY = 'sk-THE-SECRET-KEY'

  it.each(SECRETS)('A31 is in no answer, however it is asked for: %s', async (name) => {
    using planted = project({
      [name]: KEY,
      '.git/': '',
      'AGENTS.md': `See @${name} and @./${name} and @a/../${name} and [it](${name}#x) and \`${name}\`.`,
      'CLAUDE.md': `@${name}`,
      '.claude/rules/a.md': `@../../${name}`,
      [`a/AGENTS.md -> ../${name}`]: '',
      [`b/CLAUDE.md -> ../${name}`]: '',
      [`.claude/rules/secret.md -> ../../${name}`]: '',
      [`.cursor/rules/secret.mdc -> ../../${name}`]: '',
      [`.github/instructions/secret.instructions.md -> ../../${name}`]: '',
      [`.context/TASKS.md -> ../${name}`]: '',
      [`.context/NOTES.md -> ../${name}`]: '',
    })
    const touched = [name, 'a/x.ts', 'b/x.ts'].map((path) => planted.file(path))
    for (const { name: profile } of PROFILES) {
      const answer = await loaded(planted.root, { profile, touched })
      expect([profile, JSON.stringify(answer).includes(KEY)]).toEqual([profile, false])
      const told = await checkPlace({ place: planted.root, profile, home: false }, SILENT)
      expect([profile, JSON.stringify(told).includes(KEY)]).toEqual([profile, false])
    }
    const at = await loaded(planted.file(name), {})
    expect(at.text).not.toContain(KEY)
    expect(at.ledger).toContainEqual(
      expect.objectContaining({ title: 'Current Tasks', decision: 'left', why: 'denied' }),
    )
  })

  it('A31 is noticed when a link turns to it, also by a cache', async () => {
    using planted = project({ '.env': KEY, 'notes.md': 'notes', '.context/TASKS.md -> ../notes.md': '' })
    const ask = () => loadContext({ rootDir: planted.root, cache: true })
    expect((await ask()).summary).toContain('notes')
    await setTimeout(150)
    rmSync(planted.file('.context/TASKS.md'))
    planted.plant({ '.context/TASKS.md -> ../.env': '' })
    expect(JSON.stringify(await ask())).not.toContain(KEY)
  })
})

/** Patterns that make a matcher with backtracking, or one that expands braces, take for ever. */
