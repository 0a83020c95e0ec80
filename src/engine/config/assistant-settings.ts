/** What the configuration says of the assistant, besides its model. */

import type { ToolServersConfig } from '../../agent/tool-servers.ts'
import { invalidInput } from '../../core/errors.ts'
import { trimEnd } from '../../text/trim.ts'
import type { ConfigSources } from './language.ts'
import { costLimitIn, type PricesConfig, pricesIn } from './prices.ts'
import { toolServersIn } from './tool-servers.ts'

/** Settings of the assistant; each absent where it is not set. */
export interface AssistantConfig {
  /** What language models cost, as the person says it, by `provider/model`. */
  readonly prices?: PricesConfig
  /** US dollars that one question may take. */
  readonly costLimit?: number
  /** Buckets, collections and packages whose instruction files the person trusts, by their addresses. */
  readonly trusted?: readonly string[]
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
    ...trustedIn(sources),
  }
}

/** @throws ContextError `invalid-input` for what is not an address of a bucket, a collection or a package. */
function trustedIn({ values, file = '' }: ConfigSources): Pick<AssistantConfig, 'trusted'> {
  const { trusted } = values
  if (trusted === undefined) return {}
  const isAddress = (one: unknown) => typeof one === 'string' && /^(?:s3|quilt\+s3|ambit):\/\/[^/\s]/.test(one)
  if (Array.isArray(trusted) && trusted.every(isAddress)) return { trusted: trusted.map((one) => trimEnd(one, '/')) }
  const hint = 'For example: trusted: [s3://BUCKET, "quilt+s3://BUCKET#package=NS/NAME", ambit://COLLECTION].'
  throw invalidInput(`The configuration file ${file} cannot be used: "trusted" must be a list of addresses.`, hint)
}
