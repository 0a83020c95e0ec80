/** Ambit: the context that applies at an agent's place, and why. */

export type {
  CollectionStatus,
  GetAnswer,
  HitSection,
  IndexAnswer,
  IndexedCollection,
  ListAnswer,
  MultiGetAnswer,
  SearchAnswer,
  SearchResult,
  StatusAnswer,
} from './collections/answers.ts'
export type { AddRequest } from './collections/collections.ts'
export type { Documents } from './collections/documents.ts'
export type { IndexRequest, WatchedCollection } from './collections/indexing.ts'
export type { Library } from './collections/library.ts'
export type { AppliedContext, ContextPlace, ContextResolver, PathContexts } from './collections/path-contexts.ts'
export type { SearchRequest } from './collections/search.ts'
export type { LoadAnswer, LoadedFile, TaskAnswer, TaskFile } from './context/answers.ts'
export type { ContextFile } from './context/context-dir/context-file.ts'
export {
  hasContext,
  type LoadedContext,
  type LoaderOptions,
  loadContext,
  loadContextFile,
} from './context/context-dir/load-context.ts'
export { counter } from './context/load/answer.ts'
export type { CounterName } from './context/load/recipe.ts'
export { type LoadRequest, load } from './context/load.ts'
export type { BlockOrder } from './context/passes/budget/block-order.ts'
export { type BudgetOptions, budget } from './context/passes/budget/budget.ts'
export { clip, limit, unique } from './context/passes/limits.ts'
export type { HomeFolder, Order, Profile, RuleFolder, Scoping } from './context/profiles/profile.ts'
export { PROFILES } from './context/profiles.ts'
export { arranged, json, type MarkdownOptions, markdown, type XmlOptions, xml } from './context/renderers/renderers.ts'
export { PRIORITY_ORDER } from './context/sources/context-dir.ts'
export type { ContextDir } from './context/sources/context-dir-walk.ts'
export type { InstructionContext, InstructionScope as Scope } from './context/sources/instructions.ts'
export type { TaskRequest } from './context/task.ts'
export type { InstructionOptions } from './context/workspace/instructions.ts'
export { type Prompt, type Since, Workspace, type WorkspaceOptions } from './context/workspace/workspace.ts'
export { type Assembled, assemble, leave } from './core/assemble.ts'
export { ContextError, type ErrorCode } from './core/errors.ts'
export type {
  Count,
  Cut,
  FlowEvent,
  Focus,
  Fragment,
  Left,
  Origin,
  Pass,
  Recipe,
  Renderer,
  Run,
  Selection,
  Source,
  Step,
  Warning,
  Why,
} from './core/flow.ts'
export type { LedgerRow } from './core/ledger.ts'
export { bytes4 } from './core/tokens.ts'
export type { Engine } from './engine/engine.ts'
export { type OpenEngine, type OpenOptions, open, taskContext } from './open.ts'
export type { Packages } from './quilt/catalog.ts'
export type { Document } from './stores/document-store.ts'
export type { Collection, PathContext } from './stores/store.ts'
export type { Item, ParsedContent, Section } from './text/parse.ts'
