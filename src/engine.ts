import type { Config } from './config.ts'
import type { Run } from './core/flow.ts'
import type { CheckAnswer, CheckRequest } from './places/check.ts'
import type { DiffAnswer, DiffRequest } from './places/diff.ts'
import type { DoctorAnswer } from './places/doctor.ts'
import type { ExplainAnswer, ExplainRequest } from './places/explain.ts'
import type { InitAnswer, InitRequest } from './places/init.ts'
import type { LoadAnswer, LoadRequest } from './places/load.ts'

/** A request as a surface makes it: whether the user's home counts. Where that is, the configuration says. */
type Asked<Request> = Omit<Request, 'home'> & { readonly home?: boolean | undefined }

/**
 * The parts put together: what the operations call. Each part is loaded when it is first called, so that a command
 * pays only for what it uses.
 */
export interface Engine {
  readonly config: Config
  load(request: Asked<LoadRequest>, run: Run): Promise<LoadAnswer>
  explain(request: Asked<ExplainRequest>, run: Run): Promise<ExplainAnswer>
  check(request: Asked<CheckRequest>, run: Run): Promise<CheckAnswer>
  diff(request: Asked<DiffRequest>, run: Run): Promise<DiffAnswer>
  init(request: InitRequest, run: Run): Promise<InitAnswer>
  /** The findings as a SARIF log. */
  sarif(answer: CheckAnswer): Promise<object>
  doctor(run: Run): Promise<DoctorAnswer>
}

/** An engine over the configuration. */
export function createEngine(config: Config): Engine {
  const at = (home = true) => (home ? config.home : false)
  return {
    config,
    load: async ({ home, ...request }, run) =>
      (await import('./places/load.ts')).load({ ...request, home: at(home) }, run),
    explain: async ({ home, ...request }, run) =>
      (await import('./places/explain.ts')).explain({ ...request, home: at(home) }, run),
    check: async ({ home, ...request }, run) =>
      (await import('./places/check.ts')).check({ ...request, home: at(home) }, run),
    diff: async ({ home, ...request }, run) =>
      (await import('./places/diff.ts')).diff({ ...request, home: at(home) }, run),
    init: async (request) => (await import('./places/init.ts')).init(request),
    sarif: async (answer) => (await import('./places/sarif.ts')).toSarif(answer),
    doctor: async (run) => (await import('./places/doctor.ts')).doctor(config, run),
  }
}

export type { CheckAnswer, DiffAnswer, DoctorAnswer, ExplainAnswer, InitAnswer, LoadAnswer }
