/** Lets `read`, `list` and `search` work at every place: collections, places without an index, packages and files on disk. */

import { isAbsolute, resolve } from 'node:path'
import type { PlaceReader } from '../../context/place-reader.ts'
import { BucketTrouble, ContextError, isNotFound } from '../../core/errors.ts'
import { type CitedRoot, PACKAGE_ADDRESS, ROOT_ADDRESS } from '../../text/citations.ts'
import { oneLine } from '../../text/controls.ts'
import { decodeUri, isWithin, relativeTo } from '../../text/paths.ts'
import { trimEnd } from '../../text/trim.ts'
import { type AgentTool, readInputs, requireText } from '../tool.ts'
import {
  type ElementParts,
  listingElement,
  listLoose,
  liveElement,
  noticeElement,
  readLoose,
  textElement,
} from './place-elements.ts'

type Loose = ReturnType<PlaceReader['loose']>
type Inputs = Readonly<Record<string, unknown>>

export interface PlaceToolParts extends ElementParts {
  /** The person's place: an absolute path on disk, else a URI. */
  standing(): string
  looking(): Promise<PlaceReader>
  /** The files on disk around the person; undefined if the place is elsewhere, or files are not read. */
  loose(): Promise<Loose | undefined>
  /** The collections and their roots. */
  roots(): Promise<readonly CitedRoot[]>
}

/** One call of a tool. */
interface ToolCall {
  readonly parts: PlaceToolParts
  readonly signal: AbortSignal
  /** Runs the tool on the index. */
  indexed(input: Inputs): Promise<string>
}

type PlaceTool = (input: Inputs, called: ToolCall) => Promise<string>

const PLACES =
  'A path is collection/path, a URI as other tools give it (ambit://, s3://, quilt+s3://…&path=…), or seen from where the ' +
  'person stands; ./src is on disk.'

/** Makes the tools in `OVER_PLACES` work at every place. */
export function withEveryPlace(tools: readonly AgentTool[], parts: PlaceToolParts): AgentTool[] {
  return tools.map((tool) => {
    const over = OVER_PLACES[tool.name]
    if (!over) return tool
    const { work, about, properties } = over
    return {
      ...tool,
      description: `${tool.description} ${about}`,
      input: { ...tool.input, properties: { ...tool.input.properties, ...properties } },
      run: async (input, signal, around) => {
        const indexed = async (given: Inputs) => {
          const output = await tool.run(given, signal, around)
          return typeof output === 'string' ? output : output.text
        }
        return work(Object(input), { parts, signal, indexed })
      },
    }
  })
}

/** The first of several places that exists. @throws if none exists: the first error about a bucket, else the first error. */
export async function firstFound<Place, Found>(
  places: readonly Place[],
  look: (place: Place) => Promise<Found>,
): Promise<Found> {
  let absent: unknown
  let trouble: BucketTrouble | undefined
  for (const place of places) {
    try {
      return await look(place)
    } catch (error) {
      if (!isNotFound(error)) throw error
      absent ??= error
      if (error instanceof BucketTrouble) trouble ??= error
    }
  }
  throw trouble ?? absent
}

/**
 * The places that a path may mean: an absolute path itself; a relative one in the directory of the person, then at the root of its package or
 * collection, then as written.
 */
export async function candidatePlaces(path: string, { standing, roots }: Pick<PlaceToolParts, 'standing' | 'roots'>) {
  const at = standing()
  if (/^[/.~#]|^[a-z0-9+.-]+:\/\//i.test(path) || isAbsolute(at) || path === '') return [path]
  const first = path.split('/')[0]
  if ((await roots()).some(({ name }) => name === first)) return [path]
  return [
    ...new Set([
      joinPlace(at, path),
      joinPlace(PACKAGE_ADDRESS.exec(at)?.[0] ?? ROOT_ADDRESS.exec(at)?.[0] ?? at, path),
    ]),
    path,
  ]
}

function joinPlace(place: string, path: string): string {
  const escaped = path.split('/').map(encodeURIComponent).join('/')
  if (!place.startsWith('quilt+')) return `${place.replace(/\/$/, '')}/${escaped}`
  return place.includes('&path=') ? `${place.replace(/(?:\/|%2F)$/i, '')}/${escaped}` : `${place}&path=${escaped}`
}

/** Whether the address is one of an unindexed place. */
function isOutsideIndex(place: string): boolean {
  return /^(?:quilt\+|s3:)/i.test(place)
}

const readPlace: PlaceTool = async (input, called) => {
  const { parts, signal, indexed } = called
  const { lines } = readInputs(input, ['path', 'lines'])
  const path = toDiskPath(requireText(input, 'path'))
  const range = typeof lines === 'string' ? lines : undefined
  const live = async (place: string) => textElement(await (await parts.looking()).read(place, range, signal), parts)
  const loose = () => onDisk(path, parts, (files) => readLoose(files, { path, lines: range }, parts))
  if (isOnDisk(path)) return indexedOrLoose(indexed({ path, ...(lines !== undefined && { lines }) }), loose)
  const nearer = (await candidatePlaces(path, parts)).slice(0, -1)
  const known = isOutsideIndex(path) ? [] : [() => indexed(input)]
  return firstFound([...nearer.map((place) => () => live(place)), ...known, () => live(path), loose], (look) => look())
}

const listPlace: PlaceTool = async (input, { parts, signal, indexed }) => {
  const { path } = readInputs(input, ['path'])
  if (typeof path !== 'string' || path === '' || path === '/') return indexed(input)
  const live = async (place: string) => listingElement(await (await parts.looking()).list(place, undefined, signal))
  const loose = () => onDisk(path, parts, (files) => listLoose(files, path))
  if (isOnDisk(path)) return indexedOrLoose(indexed(input), loose)
  const places = await candidatePlaces(path, parts)
  return firstFound([...places.map((place) => () => live(place)), loose], (look) => look())
}

/** Tries the index, then the disk. For a path on disk, the error of the disk is more precise. */
function indexedOrLoose(indexed: Promise<string>, loose: () => Promise<string>): Promise<string> {
  return indexed.catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    return loose()
  })
}

const searchPlace: PlaceTool = async (input, called) => {
  const { query, collections, path, place } = readInputs(input, ['query', 'collections', 'path', 'place'])
  if (typeof query !== 'string') return called.indexed(input)
  const given = { query, ...(collections !== undefined && { collections }), ...(path !== undefined && { path }) }
  if (collections !== undefined || path !== undefined || place === '/') return called.indexed(given)
  const named = typeof place === 'string' && place !== '' ? place : undefined
  const scope = named ?? called.parts.standing()
  const found = await searchIn(scope, query, called)
  if (named !== undefined || HIT.test(found)) return found
  return `${found}${noticeElement(`Nothing was found in ${scope}. What follows is from elsewhere: say so where you use it.`)}${await called.indexed(given)}`
}

/** `about` is added to the description, and `properties` to the inputs. */
const OVER_PLACES: Readonly<
  Record<string, { work: PlaceTool; about: string; properties?: AgentTool['input']['properties'] }>
> = {
  read: { work: readPlace, about: PLACES },
  list: { work: listPlace, about: PLACES },
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
const HIT = /^<hit /m

/** Searches a place: indexed files through the index, other files directly. */
async function searchIn(scope: string, query: string, called: ToolCall): Promise<string> {
  const { parts, indexed } = called
  const roots = await parts.roots()
  if (isAbsolute(scope) || isOnDisk(scope)) return searchDisk(scope, query, called)
  const [place = scope] = await candidatePlaces(scope, parts)
  const [, written = '', inside = ''] = /^(?:(?:ambit|qfs|qmd):\/\/)?([^/]+)\/?(.*)/s.exec(place) ?? []
  const known =
    isOutsideIndex(place) || PACKAGE_ADDRESS.test(place)
      ? undefined
      : roots.find(({ name }) => name === decodeUri(written))
  if (known && known.documents !== 0) {
    const text = await indexed({ query, collections: [known.name], ...below(decodeUri(inside)) })
    if (HIT.test(text) || inside === '') return text
  }
  return liveElement(query, await (await parts.looking()).search(place, query, called.signal), parts)
}

/** Searches collections around and within a directory, and its files outside of collections. */
async function searchDisk(scope: string, query: string, { parts, signal, indexed }: ToolCall): Promise<string> {
  const standing = await parts.loose()
  const directory = standing ? resolve(standing.directory, scope) : scope
  const roots = (await parts.roots()).filter(({ root, documents }) => root.startsWith('/') && documents !== 0)
  const [around] = roots.filter(({ root }) => isWithin(root, directory))
  if (around) {
    return indexed({ query, collections: [around.name], ...below(relativeTo(around.root, directory) ?? '') })
  }
  const inside = roots.filter(({ root }) => isWithin(directory, root))
  const known = inside.length === 0 ? '' : await indexed({ query, collections: inside.map(({ name }) => name) })
  if (!standing || !isWithin(standing.root, directory)) return known
  const reader = await parts.looking()
  const isKnown = (path: string) => inside.some(({ root }) => isWithin(root, path))
  const hits = await reader.searchDisk(reader.loose(directory), query, { signal, isKnown })
  return `${known}${liveElement(query, hits, parts)}`
}

/** The pattern for paths below a directory. */
function below(directory: string): { readonly path?: readonly string[] } {
  const plain = trimEnd(directory, '/')
  return plain === '' ? {} : { path: [plain, `${plain}/**`] }
}

/** Runs `loose` for a path that may be on disk. @throws ContextError `not-found` for others. */
async function onDisk(path: string, parts: PlaceToolParts, look: (loose: Loose) => string): Promise<string> {
  const loose = /^[a-z0-9+.-]+:\/\//i.test(path) ? undefined : await parts.loose()
  if (!loose) throw new ContextError('not-found', `There is no ${oneLine(path)}.`)
  return look(loose)
}

/** The path of a `file:///…` URI, as hits and sources name files on disk. */
export function toDiskPath(place: string): string {
  return place.startsWith('file:///') ? decodeUri(place.slice('file://'.length)) : place
}

function isOnDisk(path: string): boolean {
  return /^[/.~]/.test(path)
}
