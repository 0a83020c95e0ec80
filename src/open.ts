import { join, resolve } from 'node:path'
import type { Library } from './collections/library.ts'
import type { TaskAnswer } from './context/answers.ts'
import { ContextError } from './core/errors.ts'
import { type Run, SILENT } from './core/flow.ts'
import { exposedFileError } from './engine/config/sources.ts'
import { type Config, readConfig, readModel, readVariable, uploadPlaceOf } from './engine/config.ts'
import { createEngine, type Engine, type TaskRequest } from './engine/engine.ts'
import { statOf } from './files/file-version.ts'
import { readWordVectors, systemHome } from './files/home.ts'

/** Settings that replace configured settings. */
export interface OpenOptions {
  /** Path of the database; `:memory:` keeps it in memory. */
  readonly db?: string
  /** The role of this process among others of the same database: `api` queues jobs, `worker` does them, `all` does both. */
  readonly role?: Role
}

export type Role = 'api' | 'worker' | 'all'

/** An engine with its library: collections, documents and path contexts. */
export interface OpenEngine extends Engine {
  readonly store: Library
}

/**
 * Opens the database, or creates it if it is missing, and builds the engine on it. Call `close` at the end.
 *
 * @throws ContextError `invalid-input` for an invalid configuration file; `unavailable` for a database that cannot be opened.
 * @example
 * const { store, close } = await open({ db: 'ambit.db' })
 * await store.collections.add({ name: 'docs', root: 'docs' })
 * await store.collections.index()
 * await store.contexts.set('docs/api', 'The HTTP interface')
 * const { results } = await store.search({ query: 'how to sign in' })
 * await close()
 */
export async function open(options: OpenOptions = {}): Promise<OpenEngine> {
  const engine = await openEngine(options)
  return { ...engine, store: await engine.library() }
}

/**
 * Reads the configuration and builds the engine from it. The database is opened at its first use.
 *
 * @throws ContextError `invalid-input` for an invalid configuration file.
 */
export async function openEngine(options: OpenOptions = {}): Promise<Engine> {
  const { database, ...config } = await readConfig()
  if (options.db !== undefined)
    return openWith({ ...config, db: options.db === ':memory:' ? options.db : resolve(options.db) }, options.role)
  return openWith({ ...config, ...(database && { database }) }, options.role)
}

/**
 * Selects files and lines to read for a task in a project on disk: lines of code that are relevant to the task, and passages of
 * the instruction files and the context directory, within one budget. The first call for a project reads all of it, and stores
 * its index in the user's cache directory (`XDG_CACHE_HOME`); later calls read only files that changed.
 *
 * @returns `text`, of at most `budget` tokens (default 8000; a token is four bytes); `files`, the 20 most relevant ones, the best
 * first, with the lines (from 1) that `text` shows of each; `ledger`, a row for everything that was considered; `index`, the
 * number of indexed files, the number of files that this call read, and the milliseconds that reading took.
 * @throws ContextError `invalid-input` for an empty task or a bad budget; `not-found` for a place that does not exist; `denied`
 * for a directory of the operating system; `cancelled`.
 * @example
 * const { text, files } = await taskContext({ task: 'The parser drops the last line', place: '.', budget: 4000 })
 */
export async function taskContext(request: TaskRequest, run: Run = SILENT): Promise<TaskAnswer> {
  const engine = await openEngine()
  try {
    return await engine.task(request, run)
  } finally {
    await engine.close()
  }
}

/** An engine that stores everything in `folder`, and does not use the user's configuration, models and keys. */
export function openIn(folder: string): Engine {
  const paths = { db: join(folder, 'ambit.db'), state: join(folder, 'state'), cache: join(folder, 'cache') }
  return openWith({ ...paths, home: false, embedding: false, file: undefined, unknown: [] })
}

/** Builds the engine from a configuration. Only this function knows all adapters: stores, buckets, models and services. */
export function openWith(config: Config, role?: Role): Engine {
  const uploadPlace = uploadPlaceOf(config)
  const language = async (name?: string) => {
    const model = isConfiguredModel(config, name) ? config.model : await readModel(name)
    if (model?.openFile !== undefined) throw exposedFileError(model.openFile, 'a key')
    await goThroughProxy()
    const { languageModel } = await import('./models/language-providers.ts')
    const parts = { prices: config.prices, readTable: readWordVectors }
    return languageModel(model ?? { provider: 'local', model: 'extractive' }, parts)
  }
  return createEngine(config, {
    sharesWork: role !== undefined,
    ...(uploadPlace && {
      uploads: { ...uploadPlace, open: async () => (await objectStores()).ownObjectsAt(uploadPlace.root, config.s3) },
    }),
    leavesWork: role === 'api' && config.database !== undefined,
    store: async () => {
      if (config.database) return (await postgres()).openPostgres(urlOf(config.database), leasesOf(config))
      return (await import('./stores/sqlite/sqlite.ts')).openSqlite(databaseOf(config))
    },
    objects: async (root, own) => (await objectStores()).objectsAt(root, own, config.s3),
    migrate: async () => {
      if (config.database) return (await postgres()).migratePostgres(urlOf(config.database))
      return (await import('./stores/sqlite/database.ts')).migrateSqlite(databaseOf(config))
    },
    mend: async () => {
      if (config.database) return (await postgres()).mendPostgres(urlOf(config.database))
      return (await import('./stores/sqlite/database.ts')).mendSqlite(databaseOf(config))
    },
    isWhole: async () => {
      if (config.database) return false
      return (await import('./stores/sqlite/sqlite.ts')).isWholeSqlite(databaseOf(config))
    },
    salvage: async () => {
      if (config.database) throw notADatabaseFile()
      return (await import('./stores/sqlite/salvage.ts')).salvage(databaseOf(config))
    },
    embedding: async () => {
      const { embedding, models = '' } = config
      if (embedding === false || (!embedding && !statOf(join(models, 'current')))) return undefined
      if (embedding && 'url' in embedding)
        return (await import('./models/openai-compatible.ts')).openaiCompatible(embedding)
      const { openCurrentModel, openLocalModel } = await import('./models/local/local-models.ts')
      return embedding ? openLocalModel(embedding.folder) : openCurrentModel(models)
    },
    getModel: async (model, run) => {
      const { models: directory, hub = 'https://huggingface.co' } = config
      if (directory === undefined) throw noModelFolder()
      const { getModel } = await import('./models/static/get-model.ts')
      const isPath = /^(?:\.{1,2})?\/|\.onnx$/.test(model)
      return getModel({ model: isPath ? resolve(model) : model, hub, directory }, run)
    },
    language,
    servers: async () => {
      if (!config.mcpServers) return undefined
      await goThroughProxy()
      const { toolServers } = await import('./agent/mcp-servers.ts')
      const { openToolSignIns } = await import('./engine/config/tool-sign-ins.ts')
      const signIns = config.file === undefined ? undefined : openToolSignIns(config.file)
      return toolServers(config.mcpServers, { home: systemHome() ?? '/', roots: [process.cwd()], signIns })
    },
    reranking: async () => {
      const { rerank } = config
      if (!rerank) return undefined
      const { languageReranker, rerankService } = await import('./models/rerank-service.ts')
      return rerank.url === undefined
        ? languageReranker(rerank.model, () => language(rerank.model))
        : rerankService(rerank)
    },
  })
}

/** Sends requests through the proxy that the environment names. Loads no code if it names none. */
async function goThroughProxy(): Promise<void> {
  const names = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()])
  const environment = Object.fromEntries(names.map((name) => [name, readVariable(name)]))
  if (Object.values(environment).some(Boolean)) (await import('./engine/parts/proxy.ts')).useProxy(environment)
}

const objectStores = () => import('./files/object-stores.ts')

function leasesOf({ heartbeatMs }: Config) {
  return heartbeatMs === undefined ? {} : { runs: { lastsMs: heartbeatMs, renewedMs: heartbeatMs / 4 } }
}

const postgres = () => import('./stores/postgres/postgres.ts')

function urlOf({ url, openFile }: NonNullable<Config['database']>): string {
  if (openFile === undefined) return url
  throw exposedFileError(openFile, 'a password')
}

function notADatabaseFile(): ContextError {
  const hint = 'Restore a backup of the server, or the file of an "ambit export" with "ambit import FILE --replace".'
  const message = 'Only a database in a file can be rebuilt, and this one is PostgreSQL.'
  return new ContextError('invalid-input', message, { hint })
}

/** Whether `name` is the configured model. An undefined `name` means the configured model. */
function isConfiguredModel({ model }: Config, name: string | undefined): name is undefined {
  return name === undefined || name === `${model?.provider}/${model?.model}`
}

function noModelFolder(): ContextError {
  const hint = 'Set HOME, or XDG_DATA_HOME.'
  return new ContextError('unavailable', 'There is no place for models: the user has no home directory.', { hint })
}

function databaseOf({ db }: Config): string {
  if (db !== undefined) return db
  const hint = 'Give one with --db, or set AMBIT_DB.'
  throw new ContextError('unavailable', 'There is no place for the database: the user has no home directory.', { hint })
}
