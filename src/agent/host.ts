/** The parts of the engine that the assistant uses, and the operations that its model may call. */

import type { LoadAnswer } from '../context/answers.ts'
import type { LoadRequest } from '../context/load.ts'
import type { PlaceReader } from '../context/place-reader.ts'
import type { Run } from '../core/flow.ts'
import type { LanguageModel } from '../models/language.ts'
import type { CitedRoot } from '../text/citations.ts'
import type { ElementParts } from './assistant/place-elements.ts'
import type { Conversations } from './conversations.ts'
import type { AgentTool } from './tool.ts'
import type { ToolServers } from './tool-servers.ts'

export interface AssistantHost {
  /**
   * `costLimit`: maximum cost of one question in US dollars. `trusted`, `untrusted`: addresses whose instruction files
   * the person trusts or distrusts.
   */
  readonly config: Readonly<{ costLimit?: number; trusted?: readonly string[]; untrusted?: readonly string[] }>
  /** Stores whether the person trusts an address. */
  readonly settings: { trust(address: string, isTrusted: boolean): Promise<void> }
  /** @throws ContextError as `Engine.language`. */
  language(name?: string): Promise<LanguageModel>
  servers(): Promise<ToolServers | undefined>
  conversations(): Promise<Conversations>
  /** @throws ContextError as `load`. */
  load(request: Omit<LoadRequest, 'home'>, run: Run): Promise<LoadAnswer>
  isOnDisk(place: string): Promise<boolean>
  /** The collections and their roots. */
  roots(): Promise<readonly CitedRoot[]>
  placeReader(): Promise<PlaceReader>
  packages(): Promise<{ list(request: { limit: number }, run: Run): Promise<{ packages: readonly unknown[] }> }>
}

/** What the tools of one conversation get from it. */
export interface ToolScope extends ElementParts {
  /** Drops the elements of a context that the model has already received. */
  fresh(text: string): string
}

/** Makes the tools of a conversation from the operations. */
export type MakeTools = (scope: ToolScope) => readonly AgentTool[]
