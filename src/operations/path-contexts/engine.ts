import type { Engine } from '../../engine/engine.ts'

/** The part of the engine that keeps what was said of places. */
export type ContextsEngine = Pick<Engine, 'contexts'>

type Contexts = Awaited<ReturnType<ContextsEngine['contexts']>>

/** What each of its methods answers, by name. */
export type PathContextAnswers = {
  readonly [Name in keyof Contexts]: Contexts[Name] extends (...args: never[]) => Promise<infer Answer> ? Answer : never
}
