/** Settings of the assistant, besides its model. */

import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { type ParseError, parse as parseJsonc } from 'jsonc-parser'
import type { ToolServerConfig, ToolServersConfig } from '../../agent/tool-servers.ts'
import { ContextError, invalidInput } from '../../core/errors.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { statOf } from '../../files/file-version.ts'
import type { Prices } from '../../models/prices.ts'
import { trimEnd } from '../../text/trim.ts'
import { type ConfigSources, invalidConfig, isRecord, isTextList } from './sources.ts'

/** Settings of the assistant, as far as they are configured. */
export interface AssistantConfig {
  /** Prices of language models, by `provider/model`. */
  readonly prices?: Prices
  /** Maximum cost of one question, in US dollars. */
  readonly costLimit?: number
  /** Addresses of buckets, collections and packages whose instruction files the person trusts. */
  readonly trusted?: readonly string[]
  /** Addresses that the person does not trust. Ambit does not ask about them again. */
  readonly untrusted?: readonly string[]
  /** MCP servers whose tools the assistant may call, by name. */
  readonly mcpServers?: ToolServersConfig
}

/** @throws ContextError `invalid-input`. */
export function readAssistantSettings(sources: ConfigSources): AssistantConfig {
  return omitUndefined({
    prices: readPrices(sources),
    costLimit: readCostLimit(sources),
    mcpServers: readToolServers(sources),
    trusted: readAddresses(sources, 'trusted'),
    untrusted: readAddresses(sources, 'untrusted'),
  })
}

/** @throws ContextError `invalid-input` unless each is the address of a bucket, a collection or a package. */
function readAddresses({ values, file = '' }: ConfigSources, name: string): readonly string[] | undefined {
  const { [name]: listed } = values
  if (listed === undefined) return undefined
  const isAddress = (one: unknown) => typeof one === 'string' && /^(?:s3|quilt\+s3|ambit):\/\/[^/\s]/.test(one)
  if (Array.isArray(listed) && listed.every(isAddress)) return listed.map((one) => trimEnd(one, '/'))
  const hint = `For example: ${name}: [s3://BUCKET, "quilt+s3://BUCKET#package=NS/NAME", ambit://COLLECTION].`
  throw invalidConfig(file, `"${name}" must be a list of addresses.`, hint)
}

const PRICE_FIELDS = ['input', 'cached', 'written', 'output']

/** Prices by `provider/model`, if any. @throws ContextError `invalid-input` for an invalid price. */
function readPrices({ values: { prices }, file = '' }: ConfigSources): Prices | undefined {
  if (prices === undefined) return undefined
  const hint =
    'Write US dollars for a million tokens: prices: { openai-compatible/qwen3: { input: 0.1, output: 0.4 } }.'
  if (!isRecord(prices)) throw invalidConfig(file, '"prices" must name models.', hint)
  const wrongModel = Object.entries(prices).find(([, price]) => !isPrice(price))?.[0]
  if (wrongModel === undefined) return prices as Prices
  const problem = `The price of ${JSON.stringify(wrongModel)} is not valid: its fields are ${PRICE_FIELDS.join(', ')}.`
  throw invalidConfig(file, problem, hint)
}

function isPrice(price: unknown): boolean {
  if (!isRecord(price) || price.input === undefined || price.output === undefined) return false
  return Object.entries(price).every(([field, value]) => PRICE_FIELDS.includes(field) && isAmount(value))
}

const isAmount = (value: unknown): value is number => typeof value === 'number' && value >= 0 && Number.isFinite(value)

/** Maximum cost of one question in US dollars, if configured. An environment variable overrides the file. */
function readCostLimit({ environment, values, file = '' }: ConfigSources): number | undefined {
  const value = environment.AMBIT_COST_LIMIT || values.costLimit
  if (value === undefined) return undefined
  const limit = typeof value === 'string' ? Number(value) : value
  if (isAmount(limit) && limit > 0) return limit
  const hint = 'It is in US dollars, such as 0.5.'
  const where = environment.AMBIT_COST_LIMIT ? 'AMBIT_COST_LIMIT' : `"costLimit" in the configuration file ${file}`
  throw invalidInput(`${where} is ${JSON.stringify(value)}, and must be a number above 0.`, hint)
}

type Check = (value: unknown) => boolean

const isNonEmptyText: Check = (value) => typeof value === 'string' && value !== ''
const areTexts: Check = (value) => isRecord(value) && Object.values(value).every((one) => typeof one === 'string')

const OAUTH_FIELDS: Readonly<Record<string, string>> = {
  clientId: 'string',
  clientSecret: 'string',
  scope: 'string',
  port: 'number',
}
const isTrueOrFalse: Check = (value) => typeof value === 'boolean'
const isAbsolutePath: Check = (value) => typeof value === 'string' && value.startsWith('/')

const FIELDS: Readonly<Record<keyof Omit<ToolServerConfig, 'problem'>, Check>> = {
  command: isNonEmptyText,
  args: isTextList,
  env: areTexts,
  cwd: isAbsolutePath,
  url: (value) => typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value),
  headers: areTexts,
  timeout: (value) => typeof value === 'number' && Number.isInteger(value) && value > 0,
  disabled: isTrueOrFalse,
  type: (value) => ['stdio', 'http', 'streamable-http'].includes(String(value)),
  roots: (value) => Array.isArray(value) && value.every(isAbsolutePath),
  oauth: (value) =>
    isRecord(value) && Object.entries(value).every(([name, one]) => OAUTH_FIELDS[name] === typeof one && one !== ''),
  trustReadOnly: isTrueOrFalse,
  readOnly: isTextList,
}

/**
 * Servers by name: the servers of `mcpServers`, and the servers in the files of the programs in `mcpServersFrom`. Undefined if
 * neither is set.
 *
 * @throws ContextError `invalid-input` for an invalid server.
 */
function readToolServers(sources: ConfigSources): ToolServersConfig | undefined {
  const { file = '', values, isExposed } = sources
  const { mcpServers: servers = {}, mcpServersFrom: programs = [] } = values
  if (values.mcpServers === undefined && values.mcpServersFrom === undefined) return undefined
  if (!isRecord(servers)) throw invalidServers(file, '"mcpServers" must name servers')
  const ownServers = Object.entries(servers).map(([name, entry]): [string, ToolServerConfig] => {
    const isUsed = !isRecord(entry) || entry.disabled !== true
    const server = readServer(name, entry, { environment: isUsed ? sources.environment : undefined, file })
    const isSecret = [server.env, server.headers, server.oauth?.clientSecret].some((one) => one !== undefined)
    const problem = `The configuration file ${file} may contain secrets, and other users may read it: run "chmod 600 ${file}".`
    return [name, { ...server, ...(isExposed && isSecret && { problem }) }]
  })
  if (!Array.isArray(programs)) throw invalidServers(file, '"mcpServersFrom" must be a list')
  return Object.fromEntries([...programs.flatMap((from) => serversOfProgram(String(from), sources)), ...ownServers])
}

/** Files where other programs store a person's servers, relative to the home directory. The first one found is read. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  claude: ['.claude.json'],
  cursor: ['.cursor/mcp.json'],
  vscode: ['.config/Code/User/mcp.json', 'Library/Application Support/Code/User/mcp.json'],
}

/**
 * The servers in a file of another program. A server that Ambit cannot use has the reason as `problem`, and fails with
 * it at its first use. `program`: a name in `PROGRAMS`, or the path of a file.
 */
function serversOfProgram(program: string, { environment, file = '' }: ConfigSources): [string, ToolServerConfig][] {
  const home = environment.HOME ?? ''
  const paths = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program]?.map((one) => join(home, one)) : [program]
  const places = (paths ?? []).map((one) => one.replace(/^~(?=\/)/, home))
  const path = places.find((one) => isAbsolute(one) && statOf(one)?.isFile())
  if (path === undefined) {
    const rule = `it takes absolute paths, and ${Object.keys(PROGRAMS).join(', ')} for their files in your home directory`
    throw invalidServers(file, `"mcpServersFrom" names ${program}, but there is no such file: ${rule}`)
  }
  const { mcpServers, servers = mcpServers } = Object(readJsonc(path))
  return Object.entries(isRecord(servers) ? servers : {}).map(([nameInFile, server]) => {
    const dashed = nameInFile.replace(/[^a-zA-Z0-9]+/g, '-')
    const name = dashed.replace(/^-|-$/g, '').slice(0, 32)
    const knownFields = isRecord(server) ? Object.entries(server).filter(([field]) => Object.hasOwn(FIELDS, field)) : []
    try {
      return [name, readServer(name, Object.fromEntries(knownFields), { environment, file: path })]
    } catch (error) {
      if (!(error instanceof ContextError)) throw error
      return [name, { problem: error.message }]
    }
  })
}

/** Reads JSON with comments. @throws ContextError `invalid-input` for an unreadable or invalid file. */
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

interface ServerSource {
  /** Undefined: variables are not replaced. */
  readonly environment: ConfigSources['environment'] | undefined
  readonly file: string
}

/** A server with its variables replaced. @throws ContextError `invalid-input`. */
function readServer(name: string, entry: unknown, { environment, file }: ServerSource): ToolServerConfig {
  const quoted = JSON.stringify(name)
  const lookUp = (variable: string) => {
    const [, key = '', fallback] = /^(?:env:)?(\w+)(?::-(.*))?$/s.exec(variable) ?? []
    const value = environment?.[key] || fallback
    if (value !== undefined) return value
    throw invalidServers(file, `the server ${quoted} needs the variable ${JSON.stringify(variable)}, which is not set`)
  }
  const server = environment ? fillVariables(entry, lookUp) : entry
  if (!/^[a-zA-Z0-9]([a-zA-Z0-9-]{0,30}[a-zA-Z0-9])?$/.test(name)) {
    throw invalidServers(file, `${quoted} is not a name of a server: it has up to 32 letters, digits and dashes`)
  }
  const fields = isRecord(server) ? server : {}
  const wrongField = Object.keys(fields).find(
    (field) => !(Object.hasOwn(FIELDS, field) && FIELDS[field as keyof typeof FIELDS](fields[field])),
  )
  if (wrongField !== undefined) {
    if (Object.hasOwn(FIELDS, wrongField))
      throw invalidServers(file, `"${wrongField}" of the server ${quoted} is not valid`)
    throw invalidServers(file, `the server ${quoted} takes no "${wrongField}", only ${Object.keys(FIELDS).join(', ')}`)
  }
  if ((fields.command === undefined) !== (fields.url === undefined)) return fields as ToolServerConfig
  throw invalidServers(file, `the server ${quoted} must have either a command or a url`)
}

/** Replaces `${NAME}` in texts at any depth. */
function fillVariables(value: unknown, lookUp: (variable: string) => string): unknown {
  if (typeof value === 'string') return value.replace(/\$\{([^{}]*)\}/g, (_, variable: string) => lookUp(variable))
  if (Array.isArray(value)) return value.map((one) => fillVariables(one, lookUp))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillVariables(one, lookUp)]))
}

function invalidServers(file: string, problem: string): ContextError {
  const hint =
    'For example: mcpServers: { files: { command: npx, args: [-y, some-server] }, docs: { url: https://… } }.'
  return invalidConfig(file, `${problem}.`, hint)
}
