import { existsSync } from 'node:fs'
import type { Conversations } from '../agent/conversations.ts'
import { keptServers, type ToolServers } from '../agent/tool-servers.ts'
import type { OpenObjects } from '../collections/collections.ts'
import type { CollectionFile } from '../collections/files.ts'
import type { Library } from '../collections/library.ts'
import type { PathContexts } from '../collections/path-contexts.ts'
import type { PlaceReader } from '../context/place-reader.ts'
import { placesOver } from '../context/places.ts'
import { reachThrough } from '../context/reach.ts'
import { ContextError } from '../core/errors.ts'
import type { Run } from '../core/flow.ts'
import { keptObjects } from '../files/objects.ts'
import type { GotModel } from '../models/embedding.ts'
import type { LanguageModel } from '../models/language.ts'
import type { Packages } from '../quilt/catalog.ts'
import type { Within } from '../quilt/registries.ts'
import type { Store } from '../stores/store.ts'
import { type Upkeep, upkeepOf } from '../stores/transfer.ts'
import { uploadsThrough } from '../stores/uploads.ts'
import type { CitedRoot } from '../text/citations.ts'
import type { Address } from '../text/collection-uri.ts'
import { type Access, accessOver, Guests } from './auth/access.ts'
import { mayResearch } from './auth/rights.ts'
import type { DoctorAnswer } from './config/answers.ts'
import { type LiveSettings, liveSettings } from './config/live-settings.ts'
import type { Config } from './config.ts'
import { contextAnywhere, type PlaceOperations } from './context/anywhere.ts'
import { contextOnDisk, type DiskOperations, taskModels } from './context/on-disk.ts'
import {
  type Adapters,
  languagesOf,
  NO_STORE,
  offeredAlone,
  offeredModels,
  type Repairs,
  rankingModelsOf,
  repairsThrough,
} from './parts/adapters.ts'
import { type Works, workByJobs } from './parts/works.ts'
import { LOCAL_OWNER, type Principal } from './principal.ts'

/**
 * The parts put together: what the operations call. Each part is loaded when it is first called, so that a command
 * pays only for what it uses.
 */
export interface Engine extends Upkeep, Repairs, Works, Access, DiskOperations, PlaceOperations {
  readonly config: Config
  /** `forIssue`: without names of people, hosts, places and collections. */
  doctor(run: Run, forIssue?: boolean): Promise<DoctorAnswer>
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
  /** Names of the models that everybody may choose: the configured one and the built-in one. The first is the default. */
  offered(): readonly string[]
  /** The servers whose tools the assistant may call; undefined where none are set. They are connected with from the first call on. */
  servers(): Promise<ToolServers | undefined>
  /** What is new to the reader of a tool's session, as a text for it; `''` for nothing. @throws ContextError. */
  readonly reach: ReturnType<typeof reachThrough>
  /** Files that need be in no index, and what there is to see: `within` as in `packages`. */
  looking(within?: Within): Promise<PlaceReader>
  /** Downloads an embedding model, `OWNER/NAME[@REVISION]`, and makes it the one in use where none is set. */
  getModel(model: string, run: Run): Promise<GotModel>
  /** Where a place is, as `load` takes it: whether on disk. */
  isOnDisk(place: string): Promise<boolean>
  /** The collections, and where they are; none where there is no database yet. */
  roots(): Promise<readonly CitedRoot[]>
  /** The engine for somebody: nothing that is not theirs is there. One for all who may do the same. */
  as(principal: Principal): Engine
  /** Models and services, as they may be set while the program runs. */
  readonly settings: LiveSettings
  /** Runs of research under way in this process. */
  running(): number
  /** What whoever runs a server should know of how it is set up. */
  readonly warnings: readonly string[]
  /** Takes away browsers that are out, and objects of uploads that nobody has. Returns how many objects. */
  sweep(signal?: AbortSignal): Promise<number>
  /** Ends what was opened. */
  close(): Promise<void>
}

/** An engine over the configuration. */
export function createEngine(config: Config, adapters: Adapters = NO_STORE): Engine {
  const { state, cache } = config
  const at = (home = true) => (home ? config.home : false)
  let opened: Promise<Library> | undefined
  const library = () => {
    // What failed to open may be mended, and is tried again.
    opened ??= libraryOn({ ...adapters, ...ranking }, objects.open, uploads.beside).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
  const ranking = rankingModelsOf(adapters, config)
  const objects = keptObjects(adapters.objects)
  const uploads = uploadsThrough(adapters.uploads)
  const roots = { collections: async () => (await library()).collections.list(), open: objects.open }
  /** A place that cannot be in a collection takes no database. */
  const where = async (place = '.') => {
    if (/^[./~]/.test(place)) return {}
    const { resolvePlace } = await import('../context/resolve-place.ts')
    return resolvePlace(place, async () => (await known()).map(({ name }) => name))
  }
  const known = async () => (hasStore(config) || opened ? roots.collections() : [])
  const places = placesOver({ ...roots, library })
  const access = accessOver(async () => (await library()).port)
  const language = languagesOf(adapters, config)
  const models = taskModels({ ...adapters, ...ranking }, () => language(), config)
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
    ...contextAnywhere(at, where, { places, cache, models }),
    ...contextOnDisk(config, { homeAt: at, models }),
    settings: liveSettings(config, adapters.principal),
    doctor: async (run, forIssue = false) => {
      const [{ checkMachine: doctor }, { libraryChecks }, { checkAgents: agents }] = await loadDoctor()
      const checks = libraryChecks(config, library, { ...adapters, language: () => language(), servers: servers.open })
      const stored = { uploads: () => uploads.check(hasStore(config), library, run) }
      const found = await doctor(config, run, { agents, ...checks, ...stored })
      return forIssue ? (await import('./doctor/report.ts')).reportForIssue(found, config) : found
    },
    language,
    offered: () => offeredModels(config),
    servers: servers.open,
    reach: reachThrough({ state, cache, home: at(), library: hasStore(config) ? library : undefined }),
    looking: async (within) =>
      new (await import('../context/place-reader.ts')).PlaceReader({ ...roots, library }, within),
    isOnDisk: async (place) => (await where(place)).address === undefined,
    roots: known,
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
    sweep: async (signal) => (hasStore(config) ? sweepStore(access, () => uploads.sweep(library, signal)) : 0),
    warnings: uploads.warnings,
    getModel: async (model, run) => (adapters.getModel ?? NO_MODELS)(model, run),
    ...repairsThrough(adapters, library, close),
    ...access,
    as: (principal) => guests.of(principal),
    running: () => guests.all().reduce((sum, guest) => sum + guest.running(), work.running()),
    close,
  }
  return engine
}

function loadDoctor() {
  return Promise.all([
    import('./doctor/doctor.ts'),
    import('./doctor/library-checks.ts'),
    import('./doctor/agent-checks.ts'),
  ] as const)
}

const NO_MODELS = async (): Promise<never> => {
  throw new ContextError('unavailable', 'This engine keeps no models.', { hint: 'Make it by open().' })
}

/**
 * The engine of somebody who came over the network, over what the host's has. Its home directory, its servers of tools, places
 * that its credentials open and models that are not set are the host's alone.
 */
function guestOf(host: Engine, principal: Principal, { servers: _, uploads: __, ...adapters }: Adapters): Engine {
  const { language } = adapters
  const guest = createEngine(
    // What is set while the server runs is in force for all.
    Object.create(host.config, { home: { value: false, enumerable: true } }),
    {
      ...adapters,
      ...(language && { language: offeredAlone(language, host.config) }),
      jobs: host.jobs,
      store: async () => {
        const [{ seenStore }, { port }] = await Promise.all([import('./auth/seen/seen-store.ts'), host.library()])
        return seenStore(port, principal)
      },
    },
  )
  const { tokens, signIns, doctor, mend, isWhole, rebuild, as, migrate, exportTo, importFrom, sweep } = host
  return { ...guest, tokens, signIns, doctor, mend, isWhole, rebuild, as, migrate, exportTo, importFrom, sweep }
}

/** Who a job is done for: nobody who asks a server is alike, and so what they leave is none of it. */
function workerFor(name: string, collections: readonly string[] | undefined): Principal {
  return { name, scopes: [], ...(collections && { collections }) }
}

/** Whether there is something to be found in: to look for a place makes no database. */
const hasStore = ({ db, database }: Config): boolean =>
  database !== undefined || db === undefined || db === ':memory:' || existsSync(db)

async function sweepStore(access: Access, sweep: () => Promise<number>): Promise<number> {
  await (await access.signIns()).forget()
  return sweep()
}

async function libraryOn(
  adapters: Pick<Adapters, 'store'> & ReturnType<typeof rankingModelsOf>,
  objects: OpenObjects,
  beside: (store: Store) => Promise<Store>,
): Promise<Library> {
  const [{ libraryOver }, store] = await Promise.all([
    import('../collections/library.ts'),
    adapters.store().then(beside),
  ])
  const { embedding, reranking } = adapters
  return libraryOver(store, { embedding, reranking, objects })
}

export * from '../agent/answers.ts'
export * from '../collections/answers.ts'
export type { BenchMiss, BenchScores } from '../collections/library.ts'
export * from '../context/answers.ts'
export { embedAnswer, type GotModel, gotModel } from '../models/embedding.ts'
export * from '../quilt/answers.ts'
export type { IndexJob } from '../stores/index-jobs.ts'
export type { Collection } from '../stores/store.ts'
export { exportStoreAnswer, importStoreAnswer, migrateAnswer } from '../stores/transfer.ts'
export * from './config/answers.ts'
export type { TaskRequest } from './context/on-disk.ts'
export type { PlaceReader }
