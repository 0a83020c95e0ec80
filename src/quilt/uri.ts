import { invalidInput } from '../core/errors.ts'
import { checkDirectory, checkLogicalKey, type PackageSpec, parseSpec, printSpec, quoteForeign } from './names.ts'
import { escapeQuery, unescapeQuery } from './packages/json.ts'

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
