/** The MCP servers whose tools the assistant may call: `mcpServers` in the person's own file, and the files that it names. */

import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { type ParseError, parse as parseJsonc } from 'jsonc-parser'
import type { ToolServerConfig, ToolServersConfig } from '../../agent/tool-servers.ts'
import { ContextError, invalidInput } from '../../core/errors.ts'
import { statOf } from '../../files/file-version.ts'
import type { ConfigSources } from './language.ts'

type Check = (value: unknown) => boolean

const isNonEmptyText: Check = (value) => typeof value === 'string' && value !== ''
const isTexts: Check = (value) => Array.isArray(value) && value.every((one) => typeof one === 'string')
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const areTexts: Check = (value) => isRecord(value) && Object.values(value).every((one) => typeof one === 'string')

const OAUTH: Readonly<Record<string, string>> = {
  clientId: 'string',
  clientSecret: 'string',
  scope: 'string',
  port: 'number',
}

const FIELDS: Readonly<Record<keyof Omit<ToolServerConfig, 'problem'>, Check>> = {
  command: isNonEmptyText,
  args: isTexts,
  env: areTexts,
  cwd: (value) => typeof value === 'string' && value.startsWith('/'),
  url: (value) => typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value),
  headers: areTexts,
  timeout: (value) => typeof value === 'number' && Number.isInteger(value) && value > 0,
  disabled: (value) => typeof value === 'boolean',
  type: (value) => ['stdio', 'http', 'streamable-http'].includes(String(value)),
  roots: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string' && one.startsWith('/')),
  oauth: (value) =>
    isRecord(value) && Object.entries(value).every(([name, one]) => OAUTH[name] === typeof one && one !== ''),
  trustReadOnly: (value) => typeof value === 'boolean',
  readOnly: isTexts,
}

/**
 * By name: those of `mcpServers`, and those of the files of other programs that `mcpServersFrom` names. Undefined where there
 * are none.
 *
 * @throws ContextError `invalid-input` for what is not a server.
 */
export function toolServersIn(sources: ConfigSources): ToolServersConfig | undefined {
  const { file = '', values, isOpen } = sources
  const { mcpServers: servers = {}, mcpServersFrom: others = [] } = values
  if (values.mcpServers === undefined && values.mcpServersFrom === undefined) return undefined
  if (!isRecord(servers)) throw invalidServers(file, '"mcpServers" must name servers')
  const own = Object.entries(servers).map(([name, given]): [string, ToolServerConfig] => {
    const isUsed = !isRecord(given) || given.disabled !== true
    const server = isUsed
      ? fillVariables(given, (variable) => variableValue(variable, { name, environment: sources.environment, file }))
      : given
    assertServer(name, server, file)
    const isSecret = [server.env, server.headers, Object(server.oauth).clientSecret].some((one) => one !== undefined)
    return [name, { ...(server as ToolServerConfig), ...(isOpen && isSecret && { problem: fileIsOpen(file) }) }]
  })
  if (!Array.isArray(others)) throw invalidServers(file, '"mcpServersFrom" must be a list')
  return Object.fromEntries([...others.flatMap((from) => serversOf(String(from), sources)), ...own])
}

/** Where programs keep the servers of a person, in their home directory; the first that is there. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  claude: ['.claude.json'],
  cursor: ['.cursor/mcp.json'],
  vscode: ['.config/Code/User/mcp.json', 'Library/Application Support/Code/User/mcp.json'],
}

/** The servers of a file as other programs have it. One that cannot be used as it stands says why when it is needed. */
function serversOf(from: string, { environment, file = '' }: ConfigSources): [string, ToolServerConfig][] {
  const home = environment.HOME ?? ''
  const paths = Object.hasOwn(PROGRAMS, from) ? PROGRAMS[from]?.map((one) => join(home, one)) : [from]
  const path = (paths ?? [])
    .map((one) => one.replace(/^~(?=\/)/, home))
    .find((one) => isAbsolute(one) && statOf(one)?.isFile())
  if (path === undefined) {
    const known = Object.keys(PROGRAMS).join(', ')
    throw invalidServers(file, `"mcpServersFrom" names ${from}, which is no file: it takes ${known} and absolute paths`)
  }
  const { mcpServers, servers = mcpServers } = Object(readJsonc(path))
  return Object.entries(isRecord(servers) ? servers : {}).map(([given, server]) => {
    const name = given
      .replace(/[^a-zA-Z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 32)
    const known = isRecord(server) ? Object.entries(server).filter(([field]) => Object.hasOwn(FIELDS, field)) : []
    try {
      const filled = fillVariables(Object.fromEntries(known), (variable) =>
        variableValue(variable.replace(/^env:/, ''), { name, environment, file: path }),
      )
      assertServer(name, filled, path)
      return [name, filled as ToolServerConfig]
    } catch (error) {
      if (!(error instanceof ContextError)) throw error
      return [name, { problem: error.message }]
    }
  })
}

/** JSON with comments, as programs write it. @throws ContextError `invalid-input` for a file that cannot be read, or is something else. */
function readJsonc(path: string): unknown {
  const errors: ParseError[] = []
  try {
    const value: unknown = parseJsonc(readFileSync(path, 'utf8'), errors, { allowTrailingComma: true })
    if (errors.length === 0) return value
  } catch (cause) {
    throw invalidServers(path, `it cannot be read (${Object(cause).code ?? cause})`)
  }
  throw invalidServers(path, 'it is not JSON')
}

interface VariableUse {
  readonly name: string
  readonly environment: ConfigSources['environment']
  readonly file: string
}

/** @param variable As it stands between the braces: `NAME`, or `NAME:-default`. */
function variableValue(variable: string, { name, environment, file }: VariableUse): string {
  const [, key = '', fallback] = /^(\w+)(?::-(.*))?$/s.exec(variable) ?? []
  const value = environment[key] || fallback
  if (value !== undefined) return value
  throw invalidServers(
    file,
    `the server ${JSON.stringify(name)} needs the variable ${JSON.stringify(variable)}, which is not set`,
  )
}

/** Texts at any depth, with `${NAME}` replaced. */
function fillVariables(value: unknown, lookUp: (variable: string) => string): unknown {
  if (typeof value === 'string') return value.replace(/\$\{([^{}]*)\}/g, (_, variable: string) => lookUp(variable))
  if (Array.isArray(value)) return value.map((one) => fillVariables(one, lookUp))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillVariables(one, lookUp)]))
}

function assertServer(
  name: string,
  server: unknown,
  file: string,
): asserts server is Readonly<Record<string, unknown>> {
  const named = JSON.stringify(name)
  if (!/^[a-zA-Z0-9]([a-zA-Z0-9-]{0,30}[a-zA-Z0-9])?$/.test(name)) {
    throw invalidServers(file, `${named} is not a name of a server: it has up to 32 letters, digits and dashes`)
  }
  if (!isRecord(server)) throw invalidServers(file, `the server ${named} must have a command or a url`)
  for (const [field, value] of Object.entries(server)) {
    const check = Object.hasOwn(FIELDS, field) ? FIELDS[field as keyof typeof FIELDS] : undefined
    if (!check?.(value)) {
      throw invalidServers(
        file,
        `"${field}" of the server ${named} is not valid: it takes ${Object.keys(FIELDS).join(', ')}`,
      )
    }
  }
  if ((server.command === undefined) === (server.url === undefined)) {
    throw invalidServers(file, `the server ${named} must have either a command or a url`)
  }
}

function fileIsOpen(file: string): string {
  return `The configuration file ${file} holds what may be secret, and others may read it: run "chmod 600 ${file}".`
}

function invalidServers(file: string, problem: string): ContextError {
  const hint =
    'For example: mcpServers: { files: { command: npx, args: [-y, some-server] }, docs: { url: https://… } }.'
  return invalidInput(`The configuration file ${file} cannot be used: ${problem}.`, hint)
}
