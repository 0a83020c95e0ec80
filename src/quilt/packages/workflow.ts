/** Checks a pushed package against a workflow: rules of the registry in `.quilt/workflows/config.yml`, as in quilt3. */

import { parse } from 'yaml'
import { ContextError, invalidInput, loadPackage } from '../../core/errors.ts'
import { runWithin } from '../../core/run-within.ts'
import { type Objects, readTextAt } from '../../files/objects.ts'
import { keyBelow, parsePhysicalKey, versionQuery } from '../located.ts'
import { quoteForeign } from '../names.ts'
import { isObject, isRawNumber, type Json, type JsonObject, parseObject } from './json.ts'

/** The name of a workflow; null for none. Default: the default workflow of the registry. */
export type WorkflowChoice = string | null | undefined

/** The package to push, as a workflow checks it. */
export interface WorkflowSubject {
  readonly name: string
  readonly message?: string | undefined
  readonly userMeta?: Json | undefined
  readonly workflow?: WorkflowChoice
  readonly entries: readonly { readonly key: string; readonly size: number | null; readonly meta: JsonObject }[]
}

const CONFIG_KEY = '.quilt/workflows/config.yml'

/**
 * Checks a package against the workflow of a registry.
 *
 * @returns the field `workflow` of the header; undefined if the registry has no workflows.
 * @throws ContextError `invalid-input` that says what the workflow requires, or what is wrong with the configuration;
 * `unavailable` if a schema is to be checked, and `ajv` is not installed.
 */
export async function checkWorkflow(
  registry: Objects,
  subject: WorkflowSubject,
  signal?: AbortSignal | undefined,
): Promise<JsonObject | undefined> {
  const configuration = await readConfig(registry, signal)
  if (!configuration) {
    if (subject.workflow === undefined) return undefined
    throw invalidInput(`The registry ${registry.uri} has no workflows.`, 'Push without --workflow.')
  }
  const { config, uri } = configuration
  checkTypes('The configuration of workflows', config, CONFIG_TYPES)
  checkVersion(config)
  const id = subject.workflow === undefined ? asText(config.default_workflow) : (subject.workflow ?? undefined)
  const workflows = objectAt(config, 'workflows')
  const ids = Object.keys(workflows).join(', ')
  const workflow = id === undefined ? {} : workflows[id]
  if (id === undefined && config.is_workflow_required !== false)
    throw invalidInput('The registry requires a workflow.', `Choose one: ${ids}.`)
  if (!isObject(workflow)) throw invalidInput(`There is no workflow ${quoteForeign(id ?? '')}.`, `There are ${ids}.`)
  checkTypes(`The workflow ${quoteForeign(id ?? '')}`, workflow, WORKFLOW_TYPES)
  checkNaming(workflow, subject)
  const schemas = await checkSchemas(registry, { workflow, schemas: objectAt(config, 'schemas'), subject }, signal)
  return { id: id ?? null, config: uri, ...(Object.keys(schemas).length > 0 && { schemas }) }
}

async function readConfig(registry: Objects, signal: AbortSignal | undefined) {
  const configFile = await readTextAt(registry, CONFIG_KEY, { signal })
  if (!configFile) return undefined
  const uri = `${registry.uri}/${CONFIG_KEY}`
  const config = parseYaml(configFile.text, uri)
  if (!isObject(config)) throw invalidInput(`${uri} is not a configuration of workflows.`)
  return { config, uri: `${uri}${versionQuery(configFile.version)}` }
}

function parseYaml(text: string, uri: string): Json {
  try {
    return parse(text)
  } catch {
    throw invalidInput(`${uri} is not YAML.`)
  }
}

/** Matches the versions of the configuration that quilt3 supports. */
const SUPPORTED_VERSION = /^1(\.0(\.(0|[1-9]\d*))?|\.1(\.0)?)?$/

/** @throws ContextError `invalid-input` for an unsupported version. */
function checkVersion({ version }: JsonObject): void {
  const versionText = asText(isObject(version) ? version.base : version) ?? ''
  if (SUPPORTED_VERSION.test(versionText)) return
  throw invalidInput(`The version ${quoteForeign(versionText)} of the workflows is not supported.`, USE_QUILT3)
}

const USE_QUILT3 = 'Push with quilt3.'

/** Types of the values in a configuration, and in a workflow. */
const CONFIG_TYPES = {
  version: ['string', 'object'],
  is_workflow_required: ['boolean'],
  default_workflow: ['string'],
  workflows: ['object'],
  schemas: ['object'],
  // Only Quilt's web catalog uses these.
  catalog: ['object'],
  successors: ['object'],
}
const WORKFLOW_TYPES = {
  name: ['string'],
  description: ['string'],
  is_message_required: ['boolean'],
  handle_pattern: ['string'],
  metadata_schema: ['string'],
  entries_schema: ['string'],
}

/** @throws ContextError `invalid-input` that names an unknown field, or a field of another type. */
function checkTypes(subject: string, object: JsonObject, types: Readonly<Record<string, readonly string[]>>): void {
  for (const [key, value] of Object.entries(object)) {
    const allowedTypes = Object.hasOwn(types, key) ? types[key] : undefined
    if (allowedTypes === undefined)
      throw invalidInput(`${subject} asks for ${quoteForeign(key)}, which is not supported.`, USE_QUILT3)
    if (!allowedTypes.includes(typeof value) || (typeof value === 'object' && !isObject(value)))
      throw invalidInput(
        `${subject} has ${quoteForeign(key)} that is no ${allowedTypes.join(' or ')}.`,
        'Correct it in the registry.',
      )
  }
}

function objectAt(config: JsonObject, key: string): JsonObject {
  const value = config[key]
  return isObject(value) ? value : {}
}

function asText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function checkNaming(workflow: JsonObject, { name, message }: WorkflowSubject): void {
  if (workflow.is_message_required === true && !message) {
    throw invalidInput('The workflow requires a message.', 'Give one: --message TEXT.')
  }
  const pattern = asText(workflow.handle_pattern)
  if (pattern !== undefined && !matchesPattern(pattern, name)) {
    throw invalidInput(`The workflow does not accept the package name ${name}: it must match ${quoteForeign(pattern)}.`)
  }
}

function matchesPattern(pattern: string, name: string): boolean {
  try {
    return matchWithin(CHECK_MS, () => new RegExp(pattern, 'u').test(name))
  } catch (cause) {
    if (cause instanceof ContextError) throw cause
    const message = `The pattern ${quoteForeign(pattern)} of the workflow cannot be read.`
    throw new ContextError('invalid-input', message, { cause })
  }
}

/** Time limit of a check in milliseconds, and the milliseconds that each entry adds if a schema checks entries. */
const CHECK_MS = 1000
const ENTRY_MS = 1

/**
 * Runs `work`, which matches expressions of a foreign registry. @throws ContextError `over-limit` when the expressions
 * take longer than `ms`.
 */
function matchWithin<Value>(ms: number, work: () => Value): Value {
  try {
    return runWithin(ms, work)
  } catch (cause) {
    if (Object(cause).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw cause
    const message = `A pattern of the workflow takes longer than ${ms} ms.`
    throw new ContextError('over-limit', message, { hint: 'Simplify the pattern in the registry.', cause })
  }
}

interface WorkflowSchemas {
  readonly workflow: JsonObject
  readonly schemas: JsonObject
  readonly subject: WorkflowSubject
}

/** @returns the schemas that were checked, by their ids. */
async function checkSchemas(
  registry: Objects,
  { workflow, schemas, subject }: WorkflowSchemas,
  signal: AbortSignal | undefined,
): Promise<JsonObject> {
  const entries = subject.entries.map(({ key, size, meta }) => ({ logical_key: key, size, meta: meta.user_meta ?? {} }))
  const checks = [
    { id: asText(workflow.metadata_schema), what: 'metadata', value: subject.userMeta ?? {} },
    { id: asText(workflow.entries_schema), what: 'list of entries', value: entries },
  ]
  const usedSchemas: Record<string, string> = {}
  for (const { id, what, value } of checks) {
    if (id === undefined) continue
    const url = asText(objectAt(schemas, id).url)
    if (url === undefined)
      throw invalidInput(`The workflow names the schema ${quoteForeign(id)}, which does not exist.`)
    const { schema, version } = await readSchema(registry, url, signal)
    await validate(schema, { id, what, value })
    usedSchemas[id] = url.includes('?') ? url : `${url}${version}`
  }
  return usedSchemas
}

/** @throws ContextError `denied` for a schema outside the registry, because no credentials may be sent elsewhere. */
async function readSchema(registry: Objects, url: string, signal: AbortSignal | undefined) {
  const physical = parsePhysicalKey(url)
  const key = keyBelow(physical, registry.uri)
  if (key === undefined) throw new ContextError('denied', `The schema ${quoteForeign(url)} is outside the registry.`)
  const version = physical.kind === 's3' ? physical.version : undefined
  const schemaFile = await readTextAt(registry, key, { signal, version })
  if (!schemaFile) throw new ContextError('not-found', `The schema ${quoteForeign(url)} does not exist.`)
  const schema = parseObject(schemaFile.text)
  if (!schema) throw invalidInput(`The schema ${quoteForeign(url)} is not a JSON Schema.`)
  checkSchema(schema, url)
  return { schema, version: versionQuery(schemaFile.version) }
}

/** @throws ContextError `invalid-input` for drafts other than 7, and for references, which quilt3 refuses too. */
function checkSchema(schema: JsonObject, url: string): void {
  let problem: string | undefined
  JSON.stringify(schema, (key, value) => {
    if (key === '$ref') problem = 'has a $ref'
    return value
  })
  const { $schema: draft = DRAFT_7 } = schema
  if (draft !== DRAFT_7) problem = `is of ${quoteForeign(String(draft))}`
  if (problem === undefined) return
  throw invalidInput(`The schema ${quoteForeign(url)} ${problem}, which is not supported.`, 'Use draft 7 without $ref.')
}

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#'

async function validate(
  schema: JsonObject,
  { id, what, value }: { readonly id: string; readonly what: string; readonly value: Json },
): Promise<void> {
  const { Ajv } = await loadPackage(() => import('ajv'), 'The schema of a workflow needs the package ajv', 'ajv')
  // As in quilt3, unknown keywords of draft 7 are not errors.
  const ajv = new Ajv({ strict: false, strictNumbers: false, logger: false })
  let isValid: boolean
  try {
    const plain = toPlainJson(value)
    const ms = CHECK_MS + (Array.isArray(plain) ? ENTRY_MS * plain.length : 0)
    isValid = matchWithin(ms, () => ajv.validate(Object(toPlainJson(schema)), plain) === true)
  } catch (cause) {
    if (cause instanceof ContextError) throw cause
    throw new ContextError('invalid-input', `The schema ${quoteForeign(id)} is not valid.`, { cause })
  }
  if (isValid) return
  const errors = ajv.errorsText(undefined, { dataVar: what })
  throw invalidInput(`The ${what} does not match the schema ${quoteForeign(id)}: ${errors}.`)
}

/** A value for a schema: a `RawNumber` becomes a number, also `NaN`, as in Python. */
function toPlainJson(value: Json): unknown {
  if (isRawNumber(value)) return Number(value.rawJSON)
  if (Array.isArray(value)) return value.map(toPlainJson)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toPlainJson(one)]))
}
