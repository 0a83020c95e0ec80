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

const TEXT: Excerpt = { type: 'string' }
const NAME: Excerpt = { type: 'string', pattern: /^[a-z0-9]+(-[a-z0-9]+)*$/, most: 64 }
const VERSION: Excerpt = { type: 'string', pattern: /^\d+\.\d+\.\d+/ }
const RELATIVE: Excerpt = { type: 'string', pattern: /^(\.\/)?(?!\/)(?!.*\.\.)/ }
const DESCRIBED = {
  name: NAME,
  version: VERSION,
  description: TEXT,
  license: TEXT,
  keywords: { type: 'array', items: TEXT },
} as const
const SERVERS: Excerpt = {
  type: 'object',
  required: ['mcpServers'],
  properties: {
    mcpServers: { type: 'object', others: { type: 'object', required: ['command'], properties: { command: TEXT } } },
  },
  others: false,
}

/** Entries of hooks in Claude Code's form. */
function hooks(...events: readonly string[]): Excerpt {
  const command: Excerpt = {
    type: 'object',
    required: ['type', 'command'],
    properties: {
      type: { type: 'string', pattern: /^command$/ },
      command: TEXT,
      timeout: { type: 'number' },
      additionalContextLimit: { type: 'number' },
      name: TEXT,
    },
    others: false,
  }
  const matcher: Excerpt = {
    type: 'object',
    required: ['hooks'],
    properties: { matcher: TEXT, hooks: { type: 'array', items: command } },
    others: false,
  }
  const lists = Object.fromEntries(events.map((event) => [event, { type: 'array', items: matcher } as const]))
  return {
    type: 'object',
    required: ['hooks'],
    properties: { hooks: { type: 'object', properties: lists, others: false } },
    others: false,
  }
}

const NODE_PLUGIN: Excerpt = {
  type: 'object',
  required: ['name', 'version', 'exports'],
  properties: { name: NAME, version: VERSION, exports: RELATIVE },
}

/** What the tools' documentation says of each file, as far as it says that something must be. */
const EXCERPTS: Readonly<Record<string, Excerpt>> = {
  // https://code.claude.com/docs/en/plugins-reference
  'plugins/claude/.claude-plugin/plugin.json': {
    type: 'object',
    required: ['name'],
    properties: DESCRIBED,
    others: false,
  },
  'plugins/claude/hooks/hooks.json': hooks(
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'SubagentStart',
  ),
  'plugins/claude/.mcp.json': SERVERS,
  // https://code.claude.com/docs/en/plugin-marketplaces
  '.claude-plugin/marketplace.json': {
    type: 'object',
    required: ['name', 'owner', 'plugins'],
    properties: {
      name: NAME,
      owner: { type: 'object', required: ['name'] },
      plugins: {
        type: 'array',
        items: { type: 'object', required: ['name', 'source'], properties: { name: NAME, source: RELATIVE } },
      },
    },
  },
  // https://developers.openai.com/codex/plugins/build
  'plugins/codex/.codex-plugin/plugin.json': {
    type: 'object',
    required: ['name', 'version', 'description'],
    properties: { ...DESCRIBED, skills: RELATIVE, mcpServers: RELATIVE, hooks: RELATIVE },
    others: false,
  },
  'plugins/codex/hooks/hooks.json': hooks(
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'SubagentStart',
  ),
  'plugins/codex/.mcp.json': SERVERS,
  '.agents/plugins/marketplace.json': {
    type: 'object',
    required: ['name', 'plugins'],
    properties: {
      plugins: {
        type: 'array',
        items: {
          type: 'object',
          required: ['name', 'source', 'policy', 'category'],
          properties: { source: { type: 'object', required: ['source', 'path'], properties: { path: RELATIVE } } },
        },
      },
    },
  },
  // https://geminicli.com/docs/extensions/reference
  'plugins/gemini/gemini-extension.json': {
    type: 'object',
    required: ['name', 'version'],
    properties: {
      name: NAME,
      version: VERSION,
      mcpServers: { type: 'object', others: { type: 'object', required: ['command'] } },
    },
  },
  'plugins/gemini/hooks/hooks.json': hooks('SessionStart', 'BeforeAgent', 'AfterTool', 'PreCompress'),
  // https://cursor.com/docs/plugins
  'plugins/cursor/.cursor-plugin/plugin.json': {
    type: 'object',
    required: ['name'],
    properties: DESCRIBED,
    others: false,
  },
  'plugins/cursor/hooks/hooks.json': {
    type: 'object',
    required: ['version', 'hooks'],
    properties: {
      version: { type: 'number' },
      hooks: { type: 'object', others: { type: 'array', items: { type: 'object', required: ['command'] } } },
    },
    others: false,
  },
  'plugins/cursor/mcp.json': SERVERS,
  // https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-plugin-reference
  'plugins/copilot/plugin.json': {
    type: 'object',
    required: ['name'],
    properties: { ...DESCRIBED, skills: RELATIVE, hooks: RELATIVE, mcpServers: RELATIVE },
    others: false,
  },
  'plugins/copilot/hooks.json': {
    type: 'object',
    required: ['version', 'hooks'],
    properties: {
      version: { type: 'number' },
      hooks: { type: 'object', others: { type: 'array', items: { type: 'object', required: ['type', 'bash'] } } },
    },
    others: false,
  },
  'plugins/copilot/.mcp.json': SERVERS,
  // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
  'plugins/vscode/mcp.json': {
    type: 'object',
    required: ['servers'],
    properties: { servers: { type: 'object', others: { type: 'object', required: ['type', 'command'] } } },
    others: false,
  },
  // https://opencode.ai/docs/plugins and https://kilo.ai/docs/automate/extending/plugins
  'plugins/opencode/package.json': NODE_PLUGIN,
  'plugins/kilo/package.json': NODE_PLUGIN,
  // https://github.com/modelcontextprotocol/registry: docs/reference/server-json, its schema and the registry's requirements
  'server.json': {
    type: 'object',
    required: ['$schema', 'name', 'description', 'version', 'packages'],
    others: false,
    properties: {
      $schema: {
        type: 'string',
        pattern: /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/2025-12-11\/server\.schema\.json$/,
      },
      title: { type: 'string', most: 100 },
      websiteUrl: { type: 'string', pattern: /^https:/ },
      repository: {
        type: 'object',
        required: ['url', 'source'],
        properties: {
          url: { type: 'string', pattern: /^https:\/\/github\.com\/[\w-]+\/[\w.-]+$/ },
          source: { type: 'string', pattern: /^github$/ },
        },
      },
      name: { type: 'string', pattern: /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/, most: 200 },
      description: { type: 'string', most: 100 },
      version: VERSION,
      packages: {
        type: 'array',
        items: {
          type: 'object',
          required: ['registryType', 'identifier', 'transport'],
          properties: {
            registryType: { type: 'string', pattern: /^(npm|pypi|oci|nuget|mcpb)$/ },
            // One version: no range, and not "latest".
            version: { type: 'string', pattern: /^\d+\.\d+\.\d+(-[\w.-]+)?$/ },
            packageArguments: {
              type: 'array',
              items: {
                type: 'object',
                required: ['type', 'value'],
                properties: { type: { type: 'string', pattern: /^(positional|named)$/ }, value: TEXT },
              },
            },
            transport: {
              type: 'object',
              required: ['type'],
              properties: { type: { type: 'string', pattern: /^(stdio|streamable-http|sse)$/ } },
            },
          },
        },
      },
    },
  },
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
