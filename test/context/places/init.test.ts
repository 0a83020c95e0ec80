import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { InitAnswer } from '../../../src/context/answers.ts'
import { AGENTS } from '../../../src/context/init/agents.ts'
import { createFile, replaceFile } from '../../../src/context/init/files.ts'
import { initPlace } from '../../../src/context/init.ts'
import { load } from '../../../src/context/load.ts'
import { PRIORITY_ORDER } from '../../../src/context/sources/context-dir.ts'
import type { AgentName } from '../../../src/core/choices.ts'
import { ContextError } from '../../../src/core/errors.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { openRoot, versionAt } from '../../../src/files/disk.ts'
import { agentSetup } from '../../../src/operations/context/agents.ts'
import { parseMarkdown } from '../../../src/text/parse.ts'

const { init: initOperation } = agentSetup

const NAMES = Object.keys(AGENTS) as AgentName[]
const SETTINGS = '.claude/settings.json'

let base: string
let project: string

beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'ambit-init-')))
  project = join(base, 'project')
  fs.mkdirSync(join(project, '.git'), { recursive: true })
})

afterEach(() => fs.rmSync(base, { recursive: true, force: true }))

function put(name: string, content: string): string {
  const path = join(project, name)
  fs.mkdirSync(dirname(path), { recursive: true })
  fs.writeFileSync(path, content)
  return path
}

function read(name: string): string {
  return fs.readFileSync(join(project, name), 'utf8')
}

/** Every file and directory of the project but `.git`, with content and mode. */
function snapshot(): (readonly [name: string, mode: number, content: string])[] {
  const names = fs.readdirSync(project, { recursive: true, encoding: 'utf8' }).sort()
  return names.map((name) => {
    const stat = fs.lstatSync(join(project, name))
    return [name, stat.mode, stat.isFile() ? read(name) : ''] as const
  })
}

const setUp = (agent?: AgentName, more: object = {}) => initPlace({ place: project, agent, write: true, ...more })

function states({ files }: InitAnswer): Record<string, string> {
  return Object.fromEntries(files.map(({ path, state }) => [path.slice(project.length + 1), state]))
}

async function refusal(promise: Promise<unknown>): Promise<ContextError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof ContextError) return error
  throw new Error('It was not refused.', { cause: error })
}

describe('skeletons', () => {
  it('are written for the seven files that people write, and an AGENTS.md', async () => {
    const answer = await setUp()
    expect(answer).toMatchObject({ place: project, root: project })
    expect(Object.keys(states(answer))).toEqual([
      ...PRIORITY_ORDER.slice(0, 7).map((name) => `.context/${name}`),
      'AGENTS.md',
    ])
    for (const { path, content, state } of answer.files) {
      expect(state).toBe('written')
      expect(fs.readFileSync(path, 'utf8')).toBe(content)
    }
  })

  it('hold no tasks, fields or tags that nobody wrote, and no comments', async () => {
    for (const { path, content } of (await initPlace({ place: project })).files) {
      const { parsed, warnings } = parseMarkdown(content)
      const items = parsed.sections.flatMap((section) => section.items)
      expect([path, warnings]).toEqual([path, []])
      expect(parsed.title).not.toBe('')
      expect(content).not.toContain('<!--')
      expect(content).toMatch(/[^\n]\n$/)
      expect(items.filter(({ status, tags, fields }) => status || tags[0] || Object.keys(fields)[0])).toEqual([])
    }
  })

  it('have items only where these are rules that hold as they stand', async () => {
    const { files } = await initPlace({ place: project })
    const filled = files.filter(({ content }) => parseMarkdown(content).parsed.sections.some(({ items }) => items[0]))
    expect(filled.map(({ path }) => path.slice(project.length + 1))).toEqual([
      '.context/CONSTITUTION.md',
      '.context/CONVENTIONS.md',
      'AGENTS.md',
    ])
  })

  it('are loaded whole by what they are for, and nothing in them is stale', async () => {
    await setUp()
    const loaded = await load({ place: project, home: false }, SILENT)
    expect(loaded).toMatchObject({ warnings: [], missingRequired: [], truncated: false })
    expect(loaded.ledger.filter(({ decision }) => decision === 'kept')).toHaveLength(8)
    expect(loaded.tokenCount).toBeLessThan(1200)
  })

  it('fill up what is missing, and leave what is there', async () => {
    put('.context/TASKS.md', '- [ ] mine\n')
    expect(states(await setUp())).toMatchObject({ '.context/TASKS.md': 'exists', '.context/DECISIONS.md': 'written' })
    expect(read('.context/TASKS.md')).toBe('- [ ] mine\n')
  })

  it.each(['CLAUDE.md', 'KODELET.md'])('have no AGENTS.md beside a %s', async (name) => {
    put(name, 'mine')
    const answer = await setUp()
    expect(answer.files.at(-1)).toMatchObject({ path: join(project, name), state: 'exists' })
    expect(answer.files.at(-1)?.note).toContain('AGENTS.md')
    expect(fs.existsSync(join(project, 'AGENTS.md'))).toBe(false)
  })

  it('take a link for an instruction file, even one that leads nowhere', async () => {
    fs.symlinkSync('docs/gone.md', join(project, 'AGENTS.md'))
    expect(states(await setUp())).toMatchObject({ 'AGENTS.md': 'exists' })
    expect(fs.existsSync(join(project, 'docs'))).toBe(false)
  })

  it.each([
    ['from a directory below, in the root', 'src/deep', '.context/TASKS.md'],
    ['from a file, in its root', 'src/deep/a.ts', '.context/TASKS.md'],
    ['in the directory that counts at the place', 'packages/api/src', 'packages/api/.context/TASKS.md'],
  ])('are written %s', async (_, place, expected) => {
    put('src/deep/a.ts', '')
    put('packages/api/src/b.ts', '')
    if (place.startsWith('packages')) fs.mkdirSync(join(project, 'packages/api/.context'))
    const answer = await initPlace({ place: join(project, place), write: true })
    expect(answer.root).toBe(project)
    expect(states(answer)).toMatchObject({ [expected]: 'written', 'AGENTS.md': 'written' })
  })

  it('are written into the place itself where no project is', async () => {
    fs.rmSync(join(project, '.git'), { recursive: true })
    fs.mkdirSync(join(base, '.context'))
    fs.mkdirSync(join(project, 'here'))
    const answer = await initPlace({ place: join(project, 'here'), write: true })
    expect(answer.root).toBe(join(project, 'here'))
    expect(states(answer)).toMatchObject({ 'here/.context/TASKS.md': 'written', 'here/AGENTS.md': 'written' })
  })
})

describe('an agent', () => {
  it.each(NAMES)(
    'called %s runs "ambit hook" for it, which a teammate without Ambit does not notice',
    async (agent) => {
      const { files } = await initPlace({ place: project, agent })
      const commands = files
        .flatMap(({ content }) => content.split('\n'))
        .flatMap((line) => /"(?:command|bash)": "(.*ambit hook.*)"/.exec(line)?.[1] ?? [])
      const isScript = ['cline', 'opencode', 'kilo'].includes(agent)
      const lines = isScript ? files.slice(0, 1).map(({ content }) => content) : commands
      expect(lines.length).toBeGreaterThan(0)
      for (const line of lines) expect(line).toMatch(new RegExp(`ambit(?: hook |', \\['hook', ')${agent}`))
      for (const line of commands) {
        const env = { PATH: '/usr/bin:/bin', HOME: base }
        expect(execFileSync('/bin/sh', ['-c', line], { env, encoding: 'utf8', stdio: 'pipe' })).toBe('')
      }
    },
  )

  it('called gemini is not brought to read AGENTS.md where somebody has said what it reads', async () => {
    put('.gemini/settings.json', '{"context":{"fileName":"RULES.md"}}')
    await setUp('gemini')
    expect(JSON.parse(read('.gemini/settings.json')).context).toEqual({ fileName: 'RULES.md' })
  })

  it('called codex is told of the MCP server in a file that is left alone when it is there', async () => {
    put('.codex/config.toml', 'model = "x"\n')
    const again = await setUp('codex')
    expect(again.files[1]).toMatchObject({ state: 'exists', note: expect.stringContaining('codex mcp add ambit') })
    expect(fs.readFileSync(join(project, '.codex/config.toml'), 'utf8')).toBe('model = "x"\n')
  })
})

describe('what was put in', () => {
  const OTHERS = {
    [SETTINGS]: '{\n  "permissions": { "allow": ["Bash(ls)"] },\n  "hooks": {\n    "Stop": [1]\n  }\n}\n',
    '.mcp.json': '{"mcpServers":{"other":{}}}',
    '.codex/hooks.json': '{ "hooks": { "SessionStart": [{ "hooks": [] }] } }\n',
    '.cursor/hooks.json': '{\n\t"version": 1,\n\t"hooks": {\n\t\t"stop": [{ "command": "mine" }]\n\t}\n}',
    '.gemini/settings.json': '{\r\n  "theme": "dark"\r\n}\r\n',
    'opencode.json': '{"model":"x"}',
    'crush.json': '{"hooks":{"PreToolUse":[{"command":"mine"}]}}',
  }

  it.each(NAMES)('is all gone after it was taken out (%s)', async (agent) => {
    const before = snapshot()
    const entries = fs.readdirSync(project)
    await setUp(agent)
    const answer = await setUp(agent, { remove: true })
    expect(new Set(answer.files.map(({ state }) => state))).toEqual(new Set(['removed']))
    expect(fs.readdirSync(project)).toEqual(entries)
    expect(files()).toEqual(before.map(([name]) => name))
    const again = await setUp(agent, { remove: true })
    expect(new Set(again.files.map(({ state }) => state))).toEqual(new Set(['absent']))
  })

  it.each(NAMES)('leaves the settings of others byte for byte as they were (%s)', async (agent) => {
    for (const [name, text] of Object.entries(OTHERS)) put(name, text)
    await setUp(agent)
    await setUp(agent, { remove: true })
    for (const [name, text] of Object.entries(OTHERS)) expect([name, read(name)]).toEqual([name, text])
  })

  it.each([
    ['no JSON', '{ "a": 1,, } ambit hook', /^It is not a JSON object\. Remove the entries of ambit by hand\.$/],
    ['not UTF-8', '{"a":"\xff"}', /^It is not UTF-8\.$/],
  ])('stays in settings that are %s', async (_, text, note) => {
    fs.mkdirSync(join(project, '.claude'))
    fs.writeFileSync(join(project, SETTINGS), text, 'latin1')
    const { files } = await setUp('claude', { remove: true })
    expect(files[0]).toMatchObject({ state: 'exists', needsEdit: true, note: expect.stringMatching(note) })
    expect(fs.readFileSync(join(project, SETTINGS), 'latin1')).toBe(text)
  })

  it.each(NAMES)('is not looked for in broken settings that do not name Ambit (%s)', async (agent) => {
    const { files } = await initPlace({ place: project, agent })
    for (const { path } of files) put(path.slice(project.length), '{')
    const answer = await setUp(agent, { remove: true })
    expect(new Set(answer.files.map(({ state }) => state))).toEqual(new Set(['absent']))
    expect(initOperation.failed?.(answer)).toBe(false)
  })

  it('stays where a person changed it, and is told of', async () => {
    await setUp('codex')
    put('.codex/config.toml', '[mcp_servers.ambit]\ncommand = "mine"\n')
    const { files } = await setUp('codex', { remove: true })
    expect(files[1]).toMatchObject({ state: 'exists', note: expect.stringContaining('changed after Ambit wrote it') })
    expect(read('.codex/config.toml')).toContain('mine')
  })

  it.each<['project' | 'local', ('project' | 'user' | 'local')[], string[]]>([
    ['project', ['project'], []],
    ['project', ['user', 'local'], ['--user', '--local']],
    ['local', ['project', 'local'], ['--project']],
  ])('from %s names the other places that have the hook: %s', async (scope, scopes, flags) => {
    const home = join(base, 'home')
    fs.mkdirSync(home)
    for (const one of scopes) await setUp('claude', { home, [one]: true })
    const { files } = await setUp('claude', { home, remove: true, [scope]: true })
    expect(files.flatMap(({ note = '' }) => note.match(/--\w+/g) ?? [])).toEqual(flags)
  })

  it('names a hook of an earlier version, and not the same file twice', async () => {
    const home = join(base, 'home')
    fs.mkdirSync(join(home, '.claude'), { recursive: true })
    const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'ambit hook claude' }] }] }
    fs.writeFileSync(join(home, SETTINGS), JSON.stringify({ hooks }))
    const { files } = await setUp('claude', { home, remove: true })
    expect(files[0]?.note).toContain('--user')
    await setUp('qwen', { home: project })
    expect((await setUp('qwen', { home: project, remove: true })).files.flatMap(({ note = [] }) => note)).toEqual([])
  })

  it('needs an agent', async () => {
    await expect(initPlace({ place: project, remove: true })).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('is only told of without writing', async () => {
    await setUp('claude')
    const before = snapshot()
    const { files } = await initPlace({ place: project, agent: 'claude', remove: true })
    expect(files.map(({ state }) => state)).toEqual(['would-remove', 'would-remove'])
    expect(snapshot()).toEqual(before)
  })

  /** Names of the files of the project, and of directories that hold some. */
  function files(): string[] {
    return snapshot().flatMap(([name]) => (fs.statSync(join(project, name)).isFile() || name === '.git' ? [name] : []))
  }
})

describe('a script', () => {
  /** Puts a program called ambit first on the PATH. */
  function environment(script: string): NodeJS.ProcessEnv {
    const bin = join(base, 'bin')
    fs.mkdirSync(bin)
    fs.writeFileSync(join(bin, 'ambit'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return { ...process.env, PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin` }
  }

  it.each([
    ['what the hook says', `[ "$*" = "hook cline PostToolUse" ] && cat`, '{"said":1}\n'],
    ['that nothing is to be done where there is nothing new', 'cat > /dev/null', '{"cancel":false}\n'],
    ['that nothing is to be done where the hook fails', 'cat > /dev/null; exit 1', '{"cancel":false}\n'],
  ])('of Cline answers %s', async (_, script, expected) => {
    await setUp('cline')
    const options = { cwd: project, env: environment(script), input: '{"said":1}', encoding: 'utf8' } as const
    expect(execFileSync(join(project, '.clinerules/hooks/PostToolUse'), [], options)).toBe(expected)
  })

  /** Starts the plugin of OpenCode in a process of its own. */
  async function plugged(drive: string, env: NodeJS.ProcessEnv) {
    await setUp('opencode')
    const url = pathToFileURL(join(project, '.opencode/plugins/ambit.js')).href
    const code = `import plugin from ${JSON.stringify(url)}; const out = []; ${drive}; console.log(JSON.stringify(out))`
    const options = { cwd: project, env, encoding: 'utf8' } as const
    return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', code], options))
  }

  const VERSION_1 = `
    const hooks = await plugin.server({ directory: process.cwd() })
    const transform = hooks['experimental.chat.system.transform']
    for (const system of [['You help.'], []]) out.push((await transform({ sessionID: 's' }, { system }), system))
    const read = { output: 'text' }
    await hooks['tool.execute.after']({ tool: 'read', sessionID: 's', callID: 'c', args: { filePath: 'a.ts' } }, read)
    const mcp = { content: [] }
    await hooks['tool.execute.after']({ tool: 'x_y', sessionID: 's', callID: 'd', args: {} }, mcp)
    await hooks.event({ event: { type: 'session.compacted', properties: { sessionID: 's' } } })
    const system = []
    await transform({ sessionID: 's' }, { system })
    out.push(read.output, mcp.content, system)`
  const VERSION_2 = `
    let hook
    const session = { hook: async (name, callback) => { if (name === 'context') hook = callback } }
    await plugin.setup({ location: { directory: process.cwd() }, session })
    for (const system of [[{ type: 'text', text: 'You help.' }], []]) {
      await hook({ sessionID: 's', system })
      out.push(system)
    }`
  /** Says how often it was run, and what it was told. */
  const COUNTS = `echo >> count; printf '%s %s' "$(wc -l < count | tr -d ' ')" "$(sed 's/.*hook_event_name":"\\([A-Za-z]*\\)".*/\\1/')"`

  it('of OpenCode 1 asks once for the start, for each call, and again after a compaction', async () => {
    expect(await plugged(VERSION_1, environment(COUNTS))).toEqual([
      ['You help.\n\n1 SessionStart'],
      ['1 SessionStart'],
      'text\n\n2 PostToolUse',
      [{ type: 'text', text: '3 PostToolUse' }],
      ['4 SessionStart'],
    ])
  })

  it('of OpenCode 2 adds the same context to each request', async () => {
    const PART = { type: 'text', text: '1 SessionStart' }
    expect(await plugged(VERSION_2, environment(COUNTS))).toEqual([[{ type: 'text', text: 'You help.' }, PART], [PART]])
  })

  it('of OpenCode adds nothing when the program fails', async () => {
    expect(await plugged(VERSION_1, environment('exit 1'))).toEqual([['You help.'], [], 'text', [], []])
  })
})

describe('settings that are there', () => {
  const OTHERS = '{\n  "permissions": { "allow": ["Bash(ls)"] },\n  "hooks": {\n    "Stop": []\n  }\n}\n'

  it('get our entry beside the others, which stay byte for byte', async () => {
    put(SETTINGS, OTHERS)
    const answer = await setUp('claude')
    expect(states(answer)).toMatchObject({ [SETTINGS]: 'merged' })
    expect(read(SETTINGS)).toBe(answer.files[0]?.content)
    expect(read(SETTINGS).startsWith(OTHERS.slice(0, OTHERS.indexOf('[]') + 2))).toBe(true)
    expect(JSON.parse(read(SETTINGS)).hooks).toMatchObject({
      Stop: [],
      SessionStart: [{ hooks: [{ type: 'command' }] }],
    })
  })

  it.each([0o600, 0o644, 0o444])('keep the mode %o', async (mode) => {
    fs.chmodSync(put(SETTINGS, OTHERS), mode)
    await setUp('claude')
    expect(fs.statSync(join(project, SETTINGS)).mode & 0o777).toBe(mode)
    expect(fs.readdirSync(join(project, '.claude'))).toEqual(['settings.json'])
  })

  it.each([
    ['with a comma too many', '{ "a": 1,, }'],
    ['that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1')],
    ['that are enormous', `{ "a": "${'x'.repeat(4 * 1024 * 1024)}" }`],
  ])('%s are left alone, and the snippet is shown', async (_, content) => {
    fs.mkdirSync(join(project, '.claude'))
    fs.writeFileSync(join(project, SETTINGS), content, 'latin1')
    const { files } = await setUp('claude')
    expect(files[0]).toMatchObject({ state: 'exists', needsEdit: true })
    expect(files[0]?.note).toMatch(
      /^Its? .*\. Add this by hand: \{"hooks":\{"SessionStart":\[.*\]\}\}$|^\.claude\/settings\.json has \d+ bytes/,
    )
    expect(JSON.parse(files[0]?.content ?? '')).toHaveProperty('hooks.SessionStart')
    expect(fs.readFileSync(join(project, SETTINGS), 'latin1')).toBe(content)
  })

  it.each(
    NAMES.flatMap((agent) =>
      ['{', '[]', 'null', '{"hooks":1,"mcpServers":1,"mcp":1,"servers":1,"SessionStart":1}'].map(
        (text) => [agent, text] as const,
      ),
    ),
  )('of %s need an edit where they hold %s', async (agent, text) => {
    const { files } = await initPlace({ place: project, agent })
    const entries = files.filter(({ path }) => path.endsWith('.json') && !path.includes('.kiro/hooks'))
    for (const { path } of entries) put(path.slice(project.length), text)
    const isRefused = (answer: InitAnswer) => initOperation.failed?.(answer)
    expect(isRefused(await setUp(agent))).toBe(entries.length > 0)
    for (const { path } of entries) expect(fs.readFileSync(path, 'utf8')).toBe(text)
  })

  it('with hooks of ours stay as they are, also where a person has tuned them', async () => {
    await setUp('claude')
    const tuned = read(SETTINGS).replaceAll('"timeout": 10', '"timeout": 99')
    put(SETTINGS, tuned)
    const { files } = await setUp('claude')
    expect(files[0]).toMatchObject({
      state: 'exists',
      note: 'Ambit is set up here already: check that its entries run nothing else.',
    })
    expect(read(SETTINGS)).toBe(tuned)
  })

  it('start no script that was there before', async () => {
    put('.clinerules/hooks/PostToolUse', 'steal')
    const error = await refusal(setUp('cline'))
    expect(error).toMatchObject({
      code: 'conflict',
      message: '.clinerules/hooks/PostToolUse exists, and differs from what Ambit would write.',
    })
    expect(fs.existsSync(join(project, '.clinerules/hooks/TaskStart'))).toBe(false)
    expect(read('.clinerules/hooks/PostToolUse')).toBe('steal')
  })

  it('that only name the program elsewhere get our hook', async () => {
    put(SETTINGS, '{"permissions":{"allow":["Bash(ambit load)"]},"hooks":{"Stop":[{"command":"gambit hook claude"}]}}')
    expect(states(await setUp('claude'))).toMatchObject({ [SETTINGS]: 'merged' })
  })

  it.each([
    ['a link', (path: string) => fs.symlinkSync('../real.json', path)],
    ['a directory', (path: string) => fs.mkdirSync(path)],
  ])('and are %s are left alone', async (_, make) => {
    const real = put('real.json', '{}')
    fs.mkdirSync(join(project, '.claude'))
    make(join(project, SETTINGS))
    const { files } = await setUp('claude')
    expect(files[0]).toMatchObject({ state: 'exists', note: expect.stringMatching(/^It is not a regular file\. Add/) })
    expect(fs.readFileSync(real, 'utf8')).toBe('{}')
  })
})

describe('every setting up', () => {
  const WAYS = [undefined, ...NAMES] as const
  /** Crush has its one file in the root. */
  const IN_FOLDERS = WAYS.filter((agent) => agent !== 'crush')

  it.each(WAYS)('says without writing what it does with writing (%s)', async (agent) => {
    if (agent === 'gemini') put('.gemini/settings.json', '{\n\t"theme": "dark"\n}\n')
    const before = snapshot()
    const dry = await setUp(agent, { write: false })
    expect(snapshot()).toEqual(before)
    const wet = await setUp(agent)
    const done = { 'would-write': 'written', 'would-merge': 'merged', exists: 'exists' } as Record<string, string>
    expect(wet.files).toEqual(dry.files.map((file) => ({ ...file, state: done[file.state] })))
  })

  it('shows a change of settings as a diff, and not the whole file', async () => {
    put('.gemini/settings.json', '{\n\t"theme": "dark"\n}\n')
    const answer = await initPlace({ place: project, agent: 'gemini', write: false })
    const text = initOperation.text(answer, initOperation.input.parse({ place: project, agent: 'gemini' }))
    expect(text).toContain('\n {\n-\t"theme": "dark"\n+\t"theme": "dark",\n')
    expect(text).toMatch(/^\+\+\+ b\/.*\/\.gemini\/settings\.json$/m)
  })

  it.each(WAYS)('done twice changes nothing the second time (%s)', async (agent) => {
    await setUp(agent)
    const first = snapshot()
    const again = await setUp(agent)
    expect(new Set(again.files.map(({ state }) => state))).toEqual(new Set(['exists']))
    expect(snapshot()).toEqual(first)
  })

  it.each(IN_FOLDERS)('refuses to write through a link, to a place outside or inside (%s)', async (agent) => {
    const name = (await setUp(agent, { write: false })).files[0]?.path.slice(project.length + 1).split('/')[0] ?? ''
    for (const target of [join(base, 'outside'), join(project, 'inside')]) {
      fs.mkdirSync(target)
      fs.symlinkSync(target, join(project, name))
      for (const write of [false, true]) {
        const error = await refusal(initPlace({ place: project, agent, write }))
        expect(error).toMatchObject({ code: 'denied' })
        expect(error.message).toContain(join(project, name))
        expect(error.hint).toBeTruthy()
      }
      expect(fs.readdirSync(target)).toEqual([])
      fs.rmSync(join(project, name))
    }
  })

  it.each(IN_FOLDERS)('refuses a file where a directory should be, and writes nothing at all (%s)', async (agent) => {
    const name = (await setUp(agent, { write: false })).files[0]?.path.slice(project.length + 1).split('/')[0] ?? ''
    put(name, '')
    const before = snapshot()
    expect(await refusal(setUp(agent))).toMatchObject({ code: 'conflict' })
    expect(snapshot()).toEqual(before)
  })

  it.each([
    ['a place that is not there', () => join(project, 'gone'), 'not-found'],
    ['a directory of the system', () => '/etc', 'denied'],
    ['a place that is not on disk', () => 'ambit://docs', 'invalid-input'],
  ])('refuses %s', async (_, place, code) => {
    expect(await refusal(initPlace({ place: place(), write: true }))).toMatchObject({ code })
  })

  it.skipIf(process.getuid?.() === 0)('is denied where nothing may be written (not as root, who may)', async () => {
    fs.chmodSync(project, 0o555)
    const error = await refusal(setUp())
    fs.chmodSync(project, 0o755)
    expect(error).toMatchObject({ code: 'denied', hint: expect.stringContaining('permissions') })
  })

  it('follows a link that the place itself is, and writes into what it leads to', async () => {
    fs.symlinkSync(project, join(base, 'link'))
    const answer = await initPlace({ place: join(base, 'link'), write: true })
    expect(answer.root).toBe(join(base, 'link'))
    expect(read('AGENTS.md')).toBe(answer.files.at(-1)?.content)
  })
})

describe('between the look and the deed', () => {
  it('a directory that becomes a link is not written through', () => {
    const root = openRoot(project)
    const outside = join(base, 'outside')
    fs.mkdirSync(outside)
    fs.symlinkSync(outside, join(project, '.context'))
    expect(() => createFile({ root, name: '.context/TASKS.md' }, 'x')).toThrow(/\.context/)
    expect(fs.readdirSync(outside)).toEqual([])
  })

  it.each([
    ['a file', (path: string) => fs.writeFileSync(path, 'theirs')],
    ['a link to nothing', (path: string) => fs.symlinkSync(join(base, 'outside'), path)],
  ])('a name that becomes %s is left as it is', (_, make) => {
    make(join(project, 'AGENTS.md'))
    expect(createFile({ root: openRoot(project), name: 'AGENTS.md' }, 'ours')).toBe(false)
    expect(fs.existsSync(join(base, 'outside'))).toBe(false)
  })

  it('what the system refuses is told with the path and its word for it', () => {
    const name = `${'x'.repeat(300)}.md`
    expect(() => createFile({ root: openRoot(project), name }, '')).toThrow(
      expect.objectContaining({ code: 'unavailable', message: expect.stringMatching(/x{300}\.md .*ENAMETOOLONG/) }),
    )
  })

  it.each([
    ['is written to', 'a.json', (path: string) => fs.writeFileSync(path, 'theirs')],
    ['becomes a link', 'gone', (path: string) => fs.symlinkSync(join(base, 'other'), path)],
    ['becomes another file', 'gone', (path: string) => fs.linkSync(join(base, 'other'), path)],
  ])('a file that %s is not replaced', (_, moved, change) => {
    const path = put('a.json', '{}')
    fs.writeFileSync(join(base, 'other'), 'other')
    const version = versionAt(path)
    if (!version) throw new Error('There is no version.')
    fs.renameSync(path, join(project, moved))
    change(path)
    const replace = () => replaceFile({ root: openRoot(project), name: 'a.json' }, 'ours', version)
    expect(replace).toThrow(expect.objectContaining({ code: 'conflict', hint: 'Try again.' }))
    expect(fs.readdirSync(project).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(fs.readFileSync(path, 'utf8')).not.toBe('ours')
    expect(fs.readFileSync(join(base, 'other'), 'utf8')).toBe('other')
  })
})

describe('--task', () => {
  const ask = (agent: AgentName, task: boolean) => initPlace({ place: project, agent, task, write: true })

  it.each(NAMES)('lets the hook of %s bring the code of the first prompt', async (agent) => {
    const { files } = await ask(agent, true)
    const hooks = files.filter(({ content }) => /ambit hook [a-z]+|'hook', '[a-z]+'/.test(content))
    for (const { content } of hooks) expect(content).not.toMatch(/ambit hook [a-z]+(?! --task)\b|'hook', '[a-z]+'\]/)
    expect(hooks.length).toBeGreaterThan(0)
  })

  it('takes the place of a hook without it, once', async () => {
    await ask('claude', false)
    await ask('claude', true)
    const settings = fs.readFileSync(join(project, SETTINGS), 'utf8')
    expect(settings.match(/ambit hook claude --task/g)).toHaveLength(5)
    expect(settings).not.toMatch(/ambit hook claude"/)
    await setUp('claude', { remove: true })
    expect(fs.existsSync(join(project, SETTINGS))).toBe(false)
  })
})
