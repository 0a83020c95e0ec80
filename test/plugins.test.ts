import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { pluginFiles } from '../scripts/plugins/files.ts'
import { HOOK_AGENTS, isHookAgent } from '../src/surfaces/hook/agents.ts'

const ROOT = dirname(import.meta.dirname)
const files = pluginFiles()
const json = (path: string) => JSON.parse(files.get(path) ?? 'null')

/** The part of JSON Schema that the excerpts below are written in. */
interface Excerpt {
  readonly type?: 'object' | 'array' | 'string' | 'number'
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Excerpt>>
  /** Of properties that are not named; `false`: there are none. */
  readonly others?: Excerpt | false
  readonly items?: Excerpt
  readonly pattern?: RegExp
  readonly most?: number
}

/** What is wrong with a value, with where. */
function problems(value: unknown, schema: Excerpt, at = '$'): string[] {
  const { type, required = [], properties = {}, others, items, pattern, most } = schema
  const is = Array.isArray(value) ? 'array' : typeof value
  if (type !== undefined && is !== type) return [`${at} is no ${type}`]
  if (typeof value === 'string') {
    const wrong = (pattern && !pattern.test(value)) || value.length > (most ?? Number.POSITIVE_INFINITY)
    return wrong ? [`${at} is ${value}`] : []
  }
  if (Array.isArray(value)) return items ? value.flatMap((item, index) => problems(item, items, `${at}[${index}]`)) : []
  if (typeof value !== 'object' || value === null) return []
  const missing = required.filter((key) => !Object.hasOwn(value, key)).map((key) => `${at}.${key} is missing`)
  const inside = Object.entries(value).flatMap(([key, one]) => {
    const own = Object.hasOwn(properties, key) ? properties[key] : others
    if (own === false) return [`${at}.${key} is unknown`]
    return own ? problems(one, own, `${at}.${key}`) : []
  })
  return [...missing, ...inside]
}

/** Settings of OpenCode that a plugin may add to. */
interface Configured {
  mcp?: object
  skills?: object
}

type Properties = Readonly<Record<string, Excerpt>>

/** An object; `others`: what its further properties are. */
function object(needed: string, properties: Properties = {}, others?: Excerpt | false): Excerpt {
  const required = needed.split(' ').filter((name) => name !== '')
  return { type: 'object', required, properties, ...(others !== undefined && { others }) }
}

const list = (items: Excerpt): Excerpt => ({ type: 'array', items })
const like = (pattern: RegExp, most?: number): Excerpt => ({ type: 'string', pattern, ...(most && { most }) })

const TEXT: Excerpt = { type: 'string' }
const NUMBER: Excerpt = { type: 'number' }
const NAME = like(/^[a-z0-9]+(-[a-z0-9]+)*$/, 64)
const VERSION = like(/^\d+\.\d+\.\d+/)
const RELATIVE = like(/^(\.\/)?(?!\/)(?!.*\.\.)/)
const DESCRIBED = { name: NAME, version: VERSION, description: TEXT, license: TEXT, keywords: list(TEXT) }
const SERVERS = object('mcpServers', { mcpServers: object('', {}, object('command', { command: TEXT })) }, false)

/** Entries of hooks in Claude Code's form. */
function hooks(events: string): Excerpt {
  const settings = { timeout: NUMBER, additionalContextLimit: NUMBER, name: TEXT }
  const command = object('type command', { type: like(/^command$/), command: TEXT, ...settings }, false)
  const matcher = object('hooks', { matcher: TEXT, hooks: list(command) }, false)
  const lists = Object.fromEntries(events.split(' ').map((event) => [event, list(matcher)]))
  return object('hooks', { hooks: object('', lists, false) }, false)
}

const versionedHooks = (needed: string): Excerpt =>
  object('version hooks', { version: NUMBER, hooks: object('', {}, list(object(needed))) }, false)

const NODE_PLUGIN = object('name version exports', { name: NAME, version: VERSION, exports: RELATIVE })

/** What the tools' documentation says of each file, as far as it says that something must be. */
const EXCERPTS: Properties = {
  // https://code.claude.com/docs/en/plugins-reference
  'plugins/claude/.claude-plugin/plugin.json': object('name', { ...DESCRIBED, author: object('name') }, false),
  'plugins/claude/hooks/hooks.json': hooks(
    'SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure SubagentStart',
  ),
  'plugins/claude/.mcp.json': SERVERS,
  // https://code.claude.com/docs/en/plugin-marketplaces
  '.claude-plugin/marketplace.json': object('name owner plugins', {
    name: NAME,
    owner: object('name'),
    plugins: list(object('name source', { name: NAME, source: RELATIVE })),
  }),
  // https://developers.openai.com/codex/plugins/build
  'plugins/codex/.codex-plugin/plugin.json': object(
    'name version description',
    { ...DESCRIBED, skills: RELATIVE, mcpServers: RELATIVE, hooks: RELATIVE },
    false,
  ),
  'plugins/codex/hooks/hooks.json': hooks('SessionStart UserPromptSubmit PreToolUse PostToolUse SubagentStart'),
  'plugins/codex/.mcp.json': SERVERS,
  '.agents/plugins/marketplace.json': object('name plugins', {
    plugins: list(object('name source policy category', { source: object('source path', { path: RELATIVE }) })),
  }),
  // https://geminicli.com/docs/extensions/reference
  'plugins/gemini/gemini-extension.json': object('name version', {
    name: NAME,
    version: VERSION,
    mcpServers: object('', {}, object('command')),
  }),
  'plugins/gemini/hooks/hooks.json': hooks('SessionStart BeforeAgent AfterTool PreCompress'),
  // https://cursor.com/docs/plugins
  'plugins/cursor/.cursor-plugin/plugin.json': object('name', DESCRIBED, false),
  'plugins/cursor/hooks/hooks.json': versionedHooks('command'),
  'plugins/cursor/mcp.json': SERVERS,
  // https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-plugin-reference
  'plugins/copilot/plugin.json': object(
    'name',
    { ...DESCRIBED, skills: RELATIVE, hooks: RELATIVE, mcpServers: RELATIVE },
    false,
  ),
  'plugins/copilot/hooks.json': versionedHooks('type bash'),
  'plugins/copilot/.mcp.json': SERVERS,
  // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
  'plugins/vscode/mcp.json': object('servers', { servers: object('', {}, object('type command')) }, false),
  // https://opencode.ai/docs/plugins and https://kilo.ai/docs/automate/extending/plugins
  'plugins/opencode/package.json': NODE_PLUGIN,
  'plugins/kilo/package.json': NODE_PLUGIN,
  // https://github.com/modelcontextprotocol/registry: docs/reference/server-json, its schema and the registry's requirements
  'server.json': object(
    '$schema name description version packages',
    {
      $schema: like(/^https:\/\/static\.modelcontextprotocol\.io\/schemas\/2025-12-11\/server\.schema\.json$/),
      title: { type: 'string', most: 100 },
      websiteUrl: like(/^https:/),
      repository: object('url source', {
        url: like(/^https:\/\/github\.com\/[\w-]+\/[\w.-]+$/),
        source: like(/^github$/),
      }),
      name: like(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/, 200),
      description: { type: 'string', most: 100 },
      version: VERSION,
      packages: list(
        object('registryType identifier transport', {
          registryType: like(/^(npm|pypi|oci|nuget|mcpb)$/),
          // One version: no range, and not "latest".
          version: like(/^\d+\.\d+\.\d+(-[\w.-]+)?$/),
          packageArguments: list(object('type value', { type: like(/^(positional|named)$/), value: TEXT })),
          transport: object('type', { type: like(/^(stdio|streamable-http|sse)$/) }),
        }),
      ),
    },
    false,
  ),
}

describe('the plugins', () => {
  it('are as the script writes them (npm run plugins), with nothing besides', () => {
    for (const [path, text] of files) expect([path, readFileSync(join(ROOT, path), 'utf8')]).toEqual([path, text])
    const there = globSync('plugins/**/*', { cwd: ROOT, withFileTypes: true }).filter((entry) => entry.isFile())
    const own = [...files.keys()].filter((path) => path.startsWith('plugins/'))
    const dotted = own.filter((path) => /\/\./.test(path))
    expect(there.length).toBeGreaterThanOrEqual(own.length - dotted.length)
    expect(there.length).toBeLessThanOrEqual(own.length)
  })

  it.each(Object.keys(EXCERPTS))('are what the tool takes: %s', (path) => {
    const value = json(path)
    expect(value).not.toBeNull()
    expect(problems(value, EXCERPTS[path] ?? {})).toEqual([])
  })

  it('have an excerpt for every file that a program parses', () => {
    expect(Object.keys(EXCERPTS).sort()).toEqual([...files.keys()].filter((path) => path.endsWith('.json')).sort())
  })

  it('would be found wrong', () => {
    expect(problems({ name: 'Ambit', hooks: 1 }, EXCERPTS['plugins/claude/.claude-plugin/plugin.json'] ?? {})).toEqual([
      '$.name is Ambit',
      '$.hooks is unknown',
    ])
    expect(problems({ hooks: { Stop: [] } }, EXCERPTS['plugins/codex/hooks/hooks.json'] ?? {})).toEqual([
      '$.hooks.Stop is unknown',
    ])
    expect(problems({}, EXCERPTS['server.json'] ?? {})).toContain('$.name is missing')
  })

  it('run the hook of their own agent', () => {
    for (const [path, text] of files) {
      const agent = /^plugins\/(\w+)\/.*hooks\.json$/.exec(path)?.[1]
      if (agent === undefined) continue
      const named = new Set([...text.matchAll(/ambit hook (\w+)/g)].map(([, name = '']) => name))
      expect([path, [...named]]).toEqual([path, [agent]])
      expect(isHookAgent(agent) && HOOK_AGENTS[agent]).toBeTruthy()
    }
  })

  it('name files that are there', () => {
    for (const [manifest, folder] of [
      ['plugins/codex/.codex-plugin/plugin.json', 'plugins/codex'],
      ['plugins/copilot/plugin.json', 'plugins/copilot'],
    ] as const)
      for (const key of ['skills', 'hooks', 'mcpServers']) {
        const path = join(folder, json(manifest)[key])
        expect([...files.keys()].some((file) => file === path || file.startsWith(path))).toBe(true)
      }
    expect(
      files.has(`${join(json('.claude-plugin/marketplace.json').plugins[0].source)}/.claude-plugin/plugin.json`),
    ).toBe(true)
    expect(
      files.has(`${join(json('.agents/plugins/marketplace.json').plugins[0].source.path)}/.codex-plugin/plugin.json`),
    ).toBe(true)
  })

  it('have a skill whose name is that of its folder, and whose description says when', () => {
    for (const [path, text] of files) {
      if (!path.endsWith('SKILL.md')) continue
      const [, name, description = ''] = /^---\nname: (.*)\ndescription: (.*)\n---\n/.exec(text) ?? []
      expect(path.split('/').at(-2)).toBe(name)
      expect(description).toMatch(/Use (before|when)/)
      expect(description.length).toBeLessThanOrEqual(1024)
    }
  })

  describe.each(['opencode', 'kilo'])('are programs that Node reads: %s', (agent) => {
    const path = `plugins/${agent}/index.js`
    const plugin = async () => (await import(pathToFileURL(join(ROOT, path)).href)).default

    it('which run the hook of their own agent', async () => {
      expect(await plugin()).toMatchObject({ id: 'ambit', server: expect.any(Function) })
      const named = [...(files.get(path) ?? '').matchAll(/\['hook', '(\w+)'\]/g)].map(([, name]) => name)
      expect(named).toEqual([agent])
    })

    it('which bring the server and a skill, and change nothing that is set', async () => {
      const { config: configure } = await (await plugin()).server({ directory: ROOT })
      const fresh: Configured = {}
      const own: Configured = { mcp: { ambit: { enabled: false }, other: {} }, skills: { paths: ['mine'] } }
      await configure(fresh)
      await configure(own)
      const skills = join(ROOT, 'plugins', agent, 'skills')
      expect(fresh).toEqual({
        mcp: { ambit: { type: 'local', command: ['ambit', 'mcp'], enabled: true } },
        skills: { paths: [skills] },
      })
      expect(own).toEqual({ mcp: { ambit: { enabled: false }, other: {} }, skills: { paths: ['mine', skills] } })
      expect(files.has(`plugins/${agent}/skills/ambit/SKILL.md`)).toBe(true)
    })
  })

  it('have the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    for (const path of [
      'plugins/claude/.claude-plugin/plugin.json',
      'plugins/gemini/gemini-extension.json',
      'server.json',
    ])
      expect([path, json(path).version]).toEqual([path, version])
  })

  it('have the name in the MCP registry that the owner of the repository may use, and the package says it, too', () => {
    const { name, mcpName, repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const [, owner] = /github\.com\/([^/]+)\//.exec(repository.url) ?? []
    const server = json('server.json')
    expect([server.name, mcpName]).toEqual([`io.github.${owner}/${name}`, `io.github.${owner}/${name}`])
    expect(`git+${server.repository.url}.git`).toBe(repository.url)
    expect(server.packages.map(({ identifier }: { identifier: string }) => identifier)).toEqual([name])
    expect(server.packages[0].version).toBe(server.version)
  })
})
