/** The context of a place in a bucket or a package. */

import type { ContextResolver } from '../../collections/path-contexts.ts'
import type { Assembled } from '../../core/assemble.ts'
import { BOUNDS } from '../../core/bounds.ts'
import { isNotFound, orElse } from '../../core/errors.ts'
import type { Fragment, Run, Source } from '../../core/flow.ts'
import { isBucketRoot } from '../../files/bucket-root.ts'
import { toRefusal } from '../../files/confine.ts'
import { MAX_PAGE, type ObjectInfo, type Objects } from '../../files/objects.ts'
import { hasPackage, type NamedPackage, resolveRevision, withPackage } from '../../quilt/found.ts'
import { type BucketAddress, packageAtPath } from '../../quilt/place.ts'
import {
  type LocatedPath,
  Registries,
  type Registry,
  type RegistryRoots,
  type RegistryScope,
} from '../../quilt/registries.ts'
import { readSafeText } from '../../text/readable.ts'
import type { ExplainAnswer, LoadAnswer } from '../answers.ts'
import { type ExplainRequest, withAdvice, withoutTexts } from '../explain.ts'
import { assembleAnswer, type PlaceParts } from '../load/answer.ts'
import { assertOptionsFit, type LoadRequest, objectRenderer } from '../load/recipe.ts'
import { leftReasonOf, ReadCache } from '../sources/bucket/beginning.ts'
import type { BucketSource } from '../sources/bucket/files.ts'
import {
  absentReading,
  byPriority,
  CONTEXT_DIR,
  type ContextDirSource,
  contextDirSource,
  isContextFile,
  type ListedFile,
  PRIORITY_ORDER,
  readingOf,
} from '../sources/context-dir.ts'
import {
  confirmDirectory,
  directoryNotice,
  locateInPackage,
  PackageCache,
  packageUriIn,
  resolveDirectory,
  uriIn,
} from './locate.ts'
import { packageFacts, packageFiles, pathContexts, registryFiles } from './place-sources.ts'

interface PlaceSurroundings extends RegistryRoots {
  contexts(): Promise<ContextResolver>
  /** Whether a path of a collection is an indexed document. */
  isDocument(collection: string, path: string): Promise<boolean>
}

/** Caches of places, kept between calls. */
export class PlaceCaches {
  readonly beginnings = new ReadCache()
  readonly packages = new PackageCache()
}

/** A place whose context is assembled. */
interface ObjectPlace extends Pick<PlaceParts, 'kind' | 'place' | 'choice'> {
  readonly registry: Registry
  readonly files: readonly BucketSource[]
  /** Sources that come before the files, the most important first. */
  readonly before: readonly Source[]
}

/** The context of places in collections, buckets and packages. */
export class PlaceContexts {
  readonly #surroundings: PlaceSurroundings
  readonly #caches: PlaceCaches
  readonly #registries: Registries

  constructor(surroundings: PlaceSurroundings, caches: PlaceCaches, within: RegistryScope) {
    this.#surroundings = surroundings
    this.#caches = caches
    this.#registries = new Registries(surroundings, within)
  }

  /**
   * Loads the context of a place. Sends all requests in parallel.
   *
   * @throws ContextError `not-found`, `denied` and `unavailable` for an unreadable place; `cancelled`.
   */
  async load(address: BucketAddress, request: LoadRequest, run: Run): Promise<LoadAnswer> {
    assertOptionsFit('package' in address ? 'package' : 'collection', request)
    if ('package' in address) return this.#loadPackage(address.package, request, run)
    const at = await this.#registries.locate(address)
    const named = packageAtPath(at.registry.name, at.path)
    const exists = async () => named !== undefined && hasPackage(at.registry, named.name, run)
    const isNamed = named !== undefined && /^[^/]+\/[^/]+\/?$/.test(at.path)
    const choice = isNamed ? exists().then((is) => (is ? directoryNotice(at.path, named.place) : undefined)) : undefined
    // Prevents an unhandled rejection. A failure is thrown when the answer awaits the choice.
    choice?.catch(() => {})
    try {
      return await this.#loadObjects({ ...at, choice }, request, run)
    } catch (error) {
      if (!named || !isNotFound(error) || !(await exists())) throw error
      return this.#loadPackage(named.place, request, run)
    }
  }

  /** The decision about each file that was considered. @throws ContextError as `load`. */
  async explain(address: BucketAddress, { whyNot, ...request }: ExplainRequest, run: Run): Promise<ExplainAnswer> {
    const answer = withoutTexts(await this.load(address, { ...request, full: false }, run))
    if (whyNot === undefined) return answer
    const key = whyNot.replace(/^\/+/, '')
    const rows = answer.ledger.filter(({ uri, title }) => uri === whyNot || title === key || title.endsWith(`: ${key}`))
    const why = rows.length > 0 ? rows.flatMap(withAdvice).join(' ') : NOT_READ
    return { ...answer, whyNot: { path: whyNot, answer: why, rows } }
  }

  #loadPackage(place: string, request: LoadRequest, run: Run): Promise<LoadAnswer> {
    return withPackage(this.#registries, { text: place, signal: run.signal }, (namedPackage) =>
      loadObjectPlace(this.#inPackage(namedPackage, run), request, run),
    )
  }

  /** Loads a directory of a bucket or collection. Checks whether the directory exists only if it seems empty. */
  async #loadObjects(at: LocatedPath & Pick<ObjectPlace, 'choice'>, request: LoadRequest, run: Run) {
    const { registry, path, choice } = at
    const { contexts, isDocument: isIndexed } = this.#surroundings
    const isDocument = 'collection' in registry.name && (await isIndexed(registry.name.collection, path))
    const directory = await resolveDirectory(at, isDocument, run)
    const load = (loadedDirectory: string) => {
      const place = () => uriIn(registry, loadedDirectory.replace(/\/$/, ''))
      const before = [pathContexts(registry, isDocument ? path : loadedDirectory, contexts)]
      const files = [registryFiles(registry, loadedDirectory, this.#caches.beginnings)]
      return loadObjectPlace({ kind: 'collection', place, registry, choice, before, files }, request, run)
    }
    const answer = await load(directory)
    const uri = uriIn(registry, directory)
    const ownRows = answer.ledger.filter((row) => row.uri.startsWith(uri) && !row.uri.slice(uri.length).includes('/'))
    const isKnownToExist = isDocument || directory === '' || !isBucketRoot(registry.objects.uri)
    if (isKnownToExist || ownRows.some(({ why }) => why !== 'missing')) return answer
    const confirmed = await confirmDirectory(at, directory, run)
    return confirmed === directory ? answer : load(confirmed)
  }

  /** A place in a package. Files at the root of the bucket apply, too. */
  #inPackage(namedPackage: NamedPackage, run: Run): ObjectPlace {
    const { beginnings, packages } = this.#caches
    const { registry } = namedPackage
    let place = registry.objects.uri
    const location = resolveRevision(namedPackage, run).then(async (found) => {
      const location = await locateInPackage(found, { registries: this.#registries, packages }, run)
      place = packageUriIn(found, location.directory === '' ? undefined : location.directory.slice(0, -1))
      return location
    })
    // Prevents an unhandled rejection. A failure is thrown in the sources that await the location.
    location.catch(() => {})
    return {
      kind: 'package',
      place: () => place,
      registry,
      before: [pathContexts(registry, '', this.#surroundings.contexts), packageFacts(namedPackage, location)],
      files: [packageFiles(namedPackage, location, beginnings), registryFiles(registry, '', beginnings)],
    }
  }
}

async function loadObjectPlace(at: ObjectPlace, request: LoadRequest, run: Run): Promise<LoadAnswer> {
  const { before, files, registry, ...place } = at
  const { task, withContextDir = false } = request
  const uriOf = (key: string) => uriIn(registry, key)
  const contextDir = withContextDir ? contextDirOf(registry.objects, uriOf) : undefined
  const candidateOf = ({ origin: { uri } }: Fragment) => files.map(({ read }) => read.get(uri)?.candidate).find(Boolean)
  return assembleAnswer(
    request,
    {
      ...place,
      sources: [...before, ...files, ...(contextDir ? [contextDir] : [])],
      render: objectRenderer(request, (fragment) => candidateOf(fragment)?.position ?? 0),
      isCounted: (fragment) => fragment.kind === 'context-file' && !candidateOf(fragment)?.isRoot,
      focus: task === undefined ? {} : { task },
      root: uriOf(''),
      reading: () => contextDir?.reading,
      contexts: (assembled) => contextsOf(assembled, files),
      digestEntry: ({ origin, text }) => ({ name: origin.uri, content: text }),
    },
    run,
  )
}

const NOT_READ = 'Only README.md and AGENTS.md are read, in the directory of the place and in the directories above it.'

/** The files that apply, in the order in which the text shows them, without files over the limit. */
function contextsOf({ considered, ledger }: Assembled, files: readonly BucketSource[]) {
  const overLimit = ledger.filter(({ decision, why }) => decision === 'left' && why === 'over-limit')
  const tooLong = new Set(overLimit.map(({ uri }) => uri))
  return files.flatMap(({ read }) =>
    considered.kept
      .flatMap(({ origin: { uri } }) => (tooLong.has(uri) ? [] : (read.get(uri) ?? [])))
      .sort((a, b) => a.candidate.position - b.candidate.position)
      .map(({ candidate: { path, scope, reason }, content, modifiedAt }) => {
        return { path: path.slice(1), content, lastModified: modifiedAt, scope, reason }
      }),
  )
}

/** The files of `.context/` at the root of a bucket. */
function contextDirOf(objects: Objects, uriOf: (key: string) => string): ContextDirSource {
  const prefix = `${CONTEXT_DIR}/`
  return contextDirSource(PRIORITY_ORDER, async ({ signal }) => {
    const page = await objects.list({ prefix, delimiter: '/', limit: MAX_PAGE, signal })
    const contextFiles = page.objects
      .map((info) => ({ ...info, name: info.key.slice(prefix.length) }))
      .filter(({ name }) => isContextFile(name))
      .sort(byPriority(PRIORITY_ORDER))
    if (contextFiles.length === 0) return absentReading(PRIORITY_ORDER)
    const reads = contextFiles.map(async ({ key, name, size }): Promise<ListedFile> => {
      const at = { uri: uriOf(key), fileName: name, path: key }
      const read = await readObjectText(objects, { key, size }, signal)
      return read.ok ? { ...at, file: { ...read, ...at, path: at.uri, source: key } } : { ...at, refused: read }
    })
    const dir = { path: uriOf(CONTEXT_DIR), levels: 0 }
    const uris = { order: PRIORITY_ORDER, uriOf: (name: string) => uriOf(`${prefix}${name}`) }
    const reading = readingOf(dir, await Promise.all(reads), uris)
    if (page.next === undefined) return reading
    const { selection } = reading
    const cutWarning = { path: prefix, message: `Only its first ${MAX_PAGE} files are read.` }
    return { ...reading, selection: { ...selection, warnings: [...selection.warnings, cutWarning] } }
  })
}

async function readObjectText(objects: Objects, { key, size }: Pick<ObjectInfo, 'key' | 'size'>, signal?: AbortSignal) {
  const maxBytes = BOUNDS.file
  if (size > maxBytes) return toRefusal('over-limit', `It has ${size} bytes; at most ${maxBytes} are read.`)
  const reading = objects.read(key, { maxBytes, signal })
  const read = await orElse(reading, (error) => toRefusal(leftReasonOf(error), error.message))
  if (read === 'unchanged') throw new Error('Nothing was compared.')
  return 'bytes' in read ? readSafeText(read.bytes) : read
}
