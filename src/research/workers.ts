import type { LanguageModel } from '../models/language.ts'
import { extractiveWorkers } from './extractive/workers.ts'
import { EXTRACTIVE, type Stage, type StageModels } from './settings.ts'
import type { Worker, Workers } from './stages.ts'

type Load = (name: string) => Promise<LanguageModel>

/** Who does each stage: a model, or nobody but the text itself. Models are loaded when they are first asked. */
export function workersFor(models: StageModels, language: Load): Workers {
  const by = <One extends Stage>(stage: One) => workerFor(stage, models[stage], language)
  return {
    digest: by('digest'),
    queries: by('queries'),
    synthesis: by('synthesis'),
    sufficiency: by('sufficiency'),
    decompose: by('decompose'),
    router: by('router'),
    report: by('report'),
  }
}

function workerFor<One extends Stage>(stage: One, name: string, language: Load): Worker<One> {
  if (isExtractive(name)) return extractiveWorkers[stage]
  return async (task, signal, most) => {
    const { modelWorkers } = await import('./model/model-workers.ts')
    const worker: Worker<One> = modelWorkers(await language(name))[stage]
    return worker(task, signal, most)
  }
}

/** Whether a stage of that name needs no model. */
export function isExtractive(name: string): boolean {
  return name === EXTRACTIVE || name === 'local/extractive'
}
