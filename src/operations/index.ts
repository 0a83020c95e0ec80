import { collectionOperations, status } from './collections/collections.ts'
import { embedding } from './collections/embed.ts'
import { index, indexing, rebuild } from './collections/indexing.ts'
import { agentSetup } from './context/agents.ts'
import { inspection } from './context/inspect.ts'
import { loadOperation } from './context/load.ts'
import { task } from './context/task.ts'
import { conversations } from './conversations/conversations.ts'
import { packageReading } from './packages/read.ts'
import { packageTransfer } from './packages/transfer.ts'
import { pathContextOperations } from './path-contexts/path-contexts.ts'
import { researchSessions } from './research/research.ts'
import { type AnyOperation, aliasesOf } from './schema.ts'
import { browse } from './search/browse.ts'
import { documents } from './search/documents.ts'
import { searchOperation } from './search/search.ts'
import { type AnyService, services } from './services.ts'
import { settings } from './settings/settings.ts'
import { tokens } from './tokens/tokens.ts'
import { doctorOperation, repairOperation, upkeep } from './upkeep/upkeep.ts'

export type { AnyOperation } from './schema.ts'
export type { ServiceInput, ServiceName } from './services.ts'

/** The operations by group, in the order of all surfaces. */
const GROUPS: readonly Readonly<Record<string, AnyOperation>>[] = [
  { loadOperation, task },
  inspection,
  agentSetup,
  { doctorOperation, repair: repairOperation(rebuild) },
  collectionOperations,
  { index, rebuild },
  indexing,
  embedding,
  { searchOperation },
  documents,
  { browse, status },
  upkeep,
  pathContextOperations,
  packageReading,
  packageTransfer,
  conversations,
  researchSessions,
  tokens,
  settings,
]

/** Everything that the product can do. */
export const operations: readonly AnyOperation[] = GROUPS.flatMap((group) => Object.values(group))

/** The operations under their older names. No list shows them. */
export const aliases: readonly AnyOperation[] = aliasesOf(operations)

/** A command: an operation, which any surface may offer, or a service. */
export type AnyCommand = AnyOperation | AnyService

const serviceByName = new Map<string, AnyService>(services.map((service) => [service.name, service]))

/** All commands, in the order of help. A service replaces the operation of the same name. */
export const commands: readonly AnyCommand[] = [
  ...operations.map((operation) => serviceByName.get(operation.name) ?? operation),
  ...services.filter(({ name }) => !operations.some((operation) => operation.name === name)),
]
