import type { Config } from './config.ts'
import type { Run } from './core/flow.ts'
import type { CheckAnswer, CheckRequest } from './places/check.ts'
import type { DiffAnswer, DiffRequest } from './places/diff.ts'
import type { DoctorAnswer } from './places/doctor.ts'
import type { ExplainAnswer, ExplainRequest } from './places/explain.ts'
import type { InitAnswer, InitRequest } from './places/init.ts'
import type { LoadAnswer, LoadRequest } from './places/load.ts'

/**
 * The parts put together: what the operations call. Each part is loaded when it is first called, so that a command
 * pays only for what it uses.
 */
export interface Engine {
  readonly config: Config
  load(request: LoadRequest, run: Run): Promise<LoadAnswer>
  explain(request: ExplainRequest, run: Run): Promise<ExplainAnswer>
  check(request: CheckRequest, run: Run): Promise<CheckAnswer>
  diff(request: DiffRequest, run: Run): Promise<DiffAnswer>
  init(request: InitRequest, run: Run): Promise<InitAnswer>
  /** The findings as a SARIF log. */
  sarif(answer: CheckAnswer): Promise<object>
  doctor(run: Run): Promise<DoctorAnswer>
}

/** An engine over the configuration. */
export function createEngine(config: Config): Engine {
  const home = <Request extends { readonly home?: string | false | undefined }>(request: Request): Request =>
    request.home === undefined && config.home !== undefined ? { ...request, home: config.home } : request
  return {
    config,
    load: async (request, run) => (await import('./places/load.ts')).load(home(request), run),
    explain: async (request, run) => (await import('./places/explain.ts')).explain(home(request), run),
    check: async (request, run) => (await import('./places/check.ts')).check(home(request), run),
    diff: async (request, run) => (await import('./places/diff.ts')).diff(home(request), run),
    init: async (request) => (await import('./places/init.ts')).init(request),
    sarif: async (answer) => (await import('./places/sarif.ts')).toSarif(answer),
    doctor: async (run) => (await import('./places/doctor.ts')).doctor(config, run),
  }
}

export type { CheckAnswer, DiffAnswer, DoctorAnswer, ExplainAnswer, InitAnswer, LoadAnswer }
