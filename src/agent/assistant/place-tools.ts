/** Lets `read`, `list` and `search` work at every place: collections, places without an index, packages and files on disk. */

import { isAbsolute, resolve } from 'node:path'
import type { PlaceReader } from '../../context/place-reader.ts'
import { BucketTrouble, ContextError, isNotFound } from '../../core/errors.ts'
import { SILENT } from '../../core/flow.ts'
import { type CitedRoot, PACKAGE_ADDRESS, ROOT_ADDRESS } from '../../text/citations.ts'
import { oneLine } from '../../text/controls.ts'
import { decodeUri, isWithin, relativeTo } from '../../text/paths.ts'
import { trimEnd } from '../../text/trim.ts'
import { type AgentTool, type Inputs, readInputs, requireText } from '../tool.ts'
import {
  type DiskDirectory,
  diskFileElement,
  diskListingElement,
  type ElementParts,
  hitsElement,
  listingElement,
  noticeElement,
  textElement,
} from './place-elements.ts'

/** The person's place, and the collections around it. */
export interface Standpoint {
  /** The person's place: an absolute path on disk, else a URI. */
  currentPlace(): string
  /** The collections and their roots. */
  roots(): Promise<readonly CitedRoot[]>
}

export interface PlaceToolParts extends ElementParts, Standpoint {
  reader(): Promise<PlaceReader>
  /** The project on disk at the person's place; undefined if the place is not on disk, or if files on disk are not read. */
  directory(): Promise<DiskDirectory | undefined>
}

interface ToolCall {
  readonly parts: PlaceToolParts
  readonly signal: AbortSignal
  /** Runs the wrapped tool. `read`, `list` and `search` know only indexed files. */
  useIndex(input: Inputs): Promise<string>
}

type PlaceTool = (input: Inputs, call: ToolCall) => Promise<string>

const PLACES =
  'A path is collection/path, a URI as other tools give it (ambit://, s3://, quilt+s3://…&path=…), or seen from where the ' +
  'person stands; ./src is on disk.'

/** Makes the tools in `WRAPPERS` work at every place. */
export function withEveryPlace(tools: readonly AgentTool[], parts: PlaceToolParts): AgentTool[] {
  return tools.map((tool) => {
    const wrapper = WRAPPERS[tool.name]
    if (!wrapper) return tool
    const { work, about, properties } = wrapper
    return {
      ...tool,
      description: `${tool.description} ${about}`,
      input: { ...tool.input, properties: { ...tool.input.properties, ...properties } },
      run: async (input, signal, context) => {
        const useIndex = async (toolInput: Inputs) => {
          const output = await tool.run(toolInput, signal, context)
          return typeof output === 'string' ? output : output.text
        }
        return work(Object(input), { parts, signal, useIndex })
      },
    }
  })
}

/**
 * The result of `look` for the first place that exists.
 *
 * @throws if no place exists: the first error about a bucket, else the first error.
 */
export async function findFirst<Place, Found>(places: readonly Place[], look: (place: Place) => Promise<Found>) {
  let firstError: unknown
  let bucketError: BucketTrouble | undefined
  for (const place of places) {
    try {
      return await look(place)
    } catch (error) {
      if (!isNotFound(error)) throw error
      firstError ??= error
      if (error instanceof BucketTrouble) bucketError ??= error
    }
  }
  throw bucketError ?? firstError
}

/**
 * The places that a path may mean, the likeliest first. An absolute path means itself. A relative path is tried in the person's
 * directory, then at the root of that package or collection, then as written.
 */
export async function candidatePlaces(path: string, { currentPlace, roots }: Standpoint) {
  const current = currentPlace()
  if (/^[/.~#]|^[a-z0-9+.-]+:\/\//i.test(path) || isAbsolute(current) || path === '') return [path]
  const firstName = path.split('/')[0]
  if ((await roots()).some(({ name }) => name === firstName)) return [path]
  const root = PACKAGE_ADDRESS.exec(current)?.[0] ?? ROOT_ADDRESS.exec(current)?.[0] ?? current
  return [...new Set([joinPlace(current, path), joinPlace(root, path)]), path]
}

function joinPlace(place: string, path: string): string {
  const escaped = path.split('/').map(encodeURIComponent).join('/')
  if (!place.startsWith('quilt+')) return `${place.replace(/\/$/, '')}/${escaped}`
  return place.includes('&path=') ? `${place.replace(/(?:\/|%2F)$/i, '')}/${escaped}` : `${place}&path=${escaped}`
}

/** Whether an address names a package or a bucket. Both are read directly, not through the index. */
function isOutsideIndex(place: string): boolean {
  return /^(?:quilt\+|s3:)/i.test(place)
}

const readPlace: PlaceTool = async (input, call) => {
  const { parts, signal, useIndex } = call
  const { lines } = readInputs(input, ['path', 'lines'])
  const path = toDiskPath(requireText(input, 'path'))
  const range = typeof lines === 'string' ? lines : undefined
  const readLive = async (place: string) => textElement(await (await parts.reader()).read(place, range, signal), parts)
  const fromDisk = () => lookOnDisk(path, parts, (files) => diskFileElement(files, { path, lines: range }, parts))
  if (isOnDisk(path)) return orIfNotFound(useIndex({ path, ...(lines !== undefined && { lines }) }), fromDisk)
  const relativePlaces = (await candidatePlaces(path, parts)).slice(0, -1)
  const fromIndex = isOutsideIndex(path) ? [] : [() => useIndex(input)]
  const looks = [...relativePlaces.map((place) => () => readLive(place)), ...fromIndex, () => readLive(path), fromDisk]
  return findFirst(looks, (look) => look())
}

/** Maximum entries of a listing. */
const PAGE_SIZE = 200

const listPlace: PlaceTool = async (input, { parts, signal, useIndex }) => {
  const { path } = readInputs(input, ['path'])
  if (typeof path !== 'string' || path === '' || path === '/') return useIndex(input)
  const run = { ...SILENT, signal }
  const listLive = async (place: string) => listingElement(await (await parts.reader()).list(place, PAGE_SIZE, run))
  const fromDisk = () => lookOnDisk(path, parts, (files) => diskListingElement(files, path))
  if (isOnDisk(path)) return orIfNotFound(useIndex(input), fromDisk)
  const places = await candidatePlaces(path, parts)
  return findFirst([...places.map((place) => () => listLive(place)), fromDisk], (look) => look())
}

const contextAt: PlaceTool = (input, { parts, useIndex }) =>
  lookFrom(requireText(input, 'place'), parts, (place) => useIndex({ ...input, place }))

/**
 * The result of `look` for a place. A relative place is relative to the person's place, never to the directory of the process.
 */
export async function lookFrom<Found>(place: string, parts: Standpoint, look: (place: string) => Promise<Found>) {
  const current = parts.currentPlace()
  if (/^[/~]|^[a-z0-9+.-]+:\/\//i.test(place)) return look(place)
  const inCollection = joinPlace('ambit://', place)
  if (!isAbsolute(current)) {
    if (isOnDisk(place)) return look(place)
    return findFirst([...(await candidatePlaces(place, parts)).slice(0, -1), inCollection], look)
  }
  const isCollection = (await parts.roots()).some(({ name }) => name === place.split('/')[0])
  const fromDisk = look(resolve(current, place))
  return isCollection ? orIfNotFound(fromDisk, () => look(inCollection)) : fromDisk
}

/** The result of `first`. If it finds nothing: the result of `second`, or its error, which is more precise. */
function orIfNotFound<Found>(first: Promise<Found>, second: () => Promise<Found>): Promise<Found> {
  return first.catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    return second()
  })
}

const SEARCH_INPUTS = ['query', 'collections', 'path', 'place', 'minScore'] as const

const searchPlace: PlaceTool = async (input, call) => {
  const { query, collections, path, place, minScore } = readInputs(input, SEARCH_INPUTS)
  if (typeof query !== 'string') return call.useIndex(input)
  const useIndex = (scope: Inputs) => call.useIndex({ ...scope, ...(minScore !== undefined && { minScore }) })
  const indexInput = { query, ...(collections !== undefined && { collections }), ...(path !== undefined && { path }) }
  if (collections !== undefined || path !== undefined || place === '/') return useIndex(indexInput)
  const chosen = typeof place === 'string' && place !== '' ? place : undefined
  const scope = chosen ?? call.parts.currentPlace()
  const hits = await searchIn(scope, query, { ...call, useIndex })
  if (chosen !== undefined && hits === '')
    throw new ContextError('not-found', `Nothing can be searched in ${oneLine(chosen)}.`)
  if (chosen !== undefined || HIT_TAG.test(hits)) return hits
  return `${hits}${noticeElement(`Nothing was found in ${scope}. What follows is from elsewhere: say so where you use it.`)}${await useIndex(indexInput)}`
}

/** How a tool is extended: `about` is added to its description, `properties` to its inputs. */
type ToolWrapper = { work: PlaceTool; about: string; properties?: AgentTool['input']['properties'] }
const WRAPPERS: Readonly<Record<string, ToolWrapper>> = {
  read: { work: readPlace, about: PLACES },
  list: { work: listPlace, about: PLACES },
  context_for: { work: contextAt, about: 'A relative place starts where the person stands.' },
  search: {
    work: searchPlace,
    about: 'It looks where the person stands first, also in what is in no index: packages, buckets, files on disk.',
    properties: {
      place: {
        type: 'string',
        description:
          'search in it alone; "/" is everywhere. Default: where the person stands, and everywhere when that has nothing',
      },
    },
  },
}

/** Matches the tags of hits, which texts of files cannot contain. */
const HIT_TAG = /^<hit /m

/** Searches a place: indexed files through the index, other files directly. */
async function searchIn(scope: string, query: string, call: ToolCall): Promise<string> {
  const { parts, useIndex } = call
  const roots = await parts.roots()
  if (isAbsolute(scope) || isOnDisk(scope)) return searchDisk(scope, query, call)
  const [place = scope] = await candidatePlaces(scope, parts)
  const [encodedName = '', ...folders] = place.replace(/^(?:ambit|qfs|qmd):\/\//, '').split('/')
  const folder = folders.join('/')
  const isPackage = isOutsideIndex(place) || PACKAGE_ADDRESS.test(place)
  const collection = isPackage ? undefined : roots.find(({ name }) => name === decodeUri(encodedName))
  if (collection && collection.documents !== 0) {
    const text = await useIndex({ query, collections: [collection.name], ...pathsBelow(decodeUri(folder)) })
    if (HIT_TAG.test(text) || folder === '') return text
  }
  return hitsElement(query, await (await parts.reader()).search(place, query, call.signal), parts)
}

/** Searches collections around and within a directory, and its files outside of collections. */
async function searchDisk(scope: string, query: string, { parts, signal, useIndex }: ToolCall): Promise<string> {
  const current = await parts.directory()
  const directory = current ? resolve(current.directory, scope) : scope
  const roots = (await parts.roots()).filter(({ root, documents }) => root.startsWith('/') && documents !== 0)
  const [collection] = roots.filter(({ root }) => isWithin(root, directory))
  if (collection) {
    const below = pathsBelow(relativeTo(collection.root, directory) ?? '')
    return useIndex({ query, collections: [collection.name], ...below })
  }
  const collections = roots.filter(({ root }) => isWithin(directory, root))
  const indexedHits =
    collections.length === 0 ? '' : await useIndex({ query, collections: collections.map(({ name }) => name) })
  if (!current || !isWithin(current.root, directory)) return indexedHits
  const reader = await parts.reader()
  const isKnown = (path: string) => collections.some(({ root }) => isWithin(root, path))
  const hits = await reader.searchDisk(reader.openProject(directory), query, { signal, isKnown })
  return `${indexedHits}${hitsElement(query, hits, parts)}`
}

/** The input that limits a search to a directory and everything below; `{}` for the root. */
function pathsBelow(directory: string): { readonly path?: readonly string[] } {
  const directoryPath = trimEnd(directory, '/')
  return directoryPath === '' ? {} : { path: [directoryPath, `${directoryPath}/**`] }
}

/** Runs `look` with the project on disk. @throws ContextError `not-found` without a project, and for a URI. */
async function lookOnDisk(path: string, parts: PlaceToolParts, look: (disk: DiskDirectory) => string): Promise<string> {
  const disk = /^[a-z0-9+.-]+:\/\//i.test(path) ? undefined : await parts.directory()
  if (!disk) throw new ContextError('not-found', `There is no ${oneLine(path)}.`)
  return look(disk)
}

/** The path of a `file:///…` URI; hits and sources name files on disk by such URIs. Other places stay as they are. */
export function toDiskPath(place: string): string {
  return place.startsWith('file:///') ? decodeUri(place.slice('file://'.length)) : place
}

function isOnDisk(path: string): boolean {
  return /^[/.~]/.test(path)
}
