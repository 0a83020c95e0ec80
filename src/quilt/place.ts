/** Parses the names of packages and registries. */

import { invalidInput } from '../core/errors.ts'
import { bucketRoot, isBucketRoot } from '../files/bucket-root.ts'
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

/** A registry: a collection by its name, or a bucket of S3 that need not be one. */
export type RegistryName = { readonly collection: string } | { readonly bucket: string }

/** A package, and maybe a place in it. */
export interface PackagePlace {
  readonly registry: RegistryName
  readonly spec: PackageSpec
  /** An entry; with a slash at its end a directory. */
  readonly path?: string
}

const FORMS =
  'Write COLLECTION/NAMESPACE/NAME, followed by @HASH or :TAG if needed, or quilt+s3://BUCKET#package=NAMESPACE/NAME.'

/**
 * Reads `collection/team/data`, with `@hash` or `:tag` behind it, or `quilt+s3://bucket#package=team/data`.
 *
 * @throws ContextError `invalid-input`: each form that is wrong with a message of its own.
 */
export function packagePlace(text: string): PackagePlace {
  if (isPackageUri(text)) return ofUri(text)
  if (text.trim() === '') throw invalidInput('The package is empty.', FORMS)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text))
    throw invalidInput(`${quoteForeign(text)} is not an address of a package.`, FORMS)
  if (/^[/.~]/.test(text)) throw invalidInput(`${quoteForeign(text)} is a path on disk, not a package.`, FORMS)
  const [collection = '', ...rest] = text.split('/')
  if (rest.length < 2)
    throw invalidInput(`${quoteForeign(text)} is not a package: the collection or the namespace is missing.`, FORMS)
  const [namespace = '', name = '', ...path] = rest
  const spec = parseSpec(`${namespace}/${name}`)
  if (path.length === 0) return { registry: { collection }, spec }
  if (spec.revision === undefined) {
    const hint = `A path in a package is given by itself, behind ${quoteForeign(`${collection}/${namespace}/${name}`)}; or behind its @HASH or :TAG.`
    throw invalidInput(`${quoteForeign(text)} is more than a package.`, hint)
  }
  return { registry: { collection }, spec, path: path.join('/') }
}

/** A place in a collection, or in a bucket of S3. */
export type ObjectAddress = RegistryName & { readonly path: string }

/** A place of objects; or a package, or a place in one, as `packagePlace` reads it. */
export type BucketAddress = ObjectAddress | { readonly package: string }

/**
 * Reads `collection/path`, `ambit://collection/path` or `s3://bucket/path`. What names a revision, as in
 * `collection/team/data@1a2b3c`, is a package, and so is `quilt+s3://…`.
 *
 * @throws ContextError `invalid-input` for `s3:` without a bucket.
 */
export function bucketAddress(text: string): BucketAddress {
  if (isPackageUri(text)) return { package: text }
  if (isBucketRoot(text)) {
    const { bucket } = bucketRoot(text.slice(0, /^s3:\/\/[^/]*/i.exec(text)?.[0].length ?? text.length))
    const path = text.slice(`s3://${bucket}/`.length)
    return { bucket, path: path.split('/').map(unescapeSegment).join('/') }
  }
  const isUri = SCHEME.test(text)
  const bare = isUri ? text.replace(SCHEME, '').split('/').map(unescapeSegment).join('/') : text
  if (NAMES_REVISION.test(bare)) return { package: bare }
  const end = bare.indexOf('/')
  return end < 0 ? { collection: bare, path: '' } : { collection: bare.slice(0, end), path: bare.slice(end + 1) }
}

const SCHEME = /^(?:ambit|qfs|qmd):\/\//
const NAMES_REVISION = /^[^/]+\/[^/]+\/[^/@:]+(?:@[0-9a-f]{6,64}|:[^/@:]+)(?:\/|$)/

function unescapeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function ofUri(text: string): PackagePlace {
  const { bucket, path, catalog: _, ...spec } = parsePackageUri(text)
  return { registry: { bucket }, spec, ...(path !== undefined && { path }) }
}

/** A registry to search, and a prefix of package names. */
export interface RegistryPlace {
  readonly registry: RegistryName
  readonly prefix: string
}

/**
 * Reads `collection`, `collection/team/`, `s3://bucket` or `quilt+s3://bucket`.
 *
 * @throws ContextError `invalid-input`.
 */
export function registryPlace(text: string): RegistryPlace {
  const hint = 'Write COLLECTION, COLLECTION/NAMESPACE/, or s3://BUCKET.'
  const plain = text.replace(/^quilt\+/i, '')
  if (isBucketRoot(plain)) {
    const { bucket, prefix } = bucketRoot(plain)
    if (plain.includes('#'))
      throw invalidInput(`${quoteForeign(text)} names a package, not a place where packages are.`, hint)
    if (prefix === undefined) return { registry: { bucket }, prefix: '' }
    throw invalidInput(
      `${quoteForeign(text)} is more than a bucket.`,
      'Add that part of the bucket as a collection first.',
    )
  }
  if (text.trim() === '' || /^[/.~]|^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    throw invalidInput(`${quoteForeign(text)} is not a place where packages are.`, hint)
  }
  const [collection = '', ...prefix] = text.split('/')
  return { registry: { collection }, prefix: prefix.join('/') }
}

/** A registry as `package list` takes it. */
export function registryText(registry: RegistryName): string {
  return 'bucket' in registry ? `s3://${registry.bucket}` : placeArgument(registry.collection, '/')
}

/** The package that a path in a registry names, and what follows it as a place in its latest revision; undefined for no such name. */
export function packageAtPath(
  registry: RegistryName,
  path: string,
): { readonly name: string; readonly place: string } | undefined {
  const [namespace = '', called = '', ...rest] = trimEnd(path, '/').split('/')
  const name = `${namespace}/${called}`
  if (!isName(name)) return undefined
  const inside = rest.join('/')
  if ('bucket' in registry) {
    return { name, place: printPackageUri({ bucket: registry.bucket, name, ...(inside !== '' && { path: inside }) }) }
  }
  const revision = { tag: 'latest' }
  return { name, place: [placeText(registry, inside === '' ? { name } : { name, revision }), ...rest].join('/') }
}

/** A package as every command takes it. */
export function placeText(registry: RegistryName, spec: PackageSpec): string {
  return 'bucket' in registry
    ? printPackageUri({ bucket: registry.bucket, ...spec })
    : `${registry.collection}/${printSpec(spec)}`
}

/** The hint of an error with what its commands are to be given: `"ambit package log"` of this package. */
export function pointHint(
  hint: string,
  { registry, spec }: Pick<PackagePlace, 'registry'> & { readonly spec?: PackageSpec },
) {
  return hint.replace(/"ambit package (list|log|ls|cat)"/g, (_, command: string) => {
    const isWhole = command === 'list' || spec === undefined
    const given = isWhole ? registryText(registry) : placeText(registry, command === 'log' ? { name: spec.name } : spec)
    return `"ambit package ${isWhole ? 'list' : command} ${quoteShell(given)}"`
  })
}

/** A package, or a place in one, by its address: `quilt+s3://bucket#package=team/data@1a2b3c&path=a/b.csv`. */
export interface PackageUri extends PackageSpec {
  readonly bucket: string
  /** An entry; with a slash at its end a directory. */
  readonly path?: string
  /** The host of a web catalog. Kept, and not used. */
  readonly catalog?: string
}

const EXAMPLE = 'An address looks like quilt+s3://BUCKET#package=NAMESPACE/NAME[@HASH|:TAG][&path=PATH].'
const PARAMETERS = ['package', 'path', 'catalog']

/** Whether it is meant as an address of a package. */
export function isPackageUri(text: string): boolean {
  return /^quilt\+/i.test(text)
}

/** @throws ContextError `invalid-input`: each form that is wrong with a message of its own. */
export function parsePackageUri(text: string): PackageUri {
  const { bucket, fragment } = splitUri(text)
  const { package: spec, path, catalog } = parametersOf(fragment)
  if (spec === undefined) throw invalidInput(`${quoteForeign(text)} names no package.`, EXAMPLE)
  return {
    bucket: checkBucket(bucket),
    ...parseSpec(spec),
    ...(path === undefined ? {} : { path: checkPath(path) }),
    ...(catalog === undefined ? {} : { catalog: checkCatalog(catalog) }),
  }
}

/** The address, as `parsePackageUri` reads it. */
export function printPackageUri({ bucket, path, catalog, ...spec }: PackageUri): string {
  const parts = [`package=${printSpec(spec)}`]
  // Slashes are plain within a fragment, and read better.
  if (path !== undefined) parts.push(`path=${path.split('/').map(escapeQuery).join('/')}`)
  if (catalog !== undefined) parts.push(`catalog=${escapeQuery(catalog)}`)
  return `quilt+s3://${bucket}#${parts.join('&')}`
}

function splitUri(text: string): { readonly bucket: string; readonly fragment: string } {
  const scheme = /^quilt\+([^:/?#]*):/i.exec(text)
  if (!scheme) throw invalidInput(`${quoteForeign(text)} is not an address of a package.`, EXAMPLE)
  if (scheme[1]?.toLowerCase() !== 's3') throw invalidInput(`quilt+${scheme[1]} is not known, only quilt+s3.`, EXAMPLE)
  const rest = text.slice(scheme[0].length)
  if (!rest.startsWith('//')) throw invalidInput(`${quoteForeign(text)} lacks "//" before the bucket.`, EXAMPLE)
  const hash = rest.indexOf('#')
  if (hash < 0) throw invalidInput(`${quoteForeign(text)} names no package: it has no "#package=".`, EXAMPLE)
  return { bucket: rest.slice(2, hash), fragment: rest.slice(hash + 1) }
}

function parametersOf(fragment: string): Readonly<Record<string, string>> {
  const found = new Map<string, string>()
  for (const part of fragment.split('&')) {
    const [name = '', ...value] = part.split('=')
    if (part === '') throw invalidInput('The address has an empty parameter.', 'Remove the extra "&".')
    if (!PARAMETERS.includes(name))
      throw invalidInput(
        `The parameter ${quoteForeign(name)} is not known.`,
        `There are: ${PARAMETERS.join(', ')}. ${EXAMPLE}`,
      )
    if (value.length === 0) throw invalidInput(`The parameter "${name}" has no value.`, EXAMPLE)
    if (value.length > 1) throw invalidInput(`The parameter "${name}" has more than one "=".`, 'Write "=" as %3D.')
    if (found.has(name)) throw invalidInput(`The parameter "${name}" is given twice.`, 'Give it once.')
    found.set(name, unescapeQuery(value[0] ?? '', `The parameter "${name}"`))
  }
  return Object.fromEntries(found)
}

function checkBucket(bucket: string): string {
  if (bucket === '') throw invalidInput('The address names no bucket.', EXAMPLE)
  if (bucket.includes('/'))
    throw invalidInput(`${quoteForeign(bucket)} is more than a bucket: a registry is at the root of one.`, EXAMPLE)
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$/.test(bucket))
    throw invalidInput(
      `${quoteForeign(bucket)} is not a name of a bucket.`,
      'It has letters, digits, ".", "_" and "-".',
    )
  return bucket
}

function checkPath(path: string): string {
  if (path === '') throw invalidInput('The path is empty.', 'Leave out "path=" for the package itself.')
  if (path === '/') throw invalidInput('The path "/" is the package itself.', 'Leave out "path=".')
  return path.endsWith('/') ? `${checkDirectory(path)}/` : checkLogicalKey(path)
}

function checkCatalog(host: string): string {
  if (host === '') throw invalidInput('The catalog is empty.', 'Leave out "catalog=", or give its host.')
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?$/.test(host))
    throw invalidInput(`The catalog ${quoteForeign(host)} is not a host.`, 'Give a host such as open.quiltdata.com.')
  return host
}
