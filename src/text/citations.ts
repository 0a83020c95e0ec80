/** Finds the URIs that cite framed elements: the XML elements that contain texts for a model. */

import { elementsOf, type FramedElement, unescapeText } from './elements.ts'
import { decodeUri } from './paths.ts'

/** The origin of framed elements. */
export interface CitedPlace {
  /** The place in the form of `load`: an absolute path on disk, else a URI. */
  readonly place: string
  /** The URI of its bucket or collection. Default: the beginning of the place. */
  readonly root?: string | undefined
}

/** A collection, with its root: the address of its directory, which identifies its files. */
export interface CitedRoot {
  readonly name: string
  /** An absolute path, or `s3://bucket/prefix`. */
  readonly root: string
  /** Number of indexed documents; absent if unknown. */
  readonly documents?: number
}

/** Match the package, and the collection or bucket, at the start of an address. */
export const PACKAGE_ADDRESS = /^ambit:\/\/[^/]+\/[^/]+\/[^/]+?@[0-9a-f]{6,}|^quilt\+s3:\/\/[^#]+#package=[^&]+/
export const ROOT_ADDRESS = /^(?:ambit|s3):\/\/[^/]+/

/** Tags of the elements that describe the package of a place. Citations of such an element name the package. */
const PACKAGE_TAGS: ReadonlySet<string> = new Set(['package-info', 'package-metadata', 'package-revisions'])

/** Whether an element describes a package; its text is JSON. */
export function isPackageFact({ tag }: Pick<FramedElement, 'tag'>): boolean {
  return PACKAGE_TAGS.has(tag)
}

/** The URI by which an element is cited; its path if the place has no root; undefined for an element without a place. */
export function citationUri(
  { tag, attributes }: Pick<FramedElement, 'tag' | 'attributes'>,
  { place, root = ROOT_ADDRESS.exec(place)?.[0] }: CitedPlace,
): string | undefined {
  const { uri, filename, path, scope } = attributes
  const packageAddress = PACKAGE_ADDRESS.exec(place)?.[0]
  if (PACKAGE_TAGS.has(tag)) return packageAddress ?? place
  if (uri !== undefined) return uri
  if (filename !== undefined) return fileUri(filename)
  if (path === undefined) return undefined
  if (scope === 'package') {
    if (packageAddress?.startsWith('ambit:')) return packageAddress + encodePath(path)
    return packageAddress === undefined ? path : `${packageAddress}&path=${encodePath(path).slice(1)}`
  }
  return root === undefined ? path : `${root}${encodePath(path)}`
}

/** `file:///a%20b` for an absolute path; other texts are unchanged. */
export function fileUri(path: string): string {
  return path.startsWith('/') ? `file://${encodeURI(path.toWellFormed()).replace(/[?#]/g, encodeURIComponent)}` : path
}

/**
 * A text that is the same for all URIs of a file: the root of the file's collection, then the path. A file outside all
 * collections keeps its URI, decoded; an entry of a package keeps its URI unchanged.
 */
export function identifyFile(uri: string, roots: readonly CitedRoot[]): string {
  const [, collection = '', path = ''] = /^ambit:\/\/([^/]+)(.*)/s.exec(uri) ?? []
  const root = PACKAGE_ADDRESS.test(uri) ? undefined : roots.find(({ name }) => name === decodeUri(collection))?.root
  if (root === undefined) return /^(?:file|s3):/.test(uri) ? decodeUri(uri) : uri
  return `${root.startsWith('/') ? 'file://' : ''}${root}${decodeUri(path)}`
}

/** `/a b/c` as a part of an address; `''` for the root. */
export function encodePath(path: string): string {
  return path === '/' ? '' : path.split('/').map(encodeURIComponent).join('/')
}

/** The elements in texts that a model got. The element `results` is replaced by the search results in it. */
export function givenElements(texts: readonly string[]): FramedElement[] {
  const elements = texts.flatMap(elementsOf)
  return elements.flatMap((one) => (one.tag === 'results' ? elementsOf(one.body) : [one]))
}

/** The citation number of each place, from the elements `sources`, which list lines such as `[1] ambit://docs/a.md`. */
export function sourceNumbers(elements: readonly FramedElement[]): ReadonlyMap<string, number> {
  const lines = elements
    .filter(({ tag }) => tag === 'sources')
    .flatMap(({ body }) => [...unescapeText(body).matchAll(/^\[(\d+)\] (.+)$/gm)])
  return new Map(lines.map(([, number, place = '']) => [place, Number(number)]))
}
