/** Ambit: the context that applies where an agent stands, and why. */

export type { Packages } from './catalog/catalog.ts'
export type { AddRequest, CollectionStatus, StatusAnswer } from './collections/collections.ts'
export type { AppliedContext, ContextPlace, ContextResolver, PathContexts } from './collections/contexts.ts'
export type { Documents, GetAnswer, ListAnswer, MultiGetAnswer } from './collections/documents.ts'
export type { IndexAnswer, IndexedCollection, IndexRequest } from './collections/indexing.ts'
export type { Library } from './collections/library.ts'
export type { HitSection, SearchAnswer, SearchRequest, SearchResult } from './collections/search.ts'
export { type Assembled, assemble } from './core/assemble.ts'
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
} from './core/flow.ts'
export type { LedgerRow } from './core/ledger.ts'
export { leave } from './core/selection.ts'
export { bytes4 } from './core/tokens.ts'
export type { Why } from './core/why.ts'
export type { Engine } from './engine.ts'
export type { ContextFile } from './faces/context-dir/context-file.ts'
export {
  hasContext,
  type LoadedContext,
  type LoaderOptions,
  loadContext,
  loadContextFile,
} from './faces/context-dir/load-context.ts'
export type { InstructionOptions } from './faces/workspace/instructions.ts'
export { type Prompt, type Since, Workspace, type WorkspaceOptions } from './faces/workspace/workspace.ts'
export { type OpenEngine, type OpenOptions, open, taskContext } from './open.ts'
export type { BlockOrder } from './passes/budget/block-order.ts'
export { type BudgetOptions, budget } from './passes/budget/budget.ts'
export { clip } from './passes/clip.ts'
export { limit } from './passes/limit.ts'
export { unique } from './passes/unique.ts'
export { type CounterName, counter } from './places/count.ts'
export { type LoadAnswer, type LoadedFile, type LoadRequest, load } from './places/load.ts'
export type { TaskAnswer, TaskFile, TaskRequest } from './places/task.ts'
export type { HomeFolder, Order, Profile, RuleFolder, Scoping } from './profiles/profile.ts'
export { PROFILES } from './profiles/profiles.ts'
export { arranged } from './renderers/arranged.ts'
export { json } from './renderers/json.ts'
export { type MarkdownOptions, markdown } from './renderers/markdown.ts'
export { type XmlOptions, xml } from './renderers/xml.ts'
export { PRIORITY_ORDER } from './sources/context-dir.ts'
export type { ContextDir } from './sources/context-dir-walk.ts'
export type { InstructionContext, Scope } from './sources/instructions.ts'
export type { Document } from './stores/document-store.ts'
export type { Collection, PathContext } from './stores/store.ts'
export type { Item, ParsedContent, Section } from './text/parse.ts'
