import type { LanguageModel, Price } from '../../models/language.ts'
import { costOf } from '../../models/prices.ts'
import { extractiveWorkers } from '../extractive/workers.ts'
import { isExtractive, type Stage, type StageModels } from '../settings.ts'
import type { BriefTask, ExploreTask, GradeTask, JudgeTask, ModelStaff, RepairTask } from './staff.ts'
import type { Spent, StageWorker, Workers } from './stages.ts'

type Load = (name: string) => Promise<LanguageModel>

/** Who does each stage: a model, or nobody but the text itself. Models are loaded when they are first asked. */
export function workersFor(models: StageModels, language: Load): ModelStaff {
  const by = <One extends Stage>(stage: One) => workerFor(stage, models[stage], language)
  return {
    digest: by('digest'),
    queries: by('queries'),
    synthesis: extractiveWorkers.synthesis,
    sufficiency: by('sufficiency'),
    decompose: by('decompose'),
    router: by('router'),
    report: by('report'),
    aggregate: async (task, signal, most) => {
      if (isExtractive(models.digest)) return extractiveWorkers.aggregate(task, signal, most)
      const { modelWorkers } = await import('../model/model-workers.ts')
      return modelWorkers(await language(models.digest)).aggregate(task, signal, most)
    },
    ...(!isExtractive(models.synthesis) && {
      explore: async (task: ExploreTask, signal: AbortSignal, most: Spent) => {
        const { exploreByModel } = await import('../model/model-workers.ts')
        return exploreByModel(await language(models.synthesis), task, { signal, most })
      },
    }),
    ...(!isExtractive(models.decompose) && {
      brief: async (task: BriefTask, signal: AbortSignal, most: Spent) => {
        const { briefByModel } = await import('../model/model-workers.ts')
        return briefByModel(await language(models.decompose), task, { signal, most })
      },
    }),
    ...(!isExtractive(models.report) && {
      repair: async (task: RepairTask, signal: AbortSignal, most: Spent) => {
        const { repairByModel } = await import('../model/model-workers.ts')
        return repairByModel(await language(models.report), task, { signal, most })
      },
      judge: async (task: JudgeTask, signal: AbortSignal, most: Spent) => {
        const { judgeByModel } = await import('../model/model-workers.ts')
        return judgeByModel(await language(models.report), task, { signal, most })
      },
      grade: async (task: GradeTask, signal: AbortSignal, most: Spent) => {
        const { gradeByModel } = await import('../model/model-workers.ts')
        return gradeByModel(await language(models.report), task, { signal, most })
      },
    }),
  }
}

function workerFor<One extends Stage>(stage: One, name: string, language: Load): StageWorker<One> {
  const plain: Workers = extractiveWorkers
  if (isExtractive(name)) return plain[stage]
  return async (task, signal, most) => {
    const { modelWorkers } = await import('../model/model-workers.ts')
    const workers: Workers = modelWorkers(await language(name))
    return workers[stage](task, signal, most)
  }
}

/** A model with a price for where it has none. */
export function withPrice(model: LanguageModel, price: Price | undefined): LanguageModel {
  if (!price) return model
  const { name, canSee, readsPdf = false } = model
  return {
    name,
    canSee,
    readsPdf,
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
