/** The MCP servers whose tools the assistant may call: `mcpServers` in the person's own file, and nowhere else. */

import type { ToolServerConfig, ToolServersConfig } from '../../agent/tool-servers.ts'
import { type ContextError, invalidInput } from '../../core/errors.ts'
import type { ConfigSources } from './language.ts'

type Check = (value: unknown) => boolean

const isNonEmptyText: Check = (value) => typeof value === 'string' && value !== ''
const isTexts: Check = (value) => Array.isArray(value) && value.every((one) => typeof one === 'string')
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const areTexts: Check = (value) => isRecord(value) && Object.values(value).every((one) => typeof one === 'string')

const FIELDS: Readonly<Record<keyof Omit<ToolServerConfig, 'openFile'>, Check>> = {
  command: isNonEmptyText,
  args: isTexts,
  env: areTexts,
  cwd: (value) => typeof value === 'string' && value.startsWith('/'),
  url: (value) => typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value),
  headers: areTexts,
  timeout: (value) => typeof value === 'number' && Number.isInteger(value) && value > 0,
  disabled: (value) => typeof value === 'boolean',
  type: (value) => ['stdio', 'http', 'streamable-http'].includes(String(value)),
  trustReadOnly: (value) => typeof value === 'boolean',
  readOnly: isTexts,
}

/** By name; undefined where there are none. @throws ContextError `invalid-input` for what is not a server. */
export function toolServersIn({
  environment,
  values,
  file = '',
  isOpen,
}: ConfigSources): ToolServersConfig | undefined {
  const { mcpServers: servers } = values
  if (servers === undefined) return undefined
  if (!isRecord(servers)) throw invalidServers(file, '"mcpServers" must name servers')
  return Object.fromEntries(
    Object.entries(servers).map(([name, given]) => {
      const isUsed = !isRecord(given) || given.disabled !== true
      const server = isUsed
        ? fillVariables(given, (variable) => variableValue(variable, { name, environment, file }))
        : given
      assertServer(name, server, file)
      const isSecret = server.env !== undefined || server.headers !== undefined
      return [name, { ...(server as ToolServerConfig), ...(isOpen && isSecret && { openFile: file }) }]
    }),
  )
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

function invalidServers(file: string, problem: string): ContextError {
  const hint =
    'For example: mcpServers: { files: { command: npx, args: [-y, some-server] }, docs: { url: https://… } }.'
  return invalidInput(`The configuration file ${file} cannot be used: ${problem}.`, hint)
}
