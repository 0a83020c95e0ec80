import { existsSync } from 'node:fs'
import type { Conversations } from '../agent/conversations.ts'
import { keptServers, type ToolServers } from '../agent/tool-servers.ts'
import type { OpenObjects } from '../collections/collections.ts'
import type { CollectionFile } from '../collections/files.ts'
import type { Library } from '../collections/library.ts'
import type { PathContexts } from '../collections/path-contexts.ts'
import type { RebuildAnswer } from '../collections/rebuild.ts'
import { withChoice } from '../context/choice.ts'
import type { ExplainAnswer, ExplainRequest } from '../context/explain.ts'
import { placesOver } from '../context/lazy.ts'
import type { LoadAnswer, LoadRequest } from '../context/load.ts'
import type { Looking } from '../context/looking.ts'
import { reachThrough } from '../context/reach.ts'
import type { Where } from '../context/where.ts'
import type { Workspace } from '../context/workspace.ts'
import { ContextError } from '../core/errors.ts'
import type { Run } from '../core/flow.ts'
import { once } from '../core/steps.ts'
import { keptObjects } from '../files/objects.ts'
import { keptLanguages, type LanguageModel } from '../models/language.ts'
import type { Packages } from '../quilt/catalog.ts'
import type { Within } from '../quilt/registries.ts'
import type { Salvaged, Store } from '../stores/store.ts'
import { noDatabase, type Upkeep, upkeepOf } from '../stores/transfer.ts'
import { uploadsThrough } from '../stores/uploads.ts'
import type { Address } from '../text/collection-uri.ts'
import { type Adapters, NO_STORE } from './adapters.ts'
import { type Access, accessOver, Guests } from './auth/access.ts'
import { mayResearch } from './auth/rights.ts'
import type { Config } from './config.ts'
import { contextOnDisk, type DiskOperations, type HomeAsked } from './context/on-disk.ts'
import type { DoctorAnswer } from './doctor.ts'
import { LOCAL_OWNER, type Principal } from './principal.ts'
import { borrowedFrom, type Works, workByJobs } from './works.ts'

/** Of a place that may be in a bucket. */
type PlaceAsked<Request> = HomeAsked<Request> & { readonly withContextDir?: boolean | undefined }

/**
 * The parts put together: what the operations call. Each part is loaded when it is first called, so that a command
 * pays only for what it uses.
 */
export interface Engine extends Upkeep, Works, Access, DiskOperations {
  readonly config: Config
  /** Of a place on disk, in a collection, or in a package: `within` as in `packages`. */
  load(request: PlaceAsked<LoadRequest>, run: Run, within?: Within): Promise<LoadAnswer>
  explain(request: PlaceAsked<ExplainRequest>, run: Run, within?: Within): Promise<ExplainAnswer>
  doctor(run: Run): Promise<DoctorAnswer>
  /** Collections, and what is known of their places. The store is opened when this is first called. */
  library(): Promise<Library>
  contexts(): Promise<PathContexts>
  /** Conversations with the assistant. */
  conversations(): Promise<Conversations>
  /** A file of a collection, by its exact path: for its bytes. */
  file(address: Address, signal?: AbortSignal): Promise<CollectionFile>
  /** Packages in collections, and in any bucket that the user's own credentials open, unless `within` is `collections`. */
  packages(within?: Within): Promise<Packages>
  /**
   * The language model of the assistant; by its name, another than the configured one.
   * @throws ContextError `invalid-input` for a name that is none; `denied` where a key is missing.
   */
  language(name?: string): Promise<LanguageModel>
  /** The servers whose tools the assistant may call; undefined where none are set. They are connected with from the first call on. */
  servers(): Promise<ToolServers | undefined>
  /** What is new to the reader of a tool's session, as a text for it; `''` for nothing. @throws ContextError. */
  readonly reach: ReturnType<typeof reachThrough>
  /** The instruction files that apply at a place on disk, as a prompt that only grows. @throws ContextError `not-found`. */
  workspace(place: string, budget: number): Promise<Workspace>
  /** Files that need be in no index, and what there is to see: `within` as in `packages`. */
  looking(within?: Within): Promise<Looking>
  /** Where a place is, as `load` takes it: whether on disk. */
  isOnDisk(place: string): Promise<boolean>
  /** The engine for somebody: nothing that is not theirs is there. One for all who may do the same. */
  as(principal: Principal): Engine
  /** Runs of research under way in this process. */
  running(): number
  /** What whoever runs a server should know of how it is set up. */
  readonly warnings: readonly string[]
  /** Takes away browsers that are out, and objects of uploads that nobody has. Returns how many objects. */
  sweep(signal?: AbortSignal): Promise<number>
  /** Makes the database anew. Only while nothing else is under way. */
  rebuild(run: Run): Promise<RebuildAnswer>
  /** Ends what was opened. */
  close(): Promise<void>
}

/** An engine over the configuration. */
export function createEngine(config: Config, adapters: Adapters = NO_STORE): Engine {
  const at = (home = true) => (home ? config.home : false)
  let opened: Promise<Library> | undefined
  const library = () => {
    // What failed to open may be mended, and is tried again.
    opened ??= libraryOn(adapters, objects.open, uploads.beside).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
  const objects = keptObjects(adapters.objects)
  const uploads = uploadsThrough(adapters.uploads)
  const roots = { collections: async () => (await library()).collections.list(), open: objects.open }
  /** A place that cannot be in a collection takes no database. */
  const where = async (place = '.') => {
    if (/^[./~]/.test(place)) return {}
    const { whereIs } = await import('../context/where.ts')
    const names = async () => (hasStore(config) || opened ? (await roots.collections()).map(({ name }) => name) : [])
    return whereIs(place, names)
  }
  const places = placesOver({ ...roots, library })
  const access = accessOver(async () => (await library()).port)
  const language = keptLanguages((name) => languageIn(adapters, name))
  const servers = keptServers(adapters.servers)
  const mayGoOn = () => mayResearch(adapters.principal ?? LOCAL_OWNER, access)
  const work = workByJobs(adapters, { library, language, config, mayGoOn }, (name, collections) =>
    engine.as(workerFor(name, collections)).research(),
  )
  const guests = new Guests(
    () => engine,
    (principal) => guestOf(engine, principal, { ...adapters, language, principal }),
  )
  const close = async () => {
    await work.close(() => guests.close())
    const closing = opened
    opened = undefined
    await Promise.all([objects.close(), servers.close()])
    await closing?.then(({ port }) => port.close())
  }
  const engine: Engine = {
    config,
    ...anywhere(at, where, { places, cache: config.cache }),
    ...contextOnDisk(config, at),
    doctor: async (run) => {
      const [{ checkMachine: doctor }, { libraryChecks }] = await Promise.all([
        import('./doctor.ts'),
        import('./doctor/library-checks.ts'),
      ])
      const checks = libraryChecks(config, library, { ...adapters, language: () => language(), servers: servers.open })
      return doctor(config, run, { ...checks, uploads: () => uploads.check(hasStore(config), library, run) })
    },
    language,
    servers: servers.open,
    reach: reachThrough({ state: config.state, home: at(), library: hasStore(config) ? library : undefined }),
    workspace: async (place, budget) => {
      const { workspaceAt } = await import('../context/workspace.ts')
      return workspaceAt(place, { home: at(), budget })
    },
    looking: async (within) => (await import('../context/looking.ts')).lookingOver({ ...roots, library }, within),
    isOnDisk: async (place) => (await where(place)).address === undefined,
    library,
    contexts: async () => (await library()).contexts,
    conversations: async () => (await import('../agent/conversations.ts')).keptIn((await library()).port),
    file: async (address, signal) => {
      const { openCollectionFile: fileIn } = await import('../collections/files.ts')
      return fileIn(await (await library()).browser(), address, signal)
    },
    packages: async (within = 'anywhere') => {
      const { catalogOver } = await import('../quilt/catalog.ts')
      return catalogOver(roots, within)
    },
    ...work.asked,
    ...upkeepOf({ store: async () => (await library()).port, close, migrate: adapters.migrate, uploads }),
    sweep: async (signal) => {
      if (!hasStore(config)) return 0
      await (await access.signIns()).forget()
      return uploads.sweep(library, signal)
    },
    warnings: uploads.warnings,
    rebuild: async (run) => {
      await close()
      const salvaged = await salvagedFrom(adapters)
      return (await import('../collections/rebuild.ts')).rebuilt(await library(), salvaged, run)
    },
    ...access,
    as: (principal) => guests.of(principal),
    running: () => guests.all().reduce((sum, guest) => sum + guest.running(), work.running()),
    close,
  }
  return engine
}

/** What looks at places wherever they are. */
function anywhere(
  at: (home?: boolean) => Config['home'],
  where: (place?: string) => Promise<Where>,
  { places, cache }: { readonly places: ReturnType<typeof placesOver>; readonly cache: string | undefined },
): Pick<Engine, 'load' | 'explain'> {
  return {
    load: async ({ home, withContextDir, ...request }, run, within) => {
      const { address, choice } = await where(request.place)
      if (address && request.code) throw codeIsOnDisk()
      if (address) return (await places(within)).load(address, { ...request, withContextDir }, run)
      const { load } = await import('../context/load.ts')
      return withChoice(await load({ ...request, home: at(home) }, run, { cache }), choice)
    },
    explain: async ({ home, withContextDir, ...request }, run, within) => {
      const { address, choice } = await where(request.place)
      if (address) return (await places(within)).explain(address, { ...request, withContextDir }, run)
      const { explainPlace: explain } = await import('../context/explain.ts')
      return withChoice(await explain({ ...request, home: at(home) }, run), choice)
    },
  }
}

function codeIsOnDisk(): ContextError {
  return new ContextError('invalid-input', 'Code is chosen on disk only.', { hint: 'Give a path on disk.' })
}

/**
 * The engine of somebody who came over the network, over what the host's has. Its home directory, its servers of tools and
 * places that its credentials open are the host's alone.
 */
function guestOf(host: Engine, principal: Principal, { servers: _, uploads: __, ...adapters }: Adapters): Engine {
  const guest = createEngine(
    { ...host.config, home: false },
    {
      ...adapters,
      jobs: () => borrowedFrom(host.jobs),
      store: async () => {
        const [{ seenStore }, { port }] = await Promise.all([import('./auth/seen/seen-store.ts'), host.library()])
        return seenStore(port, principal)
      },
    },
  )
  const { tokens, signIns, doctor, rebuild, as, migrate, exportTo, importFrom, sweep } = host
  return { ...guest, tokens, signIns, doctor, rebuild, as, migrate, exportTo, importFrom, sweep }
}

/** Who a job is done for: nobody who asks a server is alike, and so what they leave is none of it. */
function workerFor(name: string, collections: readonly string[] | undefined): Principal {
  return { name, scopes: [], ...(collections && { collections }) }
}

/** Whether there is something to be found in: to look for a place makes no database. */
const hasStore = ({ db, database }: Config): boolean =>
  database !== undefined || db === undefined || db === ':memory:' || existsSync(db)

async function languageIn({ language }: Adapters, name: string | undefined): Promise<LanguageModel> {
  if (language) return language(name)
  throw new ContextError('unavailable', 'This engine has no language model.', { hint: 'Make it by open().' })
}

function salvagedFrom({ salvage }: Adapters): Promise<Salvaged> {
  if (salvage) return salvage()
  throw noDatabase()
}

async function libraryOn(
  adapters: Adapters,
  objects: OpenObjects,
  beside: (store: Store) => Promise<Store>,
): Promise<Library> {
  const [{ libraryOver }, store] = await Promise.all([
    import('../collections/library.ts'),
    adapters.store().then(beside),
  ])
  const none = async () => undefined
  const models = { embedding: once(adapters.embedding ?? none), reranking: once(adapters.reranking ?? none) }
  return libraryOver(store, { ...models, objects })
}

export type { BrowseAnswer } from '../collections/browse-answer.ts'
export type { CollectionStatus, StatusAnswer } from '../collections/collections.ts'
export type { GetAnswer, ListAnswer, MultiGetAnswer } from '../collections/documents.ts'
export type { IndexAnswer } from '../collections/indexing.ts'
export type { BenchAnswer, BenchMiss, BenchScores } from '../collections/library.ts'
export type { SearchAnswer } from '../collections/search.ts'
export type { EmbedAnswer } from '../ingest/embed.ts'
export type {
  PackageCatAnswer,
  PackageDiffAnswer,
  PackageGetAnswer,
  PackageListAnswer,
  PackageLogAnswer,
  PackageLsAnswer,
  PackagePushAnswer,
  PackageSearchAnswer,
  PackageShowAnswer,
  PackageVerifyAnswer,
} from '../quilt/answers.ts'
export type { ReportExport as ExportAnswer, SessionAnswer, SessionList } from '../research/answers.ts'
export type { Collection, Migrated } from '../stores/store.ts'
export type { TransferAnswer } from '../stores/store-export.ts'
export type { CheckAnswer, DiffAnswer, InitAnswer, TaskAnswer, TaskRequest } from './context/on-disk.ts'
export type { CreatedToken, TokenLine } from './tokens.ts'
export type { DoctorAnswer, ExplainAnswer, LoadAnswer, Looking, RebuildAnswer }
