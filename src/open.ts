import { type Config, readConfig } from './config.ts'
import { createEngine, type Engine } from './engine.ts'

/** Reads the configuration and builds the engine over it. The only place that knows which adapters there are. */
export async function open(config?: Config): Promise<Engine> {
  return createEngine(config ?? (await readConfig()))
}
