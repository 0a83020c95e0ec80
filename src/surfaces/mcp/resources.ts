import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import { isNotFound, quoteValue } from '../../core/errors.ts'
import { SILENT } from '../../core/flow.ts'
import type { ListAnswer } from '../../engine/engine.ts'
import { uriOf } from '../../text/collection-uri.ts'
import { decodeSegment } from '../../text/paths.ts'
import { clipMarked } from '../../text/truncate.ts'
import { neutraliseText } from './guarded-server.ts'
import { invalidParams, MAX_ERROR_BYTES, type McpParts, protocolError } from './parts.ts'

const TEMPLATE = {
  uriTemplate: 'ambit://{collection}/{+path}',
  name: 'document',
  title: 'A document of a collection',
  description: 'The text of a document, by the collection that it is in and its path there.',
}

/** Maximum number of completions in the protocol. */
const MAX_COMPLETIONS = 100

/** Adds the documents of collections as resources, if the operations `get` and `ls` are offered. */
export function addResources(server: Server, parts: McpParts): void {
  const [get, list] = ['get', 'ls'].map((name) => parts.operations.find((operation) => operation.name === name))
  // Either both are offered, or neither.
  if (!get || !list) return
  const listAt = async (input: object) => (await list.run(parts.engine, list.input.parse(input), SILENT)) as ListAnswer
  server.registerCapabilities({ resources: {}, completions: {} })
  server.setRequestHandler('resources/list', () => ({ resources: [] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [TEMPLATE] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq }) => {
    try {
      const input = get.input.parse({ path: placeOfUri(uri) })
      const output = await get.run(parts.engine, input, { signal: mcpReq.signal, emit: () => {} })
      const mimeType = /\.(md|markdown|mdx)$/i.test(uri) ? 'text/markdown' : 'text/plain'
      return { contents: [{ uri, mimeType, text: String(Object(output).text) }] }
    } catch (error) {
      throw isNotFound(error) ? new ResourceNotFoundError(shortUri(uri)) : protocolError(error, parts)
    }
  })
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument, context } }) => {
    if (ref.type === 'ref/prompt') return completionResult([])
    if (ref.uri !== TEMPLATE.uriTemplate) throw invalidParams(`There is no template ${ref.uri}.`)
    const values = await completeArgument(listAt, argument, context?.arguments).catch(() => [])
    return completionResult(values.filter((value) => value.startsWith(argument.value)))
  })
}

/**
 * The place that a URI names. Refuses empty segments, `.` and `..`, and segments that contain a slash when decoded.
 *
 * @throws ProtocolError
 */
function placeOfUri(uri: string): string {
  const [, segments] = /^ambit:\/\/([^?#]+)$/.exec(uri) ?? []
  const names = (segments ?? '').split('/').map((segment) => decodeSegment(segment) ?? '')
  const [collection = '', ...path] = names
  if (path.length === 0 || names.some((name) => /^\.{0,2}$|[/\\\0]/.test(name))) {
    throw invalidParams(`${quoteValue(uri)} is not ${TEMPLATE.uriTemplate}.`)
  }
  return uriOf({ collection, path: path.join('/') })
}

/** A URI, shortened and cleaned to be quoted in an error. */
function shortUri(uri: string): string {
  return clipMarked(neutraliseText(uri), MAX_ERROR_BYTES)
}

function completionResult(values: readonly string[]) {
  const shown = values.slice(0, MAX_COMPLETIONS)
  return { completion: { values: shown, total: values.length, hasMore: shown.length < values.length } }
}

/**
 * Completes an argument: for `collection`, the names of collections; for `path`, directories (with a slash at the end) and
 * documents of the collection.
 */
async function completeArgument(
  list: (input: object) => Promise<ListAnswer>,
  { name, value }: { readonly name: string; readonly value: string },
  { collection }: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  if (name === 'collection') return (await list({})).directories.map(({ path }) => path)
  if (name !== 'path' || !collection) return []
  const directory = value.slice(0, value.lastIndexOf('/') + 1)
  const { directories, documents } = await list({ place: uriOf({ collection, path: directory }) })
  return [...directories.map(({ path }) => `${path}/`), ...documents.map(({ path }) => path)]
}
