/** What looks at places on disk alone. */

import type { CheckAnswer, DiffAnswer, InitAnswer, SyncAnswer, TaskAnswer } from '../../context/answers.ts'
import type { CheckRequest } from '../../context/check.ts'
import type { DiffRequest } from '../../context/diff.ts'
import type { InitRequest, SyncRequest } from '../../context/init.ts'
import type { TaskModels, TaskRequest } from '../../context/task.ts'
import { ContextError } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import type { LanguageModel } from '../../models/language.ts'
import type { Config } from '../config.ts'
import type { Adapters, rankingModelsOf } from '../parts/adapters.ts'

/** A request as a surface makes it: whether the user's home counts. Where that is, the configuration says. */
export type HomeAsked<Request> = Omit<Request, 'home'> & { readonly home?: boolean | undefined }

export interface DiskOperations {
  check(request: HomeAsked<CheckRequest>, run: Run): Promise<CheckAnswer>
  diff(request: HomeAsked<DiffRequest>, run: Run): Promise<DiffAnswer>
  init(request: InitRequest, run: Run): Promise<InitAnswer>
  sync(request: Omit<SyncRequest, 'home'>, run: Run): Promise<SyncAnswer>
  /** The findings as a SARIF log. */
  sarif(answer: CheckAnswer): Promise<object>
  /** What to read for a task. `within`: directories, absolute and real, outside of which nothing is looked at. */
  task(request: TaskRequest, run: Run, within?: readonly string[]): Promise<TaskAnswer>
}

/** The models that the user has set, as the ranking of code takes them: each is opened when it is first needed. */
export function taskModels(
  { embedding, reranking, principal }: Pick<Adapters, 'principal'> & ReturnType<typeof rankingModelsOf>,
  language: () => Promise<LanguageModel>,
  { taskRewrite }: Config,
): TaskModels {
  return {
    rewrites: taskRewrite ?? false,
    rank: async () => ({ embedder: await embedding(), judge: await reranking() }),
    identifiers: async (task, signal) => {
      if (principal && !taskRewrite) throw notForGuests('does not rewrite tasks', 'The administrator can set AMBIT_TASK_REWRITE=1.')
      return (await import('./task-names.ts')).suggestIdentifiers(await language(), task, signal)
    },
  }
}

/** @param does what the server denies, as a predicate */
export function notForGuests(does: string, hint: string): ContextError {
  return new ContextError('denied', `This server ${does}.`, { hint })
}

/** Where the user's home is, where it counts, and the models that rank code. */
interface OnDisk {
  homeAt(home?: boolean): Config['home']
  readonly models: TaskModels
}

/** Each part is loaded when it is first called. */
export function contextOnDisk(config: Config, { homeAt, models }: OnDisk): DiskOperations {
  return {
    check: async ({ home, ...request }, run) =>
      (await import('../../context/check.ts')).checkPlace({ ...request, home: homeAt(home) }, run),
    diff: async ({ home, ...request }, run) =>
      (await import('../../context/diff.ts')).diffProfiles({ ...request, home: homeAt(home) }, run),
    init: async (request) => (await import('../../context/init.ts')).initPlace(request),
    sync: async (request, run) =>
      (await import('../../context/init.ts')).syncPlace({ ...request, home: homeAt() }, run),
    sarif: async (answer) => (await import('../../context/sarif.ts')).toSarif(answer),
    task: async (request, run, within) =>
      (await import('../../context/task.ts')).selectTaskContext(request, { cache: config.cache, within, models }, run),
  }
}

export type { CheckAnswer, DiffAnswer, InitAnswer, SyncAnswer, TaskAnswer, TaskModels, TaskRequest }
