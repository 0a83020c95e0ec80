/** Sources of context for a place in a bucket or a package. */

import type { ContextResolver } from '../../collections/path-contexts.ts'
import { orElse } from '../../core/errors.ts'
import type { Left, Run, Source } from '../../core/flow.ts'
import type { ObjectRead, ReadRequest } from '../../files/objects.ts'
import { type NamedPackage, readPackageLog, timeOfRevision } from '../../quilt/found.ts'
import { hasherOf, isCheckable } from '../../quilt/hashes.ts'
import { locateEntry, type RegistryReach } from '../../quilt/located.ts'
import { pointerTime } from '../../quilt/names.ts'
import type { ManifestEntry } from '../../quilt/records.ts'
import type { Registry } from '../../quilt/registries.ts'
import { uriOf } from '../../text/collection-uri.ts'
import { metadataText } from '../../text/truncate.ts'
import { type ExpectedFile, expectedFiles, type FileCandidate, type ReadCache } from '../sources/bucket/beginning.ts'
import { type BucketSource, bucketFiles } from '../sources/bucket/files.ts'
import { type PackageLocation, packageUriIn, uriIn } from './locate.ts'

/** A source of README.md and AGENTS.md in a directory of a bucket (`''`: the root) and in the directories above it. */
export function registryFiles(registry: Registry, directory: string, beginnings: ReadCache): BucketSource {
  const { objects, bucket } = registry
  const find = async () => {
    const candidates = expectedFiles(directory, 'bucket').map((expected): FileCandidate => {
      const read = (request: ReadRequest) => objects.read(expected.key, request)
      return { ...expected, uri: uriIn(registry, expected.key), title: expected.key, scope: 'bucket', read }
    })
    return { candidates, left: [] }
  }
  return bucketFiles('bucket-files', find, { names: { bucket }, beginnings })
}

/** A source of README.md and AGENTS.md in the directories of a package. Requests only files that the manifest has. */
export function packageFiles(namedPackage: NamedPackage, location: Promise<PackageLocation>, beginnings: ReadCache) {
  const { name } = namedPackage.place.spec
  const find = async () => {
    const { found, at, reach, directory } = await location
    const expected = expectedFiles(directory, 'package')
    const named = ({ key }: ExpectedFile) => ({ uri: packageUriIn(found, key), title: `${name}: ${key}` })
    const candidates = expected.flatMap((one): FileCandidate[] => {
      const entry = at.entries.get(one.key)
      return entry ? [{ ...one, ...named(one), scope: 'package', ...readingOf(entry, reach) }] : []
    })
    const absent = expected.filter(({ key }) => !at.entries.has(key)).map(named)
    const left = absent.map(({ uri, title }): Left => ({ origin: { uri }, title, why: 'missing', detail: NO_ENTRY }))
    return { candidates, left }
  }
  const names = { bucket: namedPackage.registry.bucket, package: name }
  return bucketFiles('package-files', find, { names, beginnings })
}

const NO_ENTRY = 'The package has no such entry.'

function readingOf(entry: ManifestEntry, reach: RegistryReach): Pick<FileCandidate, 'read' | 'problemOf'> {
  return {
    read: async (request) => {
      const { objects, key, version } = await locateEntry(entry, reach)
      return objects.read(key, { ...request, ...(version !== undefined && { version }) })
    },
    problemOf: (read) => entryProblem(entry, read),
  }
}

/** The problem of a file of a package, by its size and, if it was read completely, by its hash. */
function entryProblem(entry: ManifestEntry, { size, bytes }: ObjectRead): string | undefined {
  if (entry.size !== null && entry.size !== size)
    return `It differs from the package: it has ${size} bytes, not ${entry.size}.`
  const { hash } = entry
  if (hash === null || bytes.length < size || !isCheckable(entry)) return undefined
  const hasher = hasherOf(hash.type, size)
  hasher?.update(bytes)
  return hasher?.digest() === hash.value ? undefined : 'It differs from the package: its hash is not the same.'
}

/** Maximum number of revisions in the facts of a package. */
const MAX_REVISIONS = 5

/** A source of facts about a package and its revisions, as JSON, the most important first. */
export function packageFacts(namedPackage: NamedPackage, location: Promise<PackageLocation>): Source {
  return {
    name: 'package',
    scope: 'package',
    async gather(_, run) {
      const [packageLocation, log] = await Promise.all([location, revisionsOf(namedPackage, run)])
      const { found } = packageLocation
      const uri = packageUriIn(found)
      const listedRevision = log.revisions.find(({ hash }) => hash === found.resolved.hash)
      // The time of the revision, usually from the list of revisions.
      const isByTime = pointerTime(found.resolved.pointer ?? '') !== undefined
      const modified = listedRevision && !isByTime ? listedRevision.modified : await timeOfRevision(found, run)
      const revisions = log.facts.map((fact) => ({ ...fact, uri: `${uri}&revisions` }))
      const kept = [...packageFragments(packageLocation, uri, modified), ...revisions].map((fact) => {
        const { kind, title, uri, value } = fact
        return { origin: { uri, labels: { source: title } }, kind, title, text: metadataText(value) }
      })
      return { kept, left: log.left.map((one) => ({ ...one, origin: { uri: `${uri}&revisions` } })), warnings: [] }
    },
  }
}

/** A source of path contexts (what a place is for): of a place and of the places above it, the nearest first. */
export function pathContexts({ name }: Registry, path: string, resolver: () => Promise<ContextResolver>): Source {
  return {
    name: 'path-contexts',
    kind: 'path-context',
    scope: 'collection',
    async gather() {
      // A bucket that is not a collection has only the global path context.
      const collection = 'collection' in name ? name.collection : ''
      const kept = (await resolver()).all(collection, path.replace(/\/$/, '')).map(({ scope, prefix, text }) => {
        const uri = scope === 'global' ? 'ambit:///' : uriOf({ collection, path: prefix.slice(1) })
        const place = { global: 'everything', collection, path: prefix }[scope]
        const origin = { uri: `${uri}#context`, labels: { path: prefix } }
        return { origin, kind: 'path-context', title: `About ${place}`, text }
      })
      return { kept: kept.reverse(), left: [], warnings: [] }
    },
  }
}

/** Facts about a package. `kind`: the tag of the element in the text. */
function packageFragments({ found, at }: PackageLocation, uri: string, modified: string | null) {
  const { message, workflow, totalEntries, totalBytes, userMeta } = at.summary
  const { name, hash } = found.resolved
  const info = { bucket: found.registry.bucket, name, hash, modified, message, workflow, totalEntries, totalBytes }
  const metadata = { kind: 'package-metadata', title: `${name}: metadata`, uri: `${uri}&metadata`, value: userMeta }
  const facts = { kind: 'package-info', title: `${name}: the package`, uri, value: info }
  return userMeta === null ? [facts] : [facts, metadata]
}

/** The latest revisions of a package. An error becomes a `Left`: the package can be used without its revisions. */
async function revisionsOf(namedPackage: NamedPackage, run: Run) {
  const { name } = namedPackage.place.spec
  const title = `${name}: revisions`
  const wholePackage = { ...namedPackage, place: { ...namedPackage.place, spec: { name } } }
  const revisionLog = readPackageLog(wholePackage, MAX_REVISIONS, run).then(({ total, latest, revisions: rows }) => {
    const revisions = rows.map(({ hash, modified, message }) => ({ hash, modified, message }))
    return { facts: [{ kind: 'package-revisions', title, value: { total, latest, revisions } }], revisions, left: [] }
  })
  return orElse(revisionLog, ({ message: detail }) => {
    return { facts: [], revisions: [], left: [{ title, why: 'failed' as const, detail }] }
  })
}
