/** Context of places: on disk, in a collection, or in a package. Each part is loaded when it is first called. */

import type { CheckAnswer } from '../../context/answers.ts'
import type { CheckRequest } from '../../context/check.ts'
import type { DiffRequest } from '../../context/diff.ts'
import type { ExplainRequest } from '../../context/explain.ts'
import type { InitRequest, SyncRequest } from '../../context/init.ts'
import type { LoadRequest } from '../../context/load.ts'
import type { createPlaceOpener } from '../../context/places.ts'
import type { ResolvedPlace } from '../../context/resolve-place.ts'
import type { TaskModels, TaskRequest } from '../../context/task.ts'
import type { Run } from '../../core/flow.ts'
import type { RegistryScope } from '../../quilt/registries.ts'
import type { Config } from '../config.ts'

/** A request of a surface. `home`: whether to load the user's own files, whose directory is in the configuration. */
type WithHome<Request> = Omit<Request, 'home'> & { readonly home?: boolean | undefined }

export type PlaceOperations = ReturnType<typeof placeOperations>

interface PlaceParts {
  readonly config: Config
  readonly places: ReturnType<typeof createPlaceOpener>
  readonly models: TaskModels
  names(): Promise<readonly string[]>
}

export function placeOperations({ config, places, models, names }: PlaceParts) {
  const { cache } = config
  const expandHome = <Request extends { readonly home?: boolean | undefined }>(request: Request) => ({
    ...request,
    home: (request.home ?? true) && config.home,
  })
  /**
   * The address of a place that is not on disk, and a notice if its name has two meanings. A path that begins with `.`, `/` or
   * `~` needs no database.
   */
  const resolve = async (place = '.'): Promise<ResolvedPlace> =>
    /^[./~]/.test(place) ? {} : (await import('../../context/resolve-place.ts')).resolvePlace(place, names)
  return {
    /** `within`: as in `Engine.packages`. */
    load: async (request: WithHome<LoadRequest>, run: Run, within?: RegistryScope) => {
      const { address, choice } = await resolve(request.place)
      if (address) return (await places(within)).load(address, expandHome(request), run)
      const { load } = await import('../../context/load.ts')
      return load(expandHome(request), run, { cache, models, choice })
    },
    explain: async (request: WithHome<ExplainRequest>, run: Run, within?: RegistryScope) => {
      const { address, choice } = await resolve(request.place)
      if (address) return (await places(within)).explain(address, expandHome(request), run)
      return (await import('../../context/explain.ts')).explainPlace(expandHome(request), run, choice)
    },
    check: async (request: WithHome<CheckRequest>, run: Run) =>
      (await import('../../context/check.ts')).checkPlace(expandHome(request), run),
    diff: async (request: WithHome<DiffRequest>, run: Run) =>
      (await import('../../context/diff.ts')).diffProfiles(expandHome(request), run),
    init: async (request: InitRequest, _run: Run) => (await import('../../context/init.ts')).initPlace(request),
    sync: async (request: Omit<SyncRequest, 'home'>, run: Run) =>
      (await import('../../context/init.ts')).syncPlace({ ...request, home: config.home }, run),
    /** The findings as a SARIF log. */
    sarif: async (answer: CheckAnswer) => (await import('../../context/sarif.ts')).toSarif(answer),
    /** What to read for a task. `within`: absolute real paths of directories; files outside them are not read. */
    task: async (request: TaskRequest, run: Run, within?: readonly string[]) =>
      (await import('../../context/task.ts')).selectTaskContext(request, { cache, within, models }, run),
    /** Whether `load` takes a place to be on disk. */
    isOnDisk: async (place: string) => (await resolve(place)).address === undefined,
  }
}
