import { add } from './collections/add.ts'
import { embedOperation, getModelOperation } from './collections/embed.ts'
import { index } from './collections/index-files.ts'
import { listIndexing, startIndexing, stopIndexing } from './collections/index-jobs.ts'
import { listCollections } from './collections/list.ts'
import { remove, showCollection } from './collections/one.ts'
import { rebuild } from './collections/rebuild.ts'
import { rename } from './collections/rename.ts'
import { setCollection } from './collections/set.ts'
import { status } from './collections/status.ts'
import { checkOperation } from './context/check.ts'
import { diffOperation } from './context/diff.ts'
import { explainOperation } from './context/explain.ts'
import { initOperation } from './context/init.ts'
import { loadOperation } from './context/load.ts'
import { syncOperation } from './context/sync.ts'
import { task } from './context/task.ts'
import { listConversations } from './conversations/list.ts'
import { exportConversation, removeConversation, renameConversation, showConversation } from './conversations/one.ts'
import { cat } from './packages/cat.ts'
import { packageDiffOperation as diffPackages } from './packages/diff.ts'
import { getPackage } from './packages/get.ts'
import { listPackages } from './packages/list.ts'
import { log } from './packages/log.ts'
import { packageLsOperation as listPackage } from './packages/ls.ts'
import { pushPackageOperation } from './packages/push.ts'
import { searchPackagesOperation } from './packages/search.ts'
import { showPackage } from './packages/show.ts'
import { verify } from './packages/verify.ts'
import { addContext } from './path-contexts/add.ts'
import { checkContextsOperation } from './path-contexts/check.ts'
import { exportContexts } from './path-contexts/export.ts'
import { importContexts } from './path-contexts/import.ts'
import { listContexts } from './path-contexts/list.ts'
import { removeContext } from './path-contexts/remove.ts'
import { exportReport } from './research/export.ts'
import { listSessions as listResearch } from './research/list.ts'
import { planOperation } from './research/plan.ts'
import { redoReportOperation } from './research/redo.ts'
import { resumeSession as resumeResearch } from './research/resume.ts'
import { showSession as showResearch } from './research/show.ts'
import { start as startResearch } from './research/start.ts'
import { stop as stopResearch } from './research/stop.ts'
import { type AnyOperation, aliasesOf } from './schema.ts'
import { browse } from './search/browse.ts'
import { get, lsOperation, multiGet } from './search/documents.ts'
import { searchOperation } from './search/search.ts'
import { type AnyService, services } from './services.ts'
import { setSettings, showSettings } from './settings/settings.ts'
import { create as createToken } from './tokens/create.ts'
import { listTokens } from './tokens/list.ts'
import { revoke as revokeToken } from './tokens/revoke.ts'
import { doctorOperation, repairOperation } from './upkeep/doctor.ts'
import { exportOperation } from './upkeep/export.ts'
import { importOperation } from './upkeep/import.ts'
import { migrateOperation } from './upkeep/migrate.ts'

export type { AnyOperation } from './schema.ts'
export type { ServiceInput, ServiceName } from './services.ts'

/** Everything that the product can do. */
export const operations: readonly AnyOperation[] = [
  loadOperation,
  task,
  explainOperation,
  checkOperation,
  diffOperation,
  initOperation,
  syncOperation,
  doctorOperation,
  repairOperation(rebuild),
  add,
  listCollections,
  showCollection,
  rename,
  remove,
  setCollection,
  index,
  rebuild,
  startIndexing,
  listIndexing,
  stopIndexing,
  embedOperation,
  getModelOperation,
  searchOperation,
  get,
  multiGet,
  lsOperation,
  browse,
  status,
  migrateOperation,
  exportOperation,
  importOperation,
  addContext,
  listContexts,
  checkContextsOperation,
  removeContext,
  importContexts,
  exportContexts,
  listPackages,
  searchPackagesOperation,
  showPackage,
  log,
  diffPackages,
  listPackage,
  cat,
  verify,
  getPackage,
  pushPackageOperation,
  listConversations,
  showConversation,
  renameConversation,
  removeConversation,
  exportConversation,
  startResearch,
  listResearch,
  showResearch,
  resumeResearch,
  stopResearch,
  planOperation,
  redoReportOperation,
  exportReport,
  createToken,
  listTokens,
  revokeToken,
  showSettings,
  setSettings,
]

/** The operations by older names, which no list shows. */
export const aliases: readonly AnyOperation[] = aliasesOf(operations)

/** What a command line can name: an operation, which any surface offers, or a service. */
export type AnyCommand = AnyOperation | AnyService

const standIns = new Map<string, AnyService>(services.map((service) => [service.name, service]))

/** All commands, in the order of help: a service by the name of an operation stands in its place. */
export const commands: readonly AnyCommand[] = [
  ...operations.map((operation) => standIns.get(operation.name) ?? operation),
  ...services.filter(({ name }) => !operations.some((operation) => operation.name === name)),
]
