import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AGENTS, type AgentName } from '../../../src/context/init/agents.ts'
import { createFile, replaceFile } from '../../../src/context/init/files.ts'
import { CONTEXT_FILES } from '../../../src/context/init/skeletons.ts'
import { type InitAnswer, init } from '../../../src/context/init.ts'
import { load } from '../../../src/context/load.ts'
import { PRIORITY_ORDER } from '../../../src/context/sources/context-dir.ts'
import { ContextError } from '../../../src/core/errors.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { openRoot, versionAt } from '../../../src/files/disk.ts'
import { parseMarkdown } from '../../../src/text/parse.ts'

const NAMES = Object.keys(AGENTS) as AgentName[]
const SETTINGS = '.claude/settings.json'
const SKELETONS = [...CONTEXT_FILES.map(({ name }) => `.context/${name}`), 'AGENTS.md']

let base: string
let project: string

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-init-')))
  project = join(base, 'project')
  mkdirSync(join(project, '.git'), { recursive: true })
})

afterEach(() => rmSync(base, { recursive: true, force: true }))

function put(name: string, content: string): string {
  const path = join(project, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

function read(name: string): string {
  return readFileSync(join(project, name), 'utf8')
}

/** Every file and directory of the project but `.git`, with content and mode. */
function snapshot(): unknown {
  const names = readdirSync(project, { recursive: true, encoding: 'utf8' }).sort()
  return names.map((name) => {
    const stat = lstatSync(join(project, name))
    return [name, stat.mode, stat.isFile() ? read(name) : '']
  })
}

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
    const answer = await init({ place: project, write: true })
    expect(answer).toMatchObject({ place: project, root: project })
    expect(Object.keys(states(answer))).toEqual([
      ...PRIORITY_ORDER.slice(0, 7).map((name) => `.context/${name}`),
      'AGENTS.md',
    ])
    for (const { path, content, state } of answer.files) {
      expect(state).toBe('written')
      expect(readFileSync(path, 'utf8')).toBe(content)
    }
  })

  it('hold no tasks, fields or tags that nobody wrote, and no comments', async () => {
    for (const { path, content } of (await init({ place: project })).files) {
      const { parsed, warnings } = parseMarkdown(content)
      const items = parsed.sections.flatMap((section) => section.items)
      expect([path, warnings]).toEqual([path, []])
      expect(parsed.title).not.toBe('')
      expect(content).not.toContain('<!--')
      expect(content).toMatch(/[^\n]\n$/)
      expect(
        items.filter(({ status, tags, fields }) => status || tags.length + Object.keys(fields).length > 0),
      ).toEqual([])
    }
  })

  it('have items only where these are rules that hold as they stand', async () => {
    const { files } = await init({ place: project })
    const withItems = files.filter(({ content }) =>
      parseMarkdown(content).parsed.sections.some(({ items }) => items[0]),
    )
    expect(withItems.map(({ path }) => path.slice(project.length + 1))).toEqual([
      '.context/CONSTITUTION.md',
      '.context/CONVENTIONS.md',
      'AGENTS.md',
    ])
  })

  it('are loaded whole by what they are for, and nothing in them is stale', async () => {
    await init({ place: project, write: true })
    const loaded = await load({ place: project, home: false }, SILENT)
    expect(loaded).toMatchObject({ warnings: [], missingRequired: [], truncated: false })
    expect(loaded.ledger.filter(({ decision }) => decision === 'kept')).toHaveLength(8)
    expect(loaded.tokenCount).toBeLessThan(1200)
  })

  it('fill up what is missing, and leave what is there', async () => {
    put('.context/TASKS.md', '- [ ] mine\n')
    const answer = await init({ place: project, write: true })
    expect(states(answer)).toMatchObject({ '.context/TASKS.md': 'exists', '.context/DECISIONS.md': 'written' })
    expect(read('.context/TASKS.md')).toBe('- [ ] mine\n')
  })

  it.each(['CLAUDE.md', 'KODELET.md'])('have no AGENTS.md beside a %s', async (name) => {
    put(name, 'mine')
    const answer = await init({ place: project, write: true })
    expect(answer.files.at(-1)).toMatchObject({ path: join(project, name), state: 'exists' })
    expect(answer.files.at(-1)?.note).toContain('AGENTS.md')
    expect(existsSync(join(project, 'AGENTS.md'))).toBe(false)
  })

  it('take a link for an instruction file, even one that leads nowhere', async () => {
    symlinkSync('docs/gone.md', join(project, 'AGENTS.md'))
    expect(states(await init({ place: project, write: true }))).toMatchObject({ 'AGENTS.md': 'exists' })
    expect(existsSync(join(project, 'docs'))).toBe(false)
  })

  it.each([
    ['from a directory below, in the root', 'src/deep', '.context/TASKS.md'],
    ['from a file, in its root', 'src/deep/a.ts', '.context/TASKS.md'],
    ['in the directory that counts at the place', 'packages/api/src', 'packages/api/.context/TASKS.md'],
  ])('are written %s', async (_, place, expected) => {
    put('src/deep/a.ts', '')
    put('packages/api/src/b.ts', '')
    if (place.startsWith('packages')) mkdirSync(join(project, 'packages/api/.context'))
    const answer = await init({ place: join(project, place), write: true })
    expect(answer.root).toBe(project)
    expect(states(answer)).toMatchObject({ [expected]: 'written', 'AGENTS.md': 'written' })
  })

  it('are written into the place itself where no project is', async () => {
    rmSync(join(project, '.git'), { recursive: true })
    mkdirSync(join(base, '.context'))
    mkdirSync(join(project, 'here'))
    const answer = await init({ place: join(project, 'here'), write: true })
    expect(answer.root).toBe(join(project, 'here'))
    expect(states(answer)).toMatchObject({ 'here/.context/TASKS.md': 'written', 'here/AGENTS.md': 'written' })
  })
})

describe('an agent', () => {
  it.each([
    ['claude', [SETTINGS, '.mcp.json']],
    ['codex', ['.codex/hooks.json', '.codex/config.toml']],
    ['cursor', ['.cursor/hooks.json', '.cursor/hooks/ambit.mjs', '.cursor/mcp.json']],
    ['gemini', ['.gemini/settings.json', '.gemini/hooks/ambit.mjs']],
    ['opencode', ['.opencode/plugins/ambit.js', 'opencode.json']],
  ] as const)('called %s gets its files, then the skeletons, and nothing else', async (agent, names) => {
    const answer = await init({ place: project, agent, write: true })
    expect(Object.entries(states(answer))).toEqual([...names, ...SKELETONS].map((name) => [name, 'written']))
    for (const { path, content } of answer.files) expect(readFileSync(path, 'utf8')).toBe(content)
  })

  it('of Claude Code and of Codex runs the command itself, within what they keep of its output', async () => {
    for (const agent of ['claude', 'codex'] as const) {
      const [file] = (await init({ place: project, agent })).files
      expect(JSON.parse(file?.content ?? '')).toEqual({
        hooks: {
          SessionStart: [
            {
              matcher: 'startup|clear|compact',
              hooks: [
                { type: 'command', command: 'ambit load --no-instructions --format xml --budget 2400', timeout: 30 },
              ],
            },
          ],
        },
      })
    }
    expect(2400 * 4).toBeLessThanOrEqual(10_000)
  })

  it.each([
    ['cursor', { version: 1, hooks: { sessionStart: [{ command: 'node .cursor/hooks/ambit.mjs', timeout: 30 }] } }],
    [
      'gemini',
      {
        mcpServers: { ambit: { command: 'ambit', args: ['mcp'] } },
        hooks: {
          SessionStart: [
            { hooks: [{ name: 'ambit', type: 'command', command: 'node .gemini/hooks/ambit.mjs', timeout: 30_000 }] },
          ],
        },
      },
    ],
  ] as const)('called %s is told of a script', async (agent, settings) => {
    const [file] = (await init({ place: project, agent })).files
    expect(JSON.parse(file?.content ?? '')).toEqual(settings)
  })

  it.each([
    ['claude', '.mcp.json', { mcpServers: { ambit: { command: 'ambit', args: ['mcp'] } } }],
    ['cursor', '.cursor/mcp.json', { mcpServers: { ambit: { command: 'ambit', args: ['mcp'] } } }],
    ['opencode', 'opencode.json', { mcp: { ambit: { type: 'local', command: ['ambit', 'mcp'], enabled: true } } }],
  ] as const)('called %s is told of the MCP server in %s, and of no other', async (agent, name, expected) => {
    const { files } = await init({ place: project, agent })
    const file = files.find(({ path }) => path.endsWith(`/${name}`))
    expect(JSON.parse(file?.content ?? '')).toEqual(expected)
  })

  it('called codex is told of the MCP server in a file that is left alone when it is there', async () => {
    const { files } = await init({ place: project, agent: 'codex', write: true })
    expect(files[1]?.content).toBe('[mcp_servers.ambit]\ncommand = "ambit"\nargs = ["mcp"]\n')
    put('.codex/config.toml', 'model = "x"\n')
    const again = await init({ place: project, agent: 'codex', write: true })
    expect(again.files[1]).toMatchObject({ state: 'exists', note: expect.stringContaining('codex mcp add ambit') })
    expect(readFileSync(join(project, '.codex/config.toml'), 'utf8')).toBe('model = "x"\n')
  })

  it('that is unknown is refused, with the known ones', async () => {
    const error = await refusal(init({ place: project, agent: 'hal' as AgentName }))
    expect(error).toMatchObject({ code: 'invalid-input', hint: `Known are ${NAMES.join(', ')}.` })
  })
})

describe('a script', () => {
  const CONTEXT = '# Project Context\n\n"quoted" \\ and ünïcode 😀\n'

  /** Puts a program called ambit first on the PATH. */
  function environment(script: string): NodeJS.ProcessEnv {
    const bin = join(base, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'ambit'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    writeFileSync(join(base, 'context.md'), CONTEXT)
    return { ...process.env, PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin` }
  }

  const prints = () =>
    environment(`[ "$*" = "load --no-instructions --format xml" ] && cat '${join(base, 'context.md')}'`)

  function run(args: readonly string[], env: NodeJS.ProcessEnv): string {
    return execFileSync(process.execPath, args, {
      cwd: project,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  it.each([
    ['cursor', { additional_context: CONTEXT }],
    ['gemini', { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: CONTEXT } }],
  ] as const)('of %s answers with the context as JSON', async (agent, answer) => {
    await init({ place: project, agent, write: true })
    expect(JSON.parse(run([`.${agent}/hooks/ambit.mjs`], prints()))).toEqual(answer)
  })

  it.each([
    ['nothing when there is no context', 'exit 0', { status: 0, stdout: '' }],
    ['nothing when the program fails, and does not block', 'exit 2', { status: 1, stdout: '' }],
  ])('answers %s', async (_, script, expected) => {
    await init({ place: project, agent: 'gemini', write: true })
    const env = environment(script)
    let outcome = { status: 0, stdout: '' }
    try {
      outcome.stdout = run(['.gemini/hooks/ambit.mjs'], env)
    } catch (error) {
      outcome = error as typeof outcome
    }
    expect(outcome).toMatchObject(expected)
  })

  /** Starts the plugin of OpenCode in a process of its own, where `drive` sends two requests of a session. */
  async function plugged(drive: string, env: NodeJS.ProcessEnv): Promise<unknown> {
    await init({ place: project, agent: 'opencode', write: true })
    const url = pathToFileURL(join(project, '.opencode/plugins/ambit.js')).href
    const code = `import plugin from ${JSON.stringify(url)}; const out = []; ${drive}; console.log(JSON.stringify(out))`
    return JSON.parse(run(['--input-type=module', '-e', code], env))
  }

  const VERSION_1 = `
    const hooks = await plugin.server({ directory: process.cwd() })
    for (const system of [['You help.'], []]) {
      await hooks['experimental.chat.system.transform']({ sessionID: 's' }, { system })
      out.push(system)
    }`
  const VERSION_2 = `
    let hook
    const session = { hook: async (name, callback) => { if (name === 'context') hook = callback } }
    await plugin.setup({ location: { directory: process.cwd() }, session })
    for (const system of [[{ type: 'text', text: 'You help.' }], []]) {
      await hook({ sessionID: 's', system })
      out.push(system)
    }`
  const PART = { type: 'text', text: CONTEXT }

  it.each([
    ['1', VERSION_1, [[`You help.\n\n${CONTEXT}`], [CONTEXT]]],
    ['2', VERSION_2, [[{ type: 'text', text: 'You help.' }, PART], [PART]]],
  ])('of OpenCode %s adds the context to each request, loaded once', async (_, drive, expected) => {
    const count = join(base, 'count')
    const env = environment(`echo >> '${count}'; cat '${join(base, 'context.md')}'`)
    expect(await plugged(drive, env)).toEqual(expected)
    expect(readFileSync(count, 'utf8')).toBe('\n')
  })

  it('of OpenCode adds nothing when the program fails', async () => {
    expect(await plugged(VERSION_1, environment('exit 1'))).toEqual([['You help.'], []])
  })
})

describe('settings that are there', () => {
  const OTHERS = '{\n  "permissions": { "allow": ["Bash(ls)"] },\n  "hooks": {\n    "Stop": []\n  }\n}\n'

  it('get our entry beside the others, which stay byte for byte', async () => {
    put(SETTINGS, OTHERS)
    const answer = await init({ place: project, agent: 'claude', write: true })
    expect(states(answer)).toMatchObject({ [SETTINGS]: 'merged' })
    expect(read(SETTINGS)).toBe(answer.files[0]?.content)
    expect(read(SETTINGS).startsWith(OTHERS.slice(0, OTHERS.indexOf('[]') + 2))).toBe(true)
    expect(JSON.parse(read(SETTINGS)).hooks).toMatchObject({
      Stop: [],
      SessionStart: [{ matcher: expect.any(String) }],
    })
  })

  it.each([0o600, 0o644, 0o444])('keep the mode %o', async (mode) => {
    chmodSync(put(SETTINGS, OTHERS), mode)
    await init({ place: project, agent: 'claude', write: true })
    expect(statSync(join(project, SETTINGS)).mode & 0o777).toBe(mode)
    expect(readdirSync(join(project, '.claude'))).toEqual(['settings.json'])
  })

  it.each([
    ['with comments', '{\n  // mine\n  "a": 1\n}\n'],
    ['with a comma too many', '{ "a": 1, }'],
    ['that are empty', ''],
    ['that are a list', '[]'],
    ['whose hooks are no object', '{ "hooks": [] }'],
    ['whose event is no list', '{ "hooks": { "SessionStart": {} } }'],
    ['that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1')],
    ['that are enormous', `{ "a": "${'x'.repeat(4 * 1024 * 1024)}" }`],
  ])('%s are left alone, and the snippet is shown', async (_, content) => {
    mkdirSync(join(project, '.claude'))
    writeFileSync(join(project, SETTINGS), content, 'latin1')
    const { files } = await init({ place: project, agent: 'claude', write: true })
    expect(files[0]).toMatchObject({ state: 'exists' })
    expect(files[0]?.note).toMatch(
      /^Its? .*\. Add this by hand: \{"hooks":\{"SessionStart":\[.*\]\}\}$|^\.claude\/settings\.json has \d+ bytes/,
    )
    expect(JSON.parse(files[0]?.content ?? '')).toHaveProperty('hooks.SessionStart')
    expect(readFileSync(join(project, SETTINGS), 'latin1')).toBe(content)
  })

  it.each([
    ['as written by hand', '{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"ambit load"}]}]}}'],
    ['under another event', '{"hooks":{"UserPromptSubmit":[{"hooks":[{"command":"/opt/bin/ambit load -q"}]}]}}'],
    ['in quotes', '{"hooks":{"SessionStart":[{"hooks":[{"command":"\\"/a b/ambit\\" load"}]}]}}'],
  ])('with a hook of ours, %s, stay as they are', async (_, content) => {
    put(SETTINGS, content)
    const { files } = await init({ place: project, agent: 'claude', write: true })
    expect(files[0]).toMatchObject({
      state: 'exists',
      note: 'It is set up already: see that its hook runs nothing else.',
    })
    expect(read(SETTINGS)).toBe(content)
  })

  it.each(['cursor', 'gemini'] as const)('start no script that was there before, of %s', async (agent) => {
    const script = `.${agent}/hooks/ambit.mjs`
    put(script, 'steal()')
    const error = await refusal(init({ place: project, agent, write: true }))
    expect(error).toMatchObject({
      code: 'conflict',
      message: `${script} is there already, and is not what Ambit would write.`,
    })
    expect(existsSync(join(project, agent === 'cursor' ? '.cursor/hooks.json' : '.gemini/settings.json'))).toBe(false)
    expect(read(script)).toBe('steal()')
  })

  it('that only name the program elsewhere get our hook', async () => {
    put(SETTINGS, '{"permissions":{"allow":["Bash(ambit load:*)"]},"hooks":{"Stop":[{"command":"gambit load"}]}}')
    expect(states(await init({ place: project, agent: 'claude', write: true }))).toMatchObject({ [SETTINGS]: 'merged' })
  })

  it.each([
    ['a link', (path: string) => symlinkSync('../real.json', path)],
    ['a directory', (path: string) => mkdirSync(path)],
  ])('and are %s are left alone', async (_, make) => {
    const real = put('real.json', '{}')
    mkdirSync(join(project, '.claude'))
    make(join(project, SETTINGS))
    const { files } = await init({ place: project, agent: 'claude', write: true })
    expect(files[0]).toMatchObject({ state: 'exists', note: expect.stringMatching(/^It is no regular file\. Add/) })
    expect(readFileSync(real, 'utf8')).toBe('{}')
  })
})

describe('every setting up', () => {
  const WAYS = [undefined, ...NAMES] as const

  it.each(WAYS)('says without writing what it does with writing (%s)', async (agent) => {
    if (agent === 'gemini') put('.gemini/settings.json', '{\n\t"theme": "dark"\n}\n')
    const before = snapshot()
    const dry = await init({ place: project, agent, write: false })
    expect(snapshot()).toEqual(before)
    const wet = await init({ place: project, agent, write: true })
    const done = { 'would-write': 'written', 'would-merge': 'merged', exists: 'exists' } as Record<string, string>
    expect(wet.files).toEqual(dry.files.map((file) => ({ ...file, state: done[file.state] })))
  })

  it.each(WAYS)('done twice changes nothing the second time (%s)', async (agent) => {
    await init({ place: project, agent, write: true })
    const first = snapshot()
    const again = await init({ place: project, agent, write: true })
    expect(new Set(again.files.map(({ state }) => state))).toEqual(new Set(['exists']))
    expect(snapshot()).toEqual(first)
  })

  it.each(WAYS)('refuses to write through a link, to a place outside or inside (%s)', async (agent) => {
    const name =
      (await init({ place: project, agent, write: false })).files[0]?.path.slice(project.length + 1).split('/')[0] ?? ''
    for (const target of [join(base, 'outside'), join(project, 'inside')]) {
      mkdirSync(target)
      symlinkSync(target, join(project, name))
      for (const write of [false, true]) {
        const error = await refusal(init({ place: project, agent, write }))
        expect(error).toMatchObject({ code: 'denied' })
        expect(error.message).toContain(join(project, name))
        expect(error.hint).toBeTruthy()
      }
      expect(readdirSync(target)).toEqual([])
      rmSync(join(project, name))
    }
  })

  it.each(WAYS)('refuses a file where a directory should be, and writes nothing at all (%s)', async (agent) => {
    const name =
      (await init({ place: project, agent, write: false })).files[0]?.path.slice(project.length + 1).split('/')[0] ?? ''
    put(name, '')
    const before = snapshot()
    expect(await refusal(init({ place: project, agent, write: true }))).toMatchObject({ code: 'conflict' })
    expect(snapshot()).toEqual(before)
  })

  it.each([
    ['a place that is not there', () => join(project, 'gone'), 'not-found'],
    ['a directory of the system', () => '/etc', 'denied'],
    ['a place that is not on disk', () => 'ambit://docs', 'invalid-input'],
  ])('refuses %s', async (_, place, code) => {
    expect(await refusal(init({ place: place(), write: true }))).toMatchObject({ code })
  })

  it.skipIf(process.getuid?.() === 0)('is denied where nothing may be written (not as root, who may)', async () => {
    chmodSync(project, 0o555)
    const error = await refusal(init({ place: project, write: true }))
    chmodSync(project, 0o755)
    expect(error).toMatchObject({ code: 'denied', hint: expect.stringContaining('permissions') })
  })

  it('follows a link that the place itself is, and writes into what it leads to', async () => {
    symlinkSync(project, join(base, 'link'))
    const answer = await init({ place: join(base, 'link'), write: true })
    expect(answer.root).toBe(join(base, 'link'))
    expect(read('AGENTS.md')).toBe(answer.files.at(-1)?.content)
  })
})

describe('between the look and the deed', () => {
  it('a directory that becomes a link is not written through', () => {
    const root = openRoot(project)
    const outside = join(base, 'outside')
    mkdirSync(outside)
    symlinkSync(outside, join(project, '.context'))
    expect(() => createFile({ root, name: '.context/TASKS.md' }, 'x')).toThrow(/\.context/)
    expect(readdirSync(outside)).toEqual([])
  })

  it.each([
    ['a file', (path: string) => writeFileSync(path, 'theirs')],
    ['a link to nothing', (path: string) => symlinkSync(join(base, 'outside'), path)],
  ])('a name that becomes %s is left as it is', (_, make) => {
    make(join(project, 'AGENTS.md'))
    expect(createFile({ root: openRoot(project), name: 'AGENTS.md' }, 'ours')).toBe(false)
    expect(existsSync(join(base, 'outside'))).toBe(false)
  })

  it('what the system refuses is told with the path and its word for it', () => {
    const name = `${'x'.repeat(300)}.md`
    expect(() => createFile({ root: openRoot(project), name }, '')).toThrow(
      expect.objectContaining({ code: 'unavailable', message: expect.stringMatching(/x{300}\.md .*ENAMETOOLONG/) }),
    )
  })

  it.each([
    ['is written to', 'a.json', (path: string) => writeFileSync(path, 'theirs')],
    ['becomes a link', 'gone', (path: string) => symlinkSync(join(base, 'other'), path)],
    ['becomes another file', 'gone', (path: string) => linkSync(join(base, 'other'), path)],
  ])('a file that %s is not replaced', (_, moved, change) => {
    const path = put('a.json', '{}')
    writeFileSync(join(base, 'other'), 'other')
    const version = versionAt(path)
    if (!version) throw new Error('There is no version.')
    renameSync(path, join(project, moved))
    change(path)
    const replace = () => replaceFile({ root: openRoot(project), name: 'a.json' }, 'ours', version)
    expect(replace).toThrow(expect.objectContaining({ code: 'conflict', hint: 'Try again.' }))
    expect(readdirSync(project).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(readFileSync(path, 'utf8')).not.toBe('ours')
    expect(readFileSync(join(base, 'other'), 'utf8')).toBe('other')
  })
})
