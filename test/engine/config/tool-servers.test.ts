import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/engine/config.ts'
import { homeWith } from './home.ts'

type Environment = Readonly<Record<string, string>>

async function configOf(file: string, environment: Environment = {}, { mode = 0o600, files = {} } = {}) {
  using at = homeWith(file, mode, files)
  const { unknown, ...config } = await readConfig({ HOME: at.base, ...environment })
  expect(unknown).toEqual([])
  return config
}

describe('the servers of tools', () => {
  const FILE =
    'mcpServers:\n  files: { command: npx, args: [-y, x], env: { KEY: k } }\n  docs: { url: "https://a.example/mcp" }\n'

  it('are what the file says', async () => {
    expect((await configOf(FILE)).mcpServers).toEqual({
      files: { command: 'npx', args: ['-y', 'x'], env: { KEY: 'k' } },
      docs: { url: 'https://a.example/mcp' },
    })
  })

  it('have variables of the environment in their texts, which must be set unless the server is disabled', async () => {
    const file = (more: string) =>
      `mcpServers: { a: { command: "\${BIN:-npx}", args: ["\${KEY}"], timeout: 9${more} } }`
    expect((await configOf(file(''), { KEY: 'k' })).mcpServers).toEqual({
      a: { command: 'npx', args: ['k'], timeout: 9 },
    })
    await expect(configOf(file(''))).rejects.toMatchObject({ message: expect.stringContaining('"KEY"') })
    expect((await configOf(file(', disabled: true'))).mcpServers).toMatchObject({ a: { disabled: true } })
  })

  it('are not to be connected with where others may read what may be secret', async () => {
    const { mcpServers, file } = await configOf(FILE, {}, { mode: 0o644 })
    expect(mcpServers).toEqual({
      files: expect.objectContaining({ problem: expect.stringContaining(`chmod 600 ${file}`) }),
      docs: { url: 'https://a.example/mcp' },
    })
  })

  it.each([
    ['claude', '.claude.json', '{ "mcpServers": { "my notes": { "type": "stdio", "command": "npx", "args": [] } } }'],
    [
      'cursor',
      '.cursor/mcp.json',
      '{ "mcpServers": { "my notes": { "command": "npx", "args": [], "envFile": "x" } } }',
    ],
    [
      'vscode',
      '.config/Code/User/mcp.json',
      `{ // mine\n "servers": { "my notes": { "command": "\${env:BIN}", "args": [] } } }`,
    ],
    ['~/work/.mcp.json', 'work/.mcp.json', `{ "mcpServers": { "my notes": { "command": "\${BIN}", "args": [] } } }`],
  ])('are also those of %s, on request, behind those of the file', async (from, path, text) => {
    const given = (file: string) => configOf(file, { BIN: 'npx' }, { files: { [path]: text } })
    expect((await given(`mcpServersFrom: ["${from}"]`)).mcpServers).toMatchObject({
      'my-notes': { command: 'npx', args: [] },
    })
    const own = `mcpServersFrom: ["${from}"]\nmcpServers: { my-notes: { command: own } }`
    expect((await given(own)).mcpServers).toEqual({ 'my-notes': { command: 'own' } })
    expect((await given('home: /')).mcpServers).toBeUndefined()
  })

  it('of other programs that cannot be used say why, and the others are used', async () => {
    const files = {
      '.claude.json': '{ "mcpServers": { "a": { "type": "sse", "url": "http://b" }, "c": { "url": "http://d" } } }',
    }
    expect((await configOf('mcpServersFrom: [claude]', {}, { files })).mcpServers).toEqual({
      a: { problem: expect.stringContaining('"type"') },
      c: { url: 'http://d' },
    })
  })

  it.each([
    ['a list', 'mcpServers: [a]'],
    ['neither command nor url', 'mcpServers: { a: { args: [b] } }'],
    ['both', 'mcpServers: { a: { command: b, url: "http://c" } }'],
    ['a name that models cannot call', 'mcpServers: { a__b: { command: c } }'],
    ['a name with a space', 'mcpServers: { "a b": { command: c } }'],
    ['a url of another kind', 'mcpServers: { a: { url: "file:///etc" } }'],
    ['a place that is not absolute', 'mcpServers: { a: { command: b, cwd: c } }'],
    ['arguments that are no texts', 'mcpServers: { a: { command: b, args: [1] } }'],
    ['a field that is none', 'mcpServers: { a: { command: b, trust: true } }'],
    ['a prototype', 'mcpServers: { a: { command: b, toString: true } }'],
    ['a word', 'mcpServers: { a: b }'],
    ['roots that are not absolute', 'mcpServers: { a: { command: b, roots: [c] } }'],
    ['a client that is none', 'mcpServers: { a: { url: "http://c", oauth: { id: c } } }'],
    ['files that are no list', 'mcpServersFrom: claude'],
    ['a file that is not there', 'mcpServersFrom: [/nowhere/.mcp.json]'],
    ['a directory', 'mcpServersFrom: [/tmp]'],
    ['what is no file', 'mcpServersFrom: [/dev/null]'],
    ['a file that is not JSON', `mcpServersFrom: [${import.meta.filename}]`],
    ['a file that a project could have', 'mcpServersFrom: [.mcp.json]'],
  ])('are refused with %s', async (_, file) => {
    await expect(configOf(file)).rejects.toMatchObject({
      code: 'invalid-input',
      hint: expect.stringContaining('mcpServers'),
    })
  })
})
