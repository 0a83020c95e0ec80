/** Context of places: on disk, in a collection, or in a package. Each part is loaded when it is first called. */

import type {
  CheckAnswer,
  DiffAnswer,
  ExplainAnswer,
  InitAnswer,
  LoadAnswer,
  SyncAnswer,
  TaskAnswer,
} from '../../context/answers.ts'
import type { CheckRequest } from '../../context/check.ts'
import type { DiffRequest } from '../../context/diff.ts'
import type { ExplainRequest } from '../../context/explain.ts'
import type { InitRequest, SyncRequest } from '../../context/init.ts'
import type { LoadRequest } from '../../context/load.ts'
import type { placesOver } from '../../context/places.ts'
import type { ResolvedPlace } from '../../context/resolve-place.ts'
import type { TaskModels, TaskRequest } from '../../context/task.ts'
import type { Run } from '../../core/flow.ts'
import type { Within } from '../../quilt/registries.ts'
import type { Config } from '../config.ts'

/** A request as a surface makes it. `home`: whether the user's own files count; the configuration says where they are. */
type AtHome<Request> = Omit<Request, 'home'> & { readonly home?: boolean | undefined }

export interface PlaceOperations {
  /** `within`: as in `Engine.packages`. */
  load(request: AtHome<LoadRequest>, run: Run, within?: Within): Promise<LoadAnswer>
  explain(request: AtHome<ExplainRequest>, run: Run, within?: Within): Promise<ExplainAnswer>
  check(request: AtHome<CheckRequest>, run: Run): Promise<CheckAnswer>
  diff(request: AtHome<DiffRequest>, run: Run): Promise<DiffAnswer>
  init(request: InitRequest, run: Run): Promise<InitAnswer>
  sync(request: Omit<SyncRequest, 'home'>, run: Run): Promise<SyncAnswer>
  /** The findings as a SARIF log. */
  sarif(answer: CheckAnswer): Promise<object>
  /** Files and lines to read for a task. `within`: absolute, real directories outside of which no file is read. */
  task(request: TaskRequest, run: Run, within?: readonly string[]): Promise<TaskAnswer>
  /** Whether `load` takes a place for one on disk. */
  isOnDisk(place: string): Promise<boolean>
}

interface PlaceParts {
  readonly config: Config
  readonly places: ReturnType<typeof placesOver>
  readonly models: TaskModels
  /** Names of collections. */
  names(): Promise<readonly string[]>
}

export function placeOperations({ config, places, models, names }: PlaceParts): PlaceOperations {
  const { cache } = config
  const homeAt = (isUsed = true) => (isUsed ? config.home : false)
  const atHome = <Request extends { readonly home?: boolean | undefined }>(request: Request) => ({
    ...request,
    home: homeAt(request.home),
  })
  /** A place that cannot be in a collection takes no database. */
  const where = async (place = '.'): Promise<ResolvedPlace> =>
    /^[./~]/.test(place) ? {} : (await import('../../context/resolve-place.ts')).resolvePlace(place, names)
  return {
    load: async (request, run, within) => {
      const { address, choice } = await where(request.place)
      if (address) return (await places(within)).load(address, atHome(request), run)
      const { load } = await import('../../context/load.ts')
      return load(atHome(request), run, { cache, models, choice })
    },
    explain: async (request, run, within) => {
      const { address, choice } = await where(request.place)
      if (address) return (await places(within)).explain(address, atHome(request), run)
      return (await import('../../context/explain.ts')).explainPlace(atHome(request), run, choice)
    },
    check: async (request, run) => (await import('../../context/check.ts')).checkPlace(atHome(request), run),
    diff: async (request, run) => (await import('../../context/diff.ts')).diffProfiles(atHome(request), run),
    init: async (request) => (await import('../../context/init.ts')).initPlace(request),
    sync: async (request, run) =>
      (await import('../../context/init.ts')).syncPlace({ ...request, home: config.home }, run),
    sarif: async (answer) => (await import('../../context/sarif.ts')).toSarif(answer),
    task: async (request, run, within) =>
      (await import('../../context/task.ts')).selectTaskContext(request, { cache, within, models }, run),
    isOnDisk: async (place) => (await where(place)).address === undefined,
  }
}
