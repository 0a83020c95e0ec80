import { attack } from './attack.ts'
import { confinement } from './confinement.ts'
import { corrupt } from './corrupt.ts'
import { http } from './http.ts'
import { ioErrors } from './io-errors.ts'
import { kills } from './kills.ts'
import { overload } from './overload.ts'
import { packages } from './packages.ts'
import { postgres } from './postgres.ts'
import { balanced, properties, simulation } from './properties.ts'
import type { Part } from './proving.ts'
import { pushSizes } from './push-sizes.ts'
import { researchKills } from './research.ts'
import { soak } from './soak.ts'
import { sse } from './sse.ts'
import { wal } from './wal.ts'
import { workers } from './workers.ts'

/** All parts, in the order in which they run. */
export const PARTS: readonly Part[] = [
  kills,
  wal,
  ioErrors,
  corrupt,
  attack,
  confinement,
  properties,
  packages,
  pushSizes,
  http,
  sse,
  overload,
  postgres,
  researchKills,
  workers,
  balanced,
  simulation,
  soak,
]
