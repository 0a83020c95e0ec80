/** The context of a place in a bucket or a package: what `load` gives of it. */

import type { ContextResolver } from '../../collections/path-contexts.ts'
import type { Assembled } from '../../core/assemble.ts'
import { ContextError } from '../../core/errors.ts'
import type { Run, Source } from '../../core/flow.ts'
import { validBudget } from '../../core/tokens.ts'
import { isBucketRoot } from '../../files/bucket-root.ts'
import { digestFiles } from '../../files/file-version.ts'
import { foundBy, hasPackage, PackageFinder, type PackageQuestion } from '../../quilt/found.ts'
import { type BucketAddress, packageAtPath } from '../../quilt/place.ts'
import { type LocatedPath, Registries, type Registry, type RegistryRoots, type Within } from '../../quilt/registries.ts'
import { uriOf } from '../../text/collection-uri.ts'
import type { ExplainAnswer, LoadAnswer } from '../answers.ts'
import { sentence, withoutTexts } from '../explain.ts'
import { assembleAnswer, type PlaceParts } from '../load/answer.ts'
import { counter } from '../load/count.ts'
import type { LoadRequest } from '../load.ts'
import { unsentOnly } from '../passes/unsent.ts'
import { bucketRecipe } from '../recipes/bucket.ts'
import { blockOrder } from '../recipes/context-dir.ts'
import { Beginnings } from '../sources/bucket/beginning.ts'
import type { BucketSource } from '../sources/bucket/files.ts'
import type { ContextDirSource } from '../sources/context-dir.ts'
import { contextDirOf } from '../sources/context-dir-objects.ts'
import { pathContexts } from '../sources/path-contexts.ts'
import { directoryBefore, withChoice } from './choice.ts'
import { assertHonoured } from './option-places.ts'
import { packageFacts, packageFiles, registryFiles } from './place-sources.ts'
import { confirmDirectory, PackagesAtPlaces, packageUriIn, resolveDirectory, standingIn, uriIn } from './standing.ts'

/** What is asked of a place in a bucket: not what there is only on disk. */
export interface PlaceRequest
  extends Pick<
    LoadRequest,
    'budget' | 'format' | 'task' | 'order' | 'tokens' | 'full' | 'touched' | 'profile' | 'known'
  > {
  /** Loads `.context/` at the root of the bucket, too. Default: false. */
  readonly withContextDir?: boolean | undefined
}

export interface ExplainPlaceRequest extends PlaceRequest {
  /** A file whose absence is to be explained, as the ledger names it. */
  readonly whyNot?: string | undefined
}

/** What places are looked up in. */
export interface PlaceSurroundings extends RegistryRoots {
  contexts(): Promise<ContextResolver>
  /** Whether a path of a collection is that of an indexed document. */
  isDocument(collection: string, path: string): Promise<boolean>
}

/** What was read of places, kept between calls. */
export class PlaceCaches {
  readonly beginnings = new Beginnings()
  readonly packages = new PackagesAtPlaces()
}

/** What is to be assembled of a place, and how that is called. */
interface Standpoint {
  /** Canonical: `load` takes it. Known once the sources were asked. */
  readonly place: () => string
  readonly root: string
  readonly files: readonly BucketSource[]
  /** What else there is, the most important first: it comes before the files. */
  readonly before: readonly Source[]
  readonly contextDir: ContextDirSource | undefined
}

/** The context of places in collections, buckets and packages. */
export class PlaceContexts {
  readonly #around: PlaceSurroundings
  readonly #caches: PlaceCaches
  readonly #registries: Registries

  constructor(around: PlaceSurroundings, caches: PlaceCaches, within: Within) {
    this.#around = around
    this.#caches = caches
    this.#registries = new Registries(around, within)
  }

  /**
   * Loads what applies at a place. Everything that may be there is asked for at once.
   *
   * @throws ContextError `not-found`, `denied` and `unavailable` for a place that cannot be looked at; `cancelled`.
   */
  async load(address: BucketAddress, request: PlaceRequest, run: Run): Promise<LoadAnswer> {
    assertHonoured(request)
    if ('package' in address) return this.#loadPackage(address.package, request, run)
    const at = await this.#registries.locate(address)
    const named = packageAtPath(at.registry.name, at.path)
    try {
      const isAlone = named !== undefined && /^[^/]+\/[^/]+\/?$/.test(at.path)
      const [answer, isPackage] = await Promise.all([
        this.#loadObjects(at, request, run),
        isAlone ? hasPackage(at.registry, named.name, run) : false,
      ])
      return withChoice(answer, named && isPackage ? directoryBefore(at.path, named.place) : undefined)
    } catch (error) {
      const isPackage = named && isNotFound(error) && (await hasPackage(at.registry, named.name, run))
      if (!isPackage) throw error
      return this.#loadPackage(named.place, request, run)
    }
  }

  /** What became of every file that was considered. @throws ContextError as `load`. */
  async explain(address: BucketAddress, { whyNot, ...request }: ExplainPlaceRequest, run: Run): Promise<ExplainAnswer> {
    const answer = withoutTexts(await this.load(address, { ...request, full: false }, run))
    return whyNot === undefined ? answer : { ...answer, whyNot: whyNotOf(whyNot, answer) }
  }

  #loadPackage(place: string, request: PlaceRequest, run: Run): Promise<LoadAnswer> {
    const finder = new PackageFinder(this.#registries)
    return finder.asked(place, run, (asked) => loadStandpoint(this.#inPackage(asked, request, run), request, run))
  }

  /** A directory of which nothing was found in the bucket may not be there: that is asked then, and no sooner. */
  async #loadObjects(at: LocatedPath, request: PlaceRequest, run: Run): Promise<LoadAnswer> {
    const { registry, path } = at
    const isDocument = await this.#isDocument(at)
    const directory = await resolveDirectory({ registry, path, isDocument }, run)
    const load = (directory: string) =>
      loadStandpoint(
        this.#inBucket(registry, { directory, said: isDocument ? path : directory }, request),
        request,
        run,
      )
    const answer = await load(directory)
    const isSure = isDocument || directory === '' || !isBucketRoot(registry.objects.uri)
    if (isSure || !hasNothingOf(uriIn(registry, directory), answer)) return answer
    const confirmed = await confirmDirectory(at, directory, run)
    return confirmed === directory ? answer : load(confirmed)
  }

  async #isDocument({ registry: { name }, path }: LocatedPath): Promise<boolean> {
    return 'collection' in name && (await this.#around.isDocument(name.collection, path))
  }

  #inBucket(
    registry: Registry,
    { directory, said }: { readonly directory: string; readonly said: string },
    request: PlaceRequest,
  ): Standpoint {
    return {
      place: () => uriIn(registry, directory.replace(/\/$/, '')),
      root: uriIn(registry, ''),
      before: [this.#said(registry, said)],
      files: [registryFiles(registry, directory, this.#caches.beginnings)],
      contextDir: contextDirAt(registry, request),
    }
  }

  /** The root of the bucket is asked for beside the package. */
  #inPackage(asked: PackageQuestion, request: PlaceRequest, run: Run): Standpoint {
    const { beginnings, packages } = this.#caches
    const { registry } = asked
    let place = registry.objects.uri
    const standing = foundBy(asked, run).then(async (found) => {
      const standing = await standingIn(found, { registries: this.#registries, packages }, run)
      place = packageUriIn(found, standing.directory === '' ? undefined : standing.directory.slice(0, -1))
      return standing
    })
    // The sources hear of the failure.
    standing.catch(() => {})
    return {
      place: () => place,
      root: uriIn(registry, ''),
      before: [this.#said(registry, ''), packageFacts(asked, standing)],
      files: [packageFiles(asked, standing, beginnings), registryFiles(registry, '', beginnings)],
      contextDir: contextDirAt(registry, request),
    }
  }

  /** What people said of the place; of a bucket that is not a collection, what holds everywhere. */
  #said({ name }: Registry, path: string): Source {
    return pathContexts(async () => {
      const collection = 'collection' in name ? name.collection : ''
      const said = (await this.#around.contexts()).all(collection, path.replace(/\/$/, ''))
      return said.map(({ scope, prefix, text }) => {
        const uri = scope === 'global' ? 'ambit:///' : uriOf({ collection, path: prefix.slice(1) })
        const place = { global: 'everything', collection, path: prefix }[scope]
        return { prefix, title: `About ${place}`, text, uri: `${uri}#context` }
      })
    })
  }
}

/** Whether both files that a directory may have are missing in it. `uri`: with a slash at its end. */
function hasNothingOf(uri: string, { ledger }: Pick<LoadAnswer, 'ledger'>): boolean {
  const own = ledger.filter((row) => row.uri.startsWith(uri) && !row.uri.slice(uri.length).includes('/'))
  return own.every(({ why }) => why === 'missing')
}

function isNotFound(error: unknown): boolean {
  return error instanceof ContextError && error.code === 'not-found'
}

function contextDirAt(registry: Registry, { withContextDir = false }: PlaceRequest): ContextDirSource | undefined {
  if (!withContextDir) return undefined
  return contextDirOf({ objects: registry.objects, uriOf: (key) => uriIn(registry, key) })
}

async function loadStandpoint(standpoint: Standpoint, request: PlaceRequest, run: Run): Promise<LoadAnswer> {
  const { before, files, contextDir, place, root } = standpoint
  const budget = request.budget === undefined ? undefined : validBudget(request.budget)
  const { format = 'xml', order = 'specific-first', task } = request
  const count = await counter(request.tokens)
  const unsent = unsentOnly(request.known ?? [], digestFiles)
  const candidateOf = (uri: string) => files.map(({ candidates }) => candidates.get(uri)).find(Boolean)
  const recipe = bucketRecipe({
    sources: [...before, ...files, ...(contextDir ? [contextDir] : [])],
    count,
    budget,
    format,
    order,
    isRoot: ({ origin }) => candidateOf(origin.uri)?.isRoot ?? false,
    positionOf: ({ origin }) => candidateOf(origin.uri)?.position ?? 0,
    blockOrder,
    unsent: unsent.pass,
  })
  const parts: PlaceParts = {
    recipe,
    focus: task === undefined ? {} : { task },
    count,
    budget,
    isXml: format === 'xml',
    isFull: request.full ?? true,
    unsent,
    place,
    root,
    reading: () => contextDir?.reading,
    contexts: (assembled) => contextsOf(assembled, files),
    named: ({ origin, text }) => ({ name: origin.uri, content: text }),
    marked: ({ ledger, selection: { warnings } }) => ({ ledger, warnings }),
  }
  return assembleAnswer(parts, run)
}

function whyNotOf(file: string, { ledger }: Pick<LoadAnswer, 'ledger'>) {
  const path = file.replace(/^\/+/, '')
  const rows = ledger.filter(({ uri, title }) => uri === file || title === path || title.endsWith(`: ${path}`))
  const answer = rows.length > 0 ? rows.map(sentence).join(' ') : NOT_LOOKED_FOR
  return { path: file, answer, rows }
}

const NOT_LOOKED_FOR =
  'Only README.md and AGENTS.md are looked for, in the directory of the place and in those above it.'

/** The files that apply, as they are printed: not those of which there are too many. */
function contextsOf({ considered, ledger }: Assembled, files: readonly BucketSource[]) {
  const over = new Set(
    ledger.flatMap(({ uri, decision, why }) => (decision === 'left' && why === 'over-limit' ? [uri] : [])),
  )
  const kept = considered.kept.flatMap(({ origin: { uri } }) => (over.has(uri) ? [] : [uri]))
  return files.flatMap(({ contexts, candidates }) => {
    const own = kept.filter((uri) => contexts.has(uri))
    const position = (uri: string) => candidates.get(uri)?.position ?? 0
    return own.toSorted((a, b) => position(a) - position(b)).flatMap((uri) => contexts.get(uri) ?? [])
  })
}
