import type { Operation } from '../core/operation.ts'
import type { Engine } from '../engine/engine.ts'
import { add } from './collections/add.ts'
import { embed } from './collections/embed.ts'
import { index } from './collections/index-files.ts'
import { list } from './collections/list.ts'
import { pause, remove, resume, show } from './collections/one.ts'
import { rebuild } from './collections/rebuild.ts'
import { rename } from './collections/rename.ts'
import { status } from './collections/status.ts'
import { substrings } from './collections/substrings.ts'
import { check } from './context/check.ts'
import { diff } from './context/diff.ts'
import { explain } from './context/explain.ts'
import { init } from './context/init.ts'
import { load } from './context/load.ts'
import { task } from './context/task.ts'
import { listConversations } from './conversations/list.ts'
import { exportConversation, removeConversation, renameConversation, showConversation } from './conversations/one.ts'
import { cat } from './packages/cat.ts'
import { diff as diffPackages } from './packages/diff.ts'
import { list as listPackages } from './packages/list.ts'
import { log } from './packages/log.ts'
import { ls as listPackage } from './packages/ls.ts'
import { show as showPackage } from './packages/show.ts'
import { verify } from './packages/verify.ts'
import { addContext } from './path-contexts/add.ts'
import { checkContexts } from './path-contexts/check.ts'
import { exportContexts } from './path-contexts/export.ts'
import { importContexts } from './path-contexts/import.ts'
import { listContexts } from './path-contexts/list.ts'
import { removeContext } from './path-contexts/remove.ts'
import { exportReport } from './research/export.ts'
import { list as listResearch } from './research/list.ts'
import { resume as resumeResearch } from './research/resume.ts'
import { show as showResearch } from './research/show.ts'
import { start as startResearch } from './research/start.ts'
import { stop as stopResearch } from './research/stop.ts'
import { browse } from './search/browse.ts'
import { get, ls, multiGet } from './search/documents.ts'
import { search } from './search/search.ts'
import { create as createToken } from './tokens/create.ts'
import { list as listTokens } from './tokens/list.ts'
import { revoke as revokeToken } from './tokens/revoke.ts'
import { doctor } from './upkeep/doctor.ts'
import { repairing } from './upkeep/doctor-repair.ts'
import { exportStore } from './upkeep/export.ts'
import { importStore } from './upkeep/import.ts'
import { migrate } from './upkeep/migrate.ts'

/** An operation as a surface sees it: what goes in has passed `input`. */
export type AnyOperation = Operation<Engine, unknown, unknown>

/** Everything that the product can do. */
export const operations: readonly AnyOperation[] = [
  load,
  task,
  explain,
  check,
  diff,
  init,
  doctor,
  repairing({ doctor, rebuild }),
  add,
  list,
  show,
  rename,
  remove,
  pause,
  resume,
  substrings,
  index,
  embed,
  search,
  get,
  multiGet,
  ls,
  browse,
  status,
  rebuild,
  migrate,
  exportStore,
  importStore,
  addContext,
  listContexts,
  checkContexts,
  removeContext,
  importContexts,
  exportContexts,
  listPackages,
  showPackage,
  log,
  diffPackages,
  listPackage,
  cat,
  verify,
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
  exportReport,
  createToken,
  listTokens,
  revokeToken,
]
