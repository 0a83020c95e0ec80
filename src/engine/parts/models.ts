/** The models of an engine. Each stays loaded while its settings are the same. */

import type { TaskModels } from '../../context/task.ts'
import { BUILT_IN_MODEL } from '../../core/choices.ts'
import { ContextError, quoteValue } from '../../core/errors.ts'
import { loadOnce } from '../../core/steps.ts'
import type { LanguageModel } from '../../models/language.ts'
import type { Config } from '../config.ts'
import { type Adapters, missingAdapter } from './adapters.ts'

const NO_MODEL = async () => undefined
const NO_LANGUAGE = () => Promise.reject(missingAdapter('has no language model'))

/** The models that rank documents and code. Guests may not spend the owner's money on a language model that reranks. */
export function rankingModels({ principal, embedding = NO_MODEL, reranking = NO_MODEL }: Adapters, config: Config) {
  const isRefused = () => principal !== undefined && config.rerank?.url === undefined
  return {
    embedding: loadOnce(embedding, () => config.embedding),
    reranking: loadOnce(
      async () => (isRefused() ? undefined : reranking()),
      () => config.rerank,
    ),
  }
}

/** Language models by name; without a name, the configured model. */
export function languageModels({ language = NO_LANGUAGE }: Adapters, config: Config) {
  const models = new Map<string | undefined, () => Promise<LanguageModel>>()
  const setting = () => config.model
  return (name?: string): Promise<LanguageModel> => {
    const model = models.get(name) ?? loadOnce(() => language(name), setting)
    models.set(name, model)
    return model()
  }
}

export function taskModels(
  { embedding, reranking }: ReturnType<typeof rankingModels>,
  language: () => Promise<LanguageModel>,
  { config: { taskRewrite }, isGuest }: { readonly config: Config; readonly isGuest: boolean },
): TaskModels {
  return {
    asks: taskRewrite ?? false,
    openRanking: async () => ({ embedder: await embedding(), judge: await reranking() }),
    identifiers: async (task, signal) => {
      // Guests may not spend the money of the server's owner unless the owner allows it.
      if (isGuest && !taskRewrite)
        throw refusalToGuests('sends no task to a language model', 'The administrator can set AMBIT_TASK_REWRITE=1.')
      return (await import('./task-names.ts')).suggestIdentifiers(await language(), task, signal)
    },
  }
}

/** The error for a service that guests do not get. `does`: the end of the sentence, such as `does not list its directories`. */
export function refusalToGuests(does: string, hint: string): ContextError {
  return new ContextError('denied', `This server ${does}.`, { hint })
}

/** As `Engine.offeredModels`. */
export function listOffered({ model }: Config): readonly string[] {
  const name = model ? `${model.provider}/${model.model}` : BUILT_IN_MODEL
  return name === BUILT_IN_MODEL ? [name] : [name, BUILT_IN_MODEL]
}

/** Loads only offered models for guests, because the owner of the server pays for each call. */
export function loadOffered(load: NonNullable<Adapters['language']>, config: Config): typeof load {
  return async (name) => {
    const offeredNames = listOffered(config)
    if (name === undefined || offeredNames.includes(name)) return load(name)
    const message = `The server does not offer the model ${quoteValue(name)}.`
    throw new ContextError('denied', message, { hint: `Use ${offeredNames.join(' or ')}.` })
  }
}
