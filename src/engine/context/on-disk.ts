/** What looks at places on disk alone. */

import type { CheckAnswer, CheckRequest } from '../../context/check.ts'
import type { DiffAnswer, DiffRequest } from '../../context/diff.ts'
import type { InitAnswer, InitRequest } from '../../context/init.ts'
import type { TaskAnswer, TaskRequest } from '../../context/task.ts'
import type { Run } from '../../core/flow.ts'
import type { Config } from '../config.ts'

/** A request as a surface makes it: whether the user's home counts. Where that is, the configuration says. */
export type HomeAsked<Request> = Omit<Request, 'home'> & { readonly home?: boolean | undefined }

export interface DiskOperations {
  check(request: HomeAsked<CheckRequest>, run: Run): Promise<CheckAnswer>
  diff(request: HomeAsked<DiffRequest>, run: Run): Promise<DiffAnswer>
  init(request: InitRequest, run: Run): Promise<InitAnswer>
  /** The findings as a SARIF log. */
  sarif(answer: CheckAnswer): Promise<object>
  /** What to read for a task. `within`: directories, absolute and real, outside of which nothing is looked at. */
  task(request: TaskRequest, run: Run, within?: readonly string[]): Promise<TaskAnswer>
}

/** Each part is loaded when it is first called. `homeAt`: where the user's home is, where it counts. */
export function contextOnDisk(config: Config, homeAt: (home?: boolean) => Config['home']): DiskOperations {
  return {
    check: async ({ home, ...request }, run) =>
      (await import('../../context/check.ts')).checkPlace({ ...request, home: homeAt(home) }, run),
    diff: async ({ home, ...request }, run) =>
      (await import('../../context/diff.ts')).diffProfiles({ ...request, home: homeAt(home) }, run),
    init: async (request) => (await import('../../context/init.ts')).initPlace(request),
    sarif: async (answer) => (await import('../../context/sarif.ts')).toSarif(answer),
    task: async (request, run, within) =>
      (await import('../../context/task.ts')).selectTaskContext(request, { cache: config.cache, within }, run),
  }
}

export type { CheckAnswer, DiffAnswer, InitAnswer, TaskAnswer, TaskRequest }
