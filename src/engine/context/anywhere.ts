/** What looks at places wherever they are: on disk, in a collection, or in a package. */

import type { ExplainAnswer, LoadAnswer } from '../../context/answers.ts'
import type { ExplainRequest } from '../../context/explain.ts'
import type { LoadRequest } from '../../context/load.ts'
import type { placesOver } from '../../context/places.ts'
import type { ResolvedPlace } from '../../context/resolve-place.ts'
import type { Run } from '../../core/flow.ts'
import type { Within } from '../../quilt/registries.ts'
import type { Config } from '../config.ts'
import type { HomeAsked, TaskModels } from './on-disk.ts'

export interface PlaceOperations {
  /** Of a place on disk, in a collection, or in a package: `within` as in `packages`. */
  load(request: HomeAsked<LoadRequest>, run: Run, within?: Within): Promise<LoadAnswer>
  explain(request: HomeAsked<ExplainRequest>, run: Run, within?: Within): Promise<ExplainAnswer>
}

interface PlaceParts {
  readonly places: ReturnType<typeof placesOver>
  readonly cache: string | undefined
  readonly models: TaskModels
}

/** Each part is loaded when it is first called. `at`: where the user's home is, where it counts. */
export function contextAnywhere(
  at: (home?: boolean) => Config['home'],
  where: (place?: string) => Promise<ResolvedPlace>,
  { places, ...code }: PlaceParts,
): PlaceOperations {
  return {
    load: async (request, run, within) => {
      const { address, choice } = await where(request.place)
      const atHome = { ...request, home: at(request.home) }
      if (address) return (await places(within)).load(address, atHome, run)
      const { load } = await import('../../context/load.ts')
      return load(atHome, run, { ...code, choice })
    },
    explain: async (request, run, within) => {
      const { address, choice } = await where(request.place)
      const atHome = { ...request, home: at(request.home) }
      if (address) return (await places(within)).explain(address, atHome, run)
      const { explainPlace: explain } = await import('../../context/explain.ts')
      return explain(atHome, run, choice)
    },
  }
}
