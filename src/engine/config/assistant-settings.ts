/** What the configuration says of the assistant, besides its model. */

import type { ToolServersConfig } from '../../agent/tool-servers.ts'
import type { ConfigSources } from './language.ts'
import { costLimitIn, type PricesConfig, pricesIn } from './prices.ts'
import { toolServersIn } from './tool-servers.ts'

/** Settings of the assistant; each absent where it is not set. */
export interface AssistantConfig {
  /** What language models cost, as the person says it, by `provider/model`. */
  readonly prices?: PricesConfig
  /** US dollars that one question may take. */
  readonly costLimit?: number
  /** MCP servers whose tools it may call, by name. */
  readonly mcpServers?: ToolServersConfig
}

/** @throws ContextError `invalid-input` for what is not valid. */
export function settingsIn(sources: ConfigSources): AssistantConfig {
  const [prices, costLimit, mcpServers] = [pricesIn(sources), costLimitIn(sources), toolServersIn(sources)]
  return {
    ...(prices && { prices }),
    ...(costLimit !== undefined && { costLimit }),
    ...(mcpServers && { mcpServers }),
  }
}
