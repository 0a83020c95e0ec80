import type { LanguageModel, Price } from '../../models/language.ts'
import { costOf } from '../../models/prices.ts'
import { extractiveStages } from '../extractive/stages.ts'
import { isExtractive, type Stage, type StageModels } from '../settings.ts'
import type { Stages } from './stages.ts'

/** The setting that names the model of each piece of work. */
const SETTINGS: Readonly<Record<keyof Stages, Stage>> = {
  digest: 'digest',
  aggregate: 'digest',
  queries: 'queries',
  explore: 'synthesis',
  decompose: 'decompose',
  brief: 'decompose',
  router: 'router',
  report: 'report',
  judge: 'report',
  repair: 'report',
  grade: 'report',
}

/** The stages of a run. A model is loaded when a stage first needs it. */
export function stagesFor(models: StageModels, language: (name: string) => Promise<LanguageModel>): Stages {
  const stages: Record<string, unknown> = { ...extractiveStages }
  for (const [name, setting] of Object.entries(SETTINGS)) {
    if (!isExtractive(models[setting]))
      stages[name] = stageByModel(name as keyof Stages, () => language(models[setting]))
  }
  return stages as unknown as Stages
}

function stageByModel(name: keyof Stages, load: () => Promise<LanguageModel>) {
  return async (...given: readonly unknown[]) => {
    const { modelStages } = await import('../model/model-stages.ts')
    const work = modelStages(await load())[name] as (...given: readonly unknown[]) => unknown
    return work(...given)
  }
}

/** A model with a price, where it has none of its own. */
export function withPrice(model: LanguageModel, price: Price | undefined): LanguageModel {
  if (!price) return model
  const { name, canSee, readsPdf = false } = model
  return {
    name,
    canSee,
    readsPdf,
    price: model.price ?? price,
    async *step(request, signal) {
      for await (const part of model.step(request, signal)) {
        if (part.type !== 'finish' || part.usage.cost !== undefined) yield part
        else {
          const cost = costOf(part.usage, price)
          yield { ...part, usage: { ...part.usage, ...(cost !== undefined && { cost }) } }
        }
      }
    },
  }
}
