import type { ToolServers } from '../../agent/tool-servers.ts'
import type { RebuildAnswer } from '../../collections/answers.ts'
import type { Library } from '../../collections/library.ts'
import { ContextError } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { once } from '../../core/steps.ts'
import type { OpenRoot } from '../../files/objects.ts'
import type { EmbeddingModel, GotModel } from '../../models/embedding.ts'
import { keptLanguages, type LanguageModel } from '../../models/language.ts'
import type { RerankingModel } from '../../models/reranking.ts'
import type { Jobs } from '../../stores/jobs.ts'
import type { Migrated, Salvaged, Store } from '../../stores/store.ts'
import { noDatabase } from '../../stores/transfer.ts'
import type { UploadPlace } from '../../stores/upload-place.ts'
import type { Config } from '../config.ts'

/** What an engine stands on. Each is opened when it is first needed. */
export interface Adapters {
  store(): Promise<Store>
  /** The jobs of the host, for a guest. */
  jobs?(): Promise<Jobs>
  /** Whether processes of the database share their jobs. Default: no, and this one does only what it was asked itself. */
  readonly sharesWork?: boolean
  /** Whether what takes long is left to workers. Default: no. */
  readonly leavesWork?: boolean
  /** Who has the engine; absent: whoever runs the program. */
  readonly principal?: { readonly name: string; readonly collections?: readonly string[] }
  /** The objects at the root of a collection: a directory, or `s3://bucket/prefix`. */
  objects?: OpenRoot
  /** Where the bytes of uploads are kept beside the database. Absent: in it. */
  readonly uploads?: UploadPlace
  /** Brings the tables up to date. */
  migrate?(): Promise<Migrated>
  /** Makes tables and columns that the database lacks; gives what they were, in words. Absent: it cannot be done. */
  mend?(): Promise<readonly string[]>
  /** Whether the database could stay as it is. Absent: nobody knows. */
  isWhole?(): Promise<boolean>
  /** Moves the database aside, and gives what a person told it. */
  salvage?(): Promise<Salvaged>
  /** The model that makes vectors; undefined where none is set. */
  embedding?(): Promise<EmbeddingModel | undefined>
  /** Downloads a model that makes vectors in this process, and makes it the one in use. */
  getModel?(model: string, run: Run): Promise<GotModel>
  /** The language model that is set, or of this name. */
  language?(name?: string): Promise<LanguageModel>
  servers?(): Promise<ToolServers | undefined>
  /** The model that judges hits; undefined where none is set. */
  reranking?(): Promise<RerankingModel | undefined>
}

export const NO_STORE: Adapters = {
  store: async () => {
    throw new ContextError('unavailable', 'This engine has no store.', { hint: 'Make it by open().' })
  },
}

/** Makes whole what is kept, while nothing else is under way. */
export interface Repairs {
  /** Makes tables and columns that the database lacks; gives what they were, in words. */
  mend(): Promise<readonly string[]>
  /** Whether the database is there and agrees with itself; `false` of one that is not a file. */
  isWhole(): Promise<boolean>
  /** Makes the database anew. */
  rebuild(run: Run): Promise<RebuildAnswer>
}

/** What makes whole what is kept: nothing is open meanwhile. */
export function repairsThrough(
  adapters: Adapters,
  library: () => Promise<Library>,
  close: () => Promise<void>,
): Repairs {
  return {
    mend: async () => {
      await close()
      return (await adapters.mend?.()) ?? []
    },
    isWhole: async () => {
      await close()
      return (await adapters.isWhole?.()) ?? false
    },
    rebuild: async (run) => {
      await close()
      const salvaged = await salvagedFrom(adapters)
      return (await import('../../collections/rebuild.ts')).rebuildLibrary(await library(), salvaged, run)
    },
  }
}

function salvagedFrom({ salvage }: Adapters): Promise<Salvaged> {
  if (salvage) return salvage()
  throw noDatabase()
}

/** The models that rank, each kept while its settings are the same. */
export function rankingModelsOf(
  { embedding = NONE, reranking = NONE }: Adapters,
  config: Pick<Config, 'embedding' | 'rerank'>,
) {
  return {
    embedding: once(embedding, () => config.embedding),
    reranking: once(reranking, () => config.rerank),
  }
}

const NONE = async () => undefined

/** Models by name, kept while the settings are the same. */
export function languagesOf(adapters: Adapters, config: Pick<Config, 'model'>) {
  const inForce = () => config.model
  return keptLanguages((name) => languageIn(adapters, name), inForce)
}

async function languageIn({ language }: Adapters, name: string | undefined): Promise<LanguageModel> {
  if (language) return language(name)
  throw new ContextError('unavailable', 'This engine has no language model.', { hint: 'Make it by open().' })
}

const BUILT_IN = 'local/extractive'

/** Names of the models that everybody may choose: the configured one and the built-in one. The first is the default. */
export function offeredModels({ model }: Pick<Config, 'model'>): readonly string[] {
  const name = model ? `${model.provider}/${model.model}` : BUILT_IN
  return name === BUILT_IN ? [name] : [name, BUILT_IN]
}

/** The models for guests: each call costs whoever runs the server, so they choose among those that are offered. */
export function offeredAlone(
  load: NonNullable<Adapters['language']>,
  config: Pick<Config, 'model'>,
): NonNullable<Adapters['language']> {
  return async (name) => {
    const offered = offeredModels(config)
    if (name === undefined || offered.includes(name)) return load(name)
    const shown = JSON.stringify(name.slice(0, 100))
    throw new ContextError('denied', `The server does not offer the model ${shown}.`, {
      hint: `Use ${offered.join(' or ')}.`,
    })
  }
}
