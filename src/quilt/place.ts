/** Parses and prints the texts that name packages, registries and places in them. */

import { invalidInput } from '../core/errors.ts'
import { bucketRoot, isBucketRoot } from '../files/bucket-root.ts'
import { decodeUri } from '../text/paths.ts'
import { placeArgument, quoteShell } from '../text/shell-quote.ts'
import { trimEnd } from '../text/trim.ts'
import {
  checkDirectory,
  checkLogicalKey,
  isName,
  type PackageSpec,
  parseSpec,
  printSpec,
  quoteForeign,
} from './names.ts'
import { escapeQuery, unescapeQuery } from './packages/json.ts'

/** The name of a registry (a store of packages): a collection, or a bucket of S3, which need not be a collection. */
export type RegistryName = { readonly collection: string } | { readonly bucket: string }

/** A package, and optionally a place in it. */
export interface PackagePlace {
  readonly registry: RegistryName
  readonly spec: PackageSpec
  /** The path of an entry; of a directory if it ends with a slash. */
  readonly path?: string
}

const PLACE_HINT =
  'Write COLLECTION/NAMESPACE/NAME, followed by @HASH or :TAG if needed, or quilt+s3://BUCKET#package=NAMESPACE/NAME.'

/**
 * Parses `collection/team/data`, optionally with `@hash` or `:tag`, or `quilt+s3://bucket#package=team/data`.
 *
 * @throws ContextError `invalid-input`, with its own message for each wrong form.
 */
export function packagePlace(text: string): PackagePlace {
  if (isPackageUri(text)) {
    const { bucket, path, ...spec } = parsePackageUri(text)
    return { registry: { bucket }, spec, ...(path !== undefined && { path }) }
  }
  const [collection = '', namespace = '', name, ...path] = text.split('/')
  if (name === undefined || NOT_COLLECTION.test(text))
    throw invalidInput(`${quoteForeign(text)} is not a package in a collection.`, PLACE_HINT)
  const spec = parseSpec(`${namespace}/${name}`)
  if (path.length === 0) return { registry: { collection }, spec }
  if (spec.revision === undefined) {
    const hint = `Give the path as a separate argument after ${quoteForeign(`${collection}/${namespace}/${name}`)}, or append it to the package's @HASH or :TAG.`
    throw invalidInput(`${quoteForeign(text)} has a path after the package.`, hint)
  }
  return { registry: { collection }, spec, path: path.join('/') }
}

/** A place in a collection, or in a bucket of S3. */
export type ObjectAddress = RegistryName & { readonly path: string }

/** A place in a registry; or the text of a place in a package, which `packagePlace` parses. */
export type BucketAddress = ObjectAddress | { readonly package: string }

/**
 * Parses `collection/path`, `ambit://collection/path` or `s3://bucket/path`. A text with a revision, such as
 * `collection/team/data@1a2b3c`, is a package, and so is `quilt+s3://…`.
 *
 * @throws ContextError `invalid-input` for `s3:` without a bucket.
 */
export function bucketAddress(text: string): BucketAddress {
  if (isPackageUri(text)) return { package: text }
  if (isBucketRoot(text)) {
    const { bucket } = bucketRoot(text.slice(0, /^s3:\/\/[^/]*/i.exec(text)?.[0].length ?? text.length))
    const path = text.slice(`s3://${bucket}/`.length)
    return { bucket, path: path.split('/').map(decodeUri).join('/') }
  }
  const place = SCHEME.test(text) ? text.replace(SCHEME, '').split('/').map(decodeUri).join('/') : text
  if (PLACE_OF_REVISION.test(place)) return { package: place }
  const [collection = '', ...path] = place.split('/')
  return { collection, path: path.join('/') }
}

const SCHEME = /^(?:ambit|qfs|qmd):\/\//
const PLACE_OF_REVISION = /^[^/]+\/[^/]+\/[^/@:]+(?:@[0-9a-f]{6,64}|:[^/@:]+)(?:\/|$)/

/** Matches paths on disk and addresses. Other texts begin with the name of a collection. */
const NOT_COLLECTION = /^[/.~]|^[a-z][a-z0-9+.-]*:\/\//i

/** A registry to search, and a prefix of package names. */
export interface RegistryPlace {
  readonly registry: RegistryName
  readonly prefix: string
}

/**
 * Parses `collection`, `collection/team/`, `s3://bucket` or `quilt+s3://bucket`.
 *
 * @throws ContextError `invalid-input`.
 */
export function registryPlace(text: string): RegistryPlace {
  const uri = text.replace(/^quilt\+/i, '')
  if (isBucketRoot(uri)) return { registry: { bucket: wholeBucket(uri) }, prefix: '' }
  if (text.trim() === '' || NOT_COLLECTION.test(text)) {
    const hint = 'Write COLLECTION, COLLECTION/NAMESPACE/, or s3://BUCKET.'
    throw invalidInput(`${quoteForeign(text)} is not a registry of packages.`, hint)
  }
  const [collection = '', ...prefix] = text.split('/')
  return { registry: { collection }, prefix: prefix.join('/') }
}

/** The bucket of a root. @throws ContextError `invalid-input` for a root with a prefix: a registry is a whole bucket. */
function wholeBucket(root: string): string {
  const { bucket, prefix } = bucketRoot(root)
  if (prefix === undefined) return bucket
  const hint = 'Add that part of the bucket as a collection first.'
  throw invalidInput(`${quoteForeign(root)} has a path after the bucket.`, hint)
}

/** The argument that names a registry for `package list`. */
export function registryText(registry: RegistryName): string {
  return 'bucket' in registry ? `s3://${registry.bucket}` : placeArgument(registry.collection, '/')
}

/**
 * The name of the package with which a path in a registry begins, and the text that names the path in the latest
 * revision of the package; undefined without a valid name.
 */
export function packageAtPath(registry: RegistryName, path: string) {
  const [namespace = '', lastName = '', ...segments] = trimEnd(path, '/').split('/')
  const name = `${namespace}/${lastName}`
  if (!isName(name)) return undefined
  const innerPath = segments.join('/')
  if ('bucket' in registry) {
    const { bucket } = registry
    return { name, place: printPackageUri({ bucket, name, ...(innerPath !== '' && { path: innerPath }) }) }
  }
  const revision = { tag: 'latest' }
  return { name, place: [placeText(registry, innerPath === '' ? { name } : { name, revision }), ...segments].join('/') }
}

/** The argument that names a package for every command. */
export function placeText(registry: RegistryName, spec: PackageSpec): string {
  if ('bucket' in registry) return printPackageUri({ bucket: registry.bucket, ...spec })
  return `${registry.collection}/${printSpec(spec)}`
}

/** Adds a package (or its registry) as an argument to commands in a hint, such as `"ambit package log"`. */
export function addPlaceToHint(
  hint: string,
  { registry, spec }: Pick<PackagePlace, 'registry'> & { readonly spec?: PackageSpec },
) {
  return hint.replace(/"ambit package (list|log|ls|cat)"/g, (_, command: string) => {
    if (command === 'list' || !spec) return `"ambit package list ${quoteShell(registryText(registry))}"`
    const hintedSpec = command === 'log' ? { name: spec.name } : spec
    return `"ambit package ${command} ${quoteShell(placeText(registry, hintedSpec))}"`
  })
}

/** A package, or a place in one, by its address: `quilt+s3://bucket#package=team/data@1a2b3c&path=a/b.csv`. */
export interface PackageUri extends PackageSpec {
  readonly bucket: string
  /** The path of an entry; of a directory if it ends with a slash. */
  readonly path?: string
}

const ADDRESS_HINT = 'An address looks like quilt+s3://BUCKET#package=NAMESPACE/NAME[@HASH|:TAG][&path=PATH].'
/** `catalog`: the host of a web catalog, which is ignored. */
const PARAMETERS = ['package', 'path', 'catalog']

/** Whether a text looks like the address of a package. */
export function isPackageUri(text: string): boolean {
  return /^quilt\+/i.test(text)
}

/** Parses the address of a package. @throws ContextError `invalid-input` that says what is wrong with it. */
export function parsePackageUri(text: string): PackageUri {
  const [, root, fragment = ''] = /^quilt\+(s3:\/\/[^#]*)#(.*)$/is.exec(text) ?? []
  const { package: spec, path } = parametersOf(fragment)
  if (root === undefined) throw invalidInput(`${quoteForeign(text)} is not an address of a package.`, ADDRESS_HINT)
  if (spec === undefined) throw invalidInput(`${quoteForeign(text)} names no package.`, ADDRESS_HINT)
  return { bucket: wholeBucket(root), ...parseSpec(spec), ...(path !== undefined && { path: checkPath(path) }) }
}

/** The address, as `parsePackageUri` reads it. */
export function printPackageUri({ bucket, path, ...spec }: PackageUri): string {
  // A fragment may contain plain slashes, which are easier to read.
  const place = path === undefined ? '' : `&path=${path.split('/').map(escapeQuery).join('/')}`
  return `quilt+s3://${bucket}#package=${printSpec(spec)}${place}`
}

function parametersOf(fragment: string): Readonly<Record<string, string>> {
  const parameters = new Map<string, string>()
  for (const part of fragment === '' ? [] : fragment.split('&')) {
    const [name = '', value, ...others] = part.split('=')
    const problems = [
      !PARAMETERS.includes(name) && 'is not known',
      value === undefined && 'has no value',
      others.length > 0 && 'has more than one "="',
      parameters.has(name) && 'is given twice',
    ]
    const problem = problems.find(Boolean)
    if (problem) throw invalidInput(`The parameter ${quoteForeign(name)} ${problem}.`, ADDRESS_HINT)
    parameters.set(name, unescapeQuery(value ?? '', `The parameter "${name}"`))
  }
  return Object.fromEntries(parameters)
}

function checkPath(path: string): string {
  if (path === '' || path === '/')
    throw invalidInput(`The path ${quoteForeign(path)} is the package itself.`, 'Leave out "path=".')
  return path.endsWith('/') ? `${checkDirectory(path)}/` : checkLogicalKey(path)
}
