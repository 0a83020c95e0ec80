import type { AssistantConfig } from './assistant-settings.ts'
import type { ConfigSources } from './language.ts'

/** What the configuration file may hold of the assistant, besides its model. */
export const ASSISTANT_NAMES: readonly string[] = [
  'modelImages',
  'modelEffort',
  'prices',
  'costLimit',
  'mcpServers',
  'mcpServersFrom',
  'trusted',
]

/** What is said of the assistant. Most say nothing, and load nothing. @throws ContextError as what it loads. */
export async function assistantIn(sources: ConfigSources): Promise<AssistantConfig> {
  const { environment, values } = sources
  if (!environment.AMBIT_COST_LIMIT && !ASSISTANT_NAMES.some((name) => Object.hasOwn(values, name))) return {}
  return (await import('./assistant-settings.ts')).settingsIn(sources)
}
