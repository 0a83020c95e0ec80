import { existsSync } from 'node:fs'
import type { Conversations } from '../agent/conversations.ts'
import type { ToolServers } from '../agent/tool-servers.ts'
import type { FolderAnswer, RebuildAnswer } from '../collections/answers.ts'
import type { CollectionFile } from '../collections/files.ts'
import type { FolderRequest, Library, LibraryDependencies } from '../collections/library.ts'
import type { PathContexts } from '../collections/path-contexts.ts'
import type { PlaceReader } from '../context/place-reader.ts'
import { createPlaceOpener } from '../context/places.ts'
import { createReach } from '../context/reach.ts'
import { ContextError } from '../core/errors.ts'
import type { Run } from '../core/flow.ts'
import { objectsAt } from '../files/object-stores.ts'
import { openOnce } from '../files/objects.ts'
import type { ModelDownload } from '../models/embedding.ts'
import type { LanguageModel } from '../models/language.ts'
import type { Packages } from '../quilt/catalog.ts'
import type { RegistryScope } from '../quilt/registries.ts'
import type { Store } from '../stores/store.ts'
import { createUpkeep, noDatabase, type Upkeep } from '../stores/transfer.ts'
import { createUploads } from '../stores/uploads.ts'
import type { CitedRoot } from '../text/citations.ts'
import type { Address } from '../text/collection-uri.ts'
import { type Access, accessOver, guestEngines, mayResearch } from './auth/access.ts'
import type { DoctorAnswer, SettingsAnswer } from './config/answers.ts'
import { type Config, changeSettings, readSettings, type SettingsChange, writeTrust } from './config.ts'
import { type Adapters, missingAdapter, NO_STORE } from './parts/adapters.ts'
import { languageModels, listOffered, loadOffered, rankingModels, refusalToGuests, taskModels } from './parts/models.ts'
import { type PlaceOperations, placeOperations } from './parts/places.ts'
import { type BackgroundWork, backgroundWork, lazyValue } from './parts/work.ts'
import { isLocalOwner, LOCAL_OWNER, type Principal } from './principal.ts'

/**
 * All modules behind one interface, for operations. Each module is loaded at its first call, so that a command loads
 * only the modules that it uses.
 */
export interface Engine extends Upkeep, BackgroundWork, Access, PlaceOperations {
  readonly config: Config
  /** Checks the installation. `forIssue`: leaves out the names of people, hosts, places and collections. */
  doctor(run: Run, forIssue?: boolean): Promise<DoctorAnswer>
  /** Collections and path contexts. The first call opens the store. */
  library(): Promise<Library>
  contexts(): Promise<PathContexts>
  conversations(): Promise<Conversations>
  /** The bytes of a file of a collection, by its exact path. */
  file(address: Address, signal?: AbortSignal): Promise<CollectionFile>
  /** Packages in collections, and in any bucket that the user's own credentials open, unless `within` is `collections`. */
  packages(within?: RegistryScope): Promise<Packages>
  /**
   * The language model of this name; without a name, the configured model.
   * @throws ContextError `invalid-input` for an invalid name; `denied` for a missing key.
   */
  language(name?: string): Promise<LanguageModel>
  /** Names of the models that guests may choose: the configured model, which is the default, and the built-in model. */
  offeredModels(): readonly string[]
  /** The servers whose tools the assistant may call, if configured. The first call connects with them. */
  servers(): Promise<ToolServers | undefined>
  /** The context that is new to a session of an agent, as a text; `''` for none. @throws ContextError. */
  readonly reach: ReturnType<typeof createReach>
  /** Reads, lists and searches places without an index. `within`: as in `packages`. */
  placeReader(within?: RegistryScope): Promise<PlaceReader>
  /** Lists a directory on disk. @throws ContextError `denied` to guests who are not administrators. */
  folder(request: FolderRequest, run: Run): Promise<FolderAnswer>
  /** Downloads an embedding model, `OWNER/NAME[@REVISION]`, and uses it if none is configured. */
  getModel(model: string, run: Run): Promise<ModelDownload>
  /** The collections and their roots; empty without a database. */
  roots(): Promise<readonly CitedRoot[]>
  /** The engine of a principal. It contains only the principal's data. Principals with the same rights share an engine. */
  as(principal: Principal): Engine
  /** Models and services that may change while the program runs. */
  readonly settings: ReturnType<typeof liveSettings>
  /** Number of research runs in this process. */
  running(): number
  /** Warnings about the configuration, for the owner of a server. */
  readonly warnings: readonly string[]
  /** Creates missing tables and columns of the database, and returns their names. */
  mend(): Promise<readonly string[]>
  /** Whether the database exists and is consistent; `false` for a database that is not a file. */
  isWhole(): Promise<boolean>
  rebuild(run: Run): Promise<RebuildAnswer>
  /** Deletes expired sign-ins and orphaned objects of uploads. Returns the number of objects. */
  sweep(signal?: AbortSignal): Promise<number>
  /** Closes the store and every connection. */
  close(): Promise<void>
}

export function createEngine(config: Config, adapters: Adapters = NO_STORE): Engine {
  const { state, cache } = config
  const ranking = rankingModels(adapters, config)
  const objects = openOnce(adapters.objects ?? objectsAt)
  const uploads = createUploads(adapters.uploads)
  const openStore = () => adapters.store().then(uploads.useStore)
  const lazyLibrary = lazyValue(() => openLibrary(openStore(), { ...ranking, openRoot: objects.open }))
  const library = lazyLibrary.get
  const rootAccess = { collections: async () => (await library()).collections.list(), open: objects.open }
  const listRoots = async () => (hasStore(config) || lazyLibrary.isOpen() ? rootAccess.collections() : [])
  const access = accessOver(async () => (await library()).port)
  const language = languageModels(adapters, config)
  const servers = lazyValue(adapters.servers ?? (async () => undefined))
  const { work, ...background } = backgroundWork(adapters, {
    library,
    language,
    config,
    mayContinue: () => mayResearch(adapters.principal ?? LOCAL_OWNER, access),
    researchOf: (name, collections) => engine.as({ name, scopes: [], ...(collections && { collections }) }).research(),
  })
  const guests = guestEngines<Engine>((principal) => guestOf(engine, principal, { ...adapters, language }))
  const close = async () => {
    await background.close(() => guests.close())
    await Promise.all([objects.close(), servers.close(endServers), lazyLibrary.close(({ port }) => port.close())])
  }
  const engine: Engine = {
    config,
    ...placeOperations({
      config,
      places: createPlaceOpener({ ...rootAccess, library }),
      models: taskModels(ranking, language, { config, isGuest: adapters.principal !== undefined }),
      names: async () => (await listRoots()).map(({ name }) => name),
    }),
    ...work,
    ...access,
    ...createUpkeep({ store: async () => (await library()).port, close, migrate: adapters.migrate, uploads }),
    settings: liveSettings(config, adapters.principal),
    doctor: async (run, forIssue) => {
      const { checkMachine } = await import('./doctor/doctor.ts')
      const { libraryChecks, checkAgents: agents } = await import('./doctor/part-checks.ts')
      const checks = libraryChecks(config, library, { ...adapters, language: () => language(), servers: servers.get })
      const uploadCheck = { uploads: () => uploads.check(hasStore(config), library, run) }
      const answer = await checkMachine(config, run, { agents, ...checks, ...uploadCheck })
      return forIssue ? (await import('./doctor/report.ts')).reportForIssue(answer, config) : answer
    },
    language,
    offeredModels: () => listOffered(config),
    servers: servers.get,
    reach: createReach({ state, cache, home: config.home, library: hasStore(config) ? library : undefined }),
    placeReader: async (within) =>
      new (await import('../context/place-reader.ts')).PlaceReader({ ...rootAccess, library }, within),
    folder: async (request, run) => {
      if (adapters.principal?.scopes.includes('admin') === false)
        throw refusalToGuests('does not list its directories', 'Ask for a token with the scope admin.')
      return (await library()).folder(request, run)
    },
    roots: listRoots,
    library,
    contexts: async () => (await library()).contexts,
    conversations: async () =>
      (await import('../agent/conversations.ts')).openConversations((await library()).port.conversations),
    file: async (address, signal) => {
      const { openCollectionFile } = await import('../collections/files.ts')
      return openCollectionFile(await (await library()).browser(), address, signal)
    },
    packages: async (within = 'anywhere') => (await import('../quilt/catalog.ts')).catalogOver(rootAccess, within),
    sweep: async (signal) => {
      if (!hasStore(config)) return 0
      await (await access.signIns()).forget()
      return uploads.sweep(library, signal)
    },
    warnings: uploads.warnings,
    getModel: async (model, run) =>
      adapters.getModel?.(model, run) ?? Promise.reject(missingAdapter('keeps no models')),
    mend: () => close().then(async () => (await adapters.mend?.()) ?? []),
    isWhole: () => close().then(async () => (await adapters.isWhole?.()) ?? false),
    rebuild: async (run) => {
      await close()
      if (!adapters.salvage) throw noDatabase()
      const salvaged = await adapters.salvage()
      return (await import('../collections/rebuild.ts')).rebuildLibrary(await library(), salvaged, run)
    },
    as: (principal) => (isLocalOwner(principal) ? engine : guests.get(principal)),
    running: () => guests.all().reduce((sum, guest) => sum + guest.running(), background.running()),
    close,
  }
  return engine
}

/**
 * The engine of a client of a server. It uses the part of the store that the client may see, and only the offered models. It has no home directory,
 * no tool servers, and no places that need the host's credentials.
 */
function guestOf(host: Engine, principal: Principal, { servers: _, uploads: __, ...adapters }: Adapters): Engine {
  const { language } = adapters
  const guest = createEngine(
    // The host's configuration is the prototype, so that a setting that changes while the server runs changes for guests, too.
    Object.create(host.config, { home: { value: false, enumerable: true } }),
    {
      ...adapters,
      principal,
      ...(language && { language: loadOffered(language, host.config) }),
      jobs: host.jobs,
      store: async () => {
        const { visibleStore } = await import('./auth/visible/visible-store.ts')
        return visibleStore((await host.library()).port, principal)
      },
    },
  )
  const { tokens, signIns, doctor, mend, isWhole, rebuild, as, migrate, exportTo, importFrom, sweep } = host
  return { ...guest, tokens, signIns, doctor, mend, isWhole, rebuild, as, migrate, exportTo, importFrom, sweep }
}

const endServers = async (servers: ToolServers | undefined) => servers?.close()

/** Whether there is a database to open. Looking up a place must not create a database. */
const hasStore = ({ db, database }: Config): boolean =>
  database !== undefined || db === undefined || db === ':memory:' || existsSync(db)

async function openLibrary(store: Promise<Store>, parts: LibraryDependencies): Promise<Library> {
  const [{ libraryOver }, openedStore] = await Promise.all([import('../collections/library.ts'), store])
  return libraryOver(openedStore, parts)
}

export * from '../agent/answers.ts'
export * from '../collections/answers.ts'
export * from '../context/answers.ts'
export type { TaskRequest } from '../context/task.ts'
export { embedAnswer, type ModelDownload, modelDownloadAnswer } from '../models/embedding.ts'
export * from '../quilt/answers.ts'
export type { IndexJob } from '../stores/index-jobs.ts'
export type { Collection } from '../stores/store.ts'
export { exportStoreAnswer, importStoreAnswer, migrateAnswer } from '../stores/transfer.ts'
export * from './config/answers.ts'
export type { PlaceReader }

/**
 * Settings that the local owner may change while the program runs. Answers never contain keys; only the local owner sees the path of
 * the file. `principal`: the owner of the engine; undefined for the local owner.
 */
function liveSettings(config: Config, principal: Principal = LOCAL_OWNER) {
  const isOwner = isLocalOwner(principal)
  const show = async (): Promise<SettingsAnswer> => {
    const answer = await readSettings(config)
    return isOwner ? answer : { ...answer, file: null }
  }
  const assertOwner = () => {
    const hint = 'Ask the owner: the keys and credentials are theirs.'
    if (!isOwner) throw new ContextError('denied', 'Only the owner of the server can change its settings.', { hint })
  }
  return {
    show,
    /** @throws ContextError `denied`; as `changeSettings`. */
    set: async (change: SettingsChange) => {
      assertOwner()
      await changeSettings(config, change)
      return show()
    },
    /** Stores whether the person trusts the instruction files of an address. @throws ContextError as `set`. */
    trust: async (address: string, isTrusted: boolean) => {
      assertOwner()
      await writeTrust(config, address, isTrusted)
    },
  }
}
