import type { ToolServers } from '../../agent/tool-servers.ts'
import { ContextError } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import type { OpenRoot } from '../../files/objects.ts'
import type { EmbeddingModel, ModelDownload } from '../../models/embedding.ts'
import type { LanguageModel } from '../../models/language.ts'
import type { RerankingModel } from '../../models/reranking.ts'
import type { Jobs } from '../../stores/jobs.ts'
import type { Migrated, SalvagedContent, Store } from '../../stores/store.ts'
import type { UploadPlace } from '../../stores/uploads.ts'
import type { Principal } from '../principal.ts'

/** Functions that open the stores, models and services of an engine, when each is first needed. */
export interface Adapters {
  store(): Promise<Store>
  /** The jobs of the host, for a guest. */
  jobs?(): Promise<Jobs>
  /** Whether the processes that use a database share their jobs. Default: false; each process does only its own jobs. */
  readonly sharesWork?: boolean
  /** Whether this process leaves its jobs to workers. Default: false. */
  readonly leavesWork?: boolean
  /** The owner of the engine. Default: the local owner. */
  readonly principal?: Principal
  /** The objects at the root of a collection: a directory, or `s3://bucket/prefix`. */
  objects?: OpenRoot
  /** Storage of uploads. Default: in the database. */
  readonly uploads?: UploadPlace
  /** Updates the tables of the database to this version. */
  migrate?(): Promise<Migrated>
  /** Creates missing tables and columns, and returns their names. Default: none. */
  mend?(): Promise<readonly string[]>
  /** Whether the database is consistent. Default: unknown. */
  isWhole?(): Promise<boolean>
  /** Moves the database aside, and returns the data in it that people entered. */
  salvage?(): Promise<SalvagedContent>
  embedding?(): Promise<EmbeddingModel | undefined>
  /** Downloads an embedding model, and uses it if none is configured. */
  getModel?(model: string, run: Run): Promise<ModelDownload>
  /** The language model of this name; without a name, the configured model. */
  language?(name?: string): Promise<LanguageModel>
  servers?(): Promise<ToolServers | undefined>
  reranking?(): Promise<RerankingModel | undefined>
}

/** The error of an engine that lacks an adapter. `what`: the end of the sentence, such as `has no store`. */
export function missingAdapter(what: string): ContextError {
  return new ContextError('unavailable', `This engine ${what}.`, { hint: 'Create the engine with open().' })
}

export const NO_STORE: Adapters = { store: () => Promise.reject(missingAdapter('has no store')) }
