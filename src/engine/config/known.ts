import { ASSISTANT_NAMES } from './assistant.ts'

/** Names that the configuration file may hold; those of variables are the same in camelCase. */
export const KNOWN: readonly string[] = [
  'home',
  'db',
  'databaseUrl',
  'objects',
  'heartbeat',
  'token',
  'oidc',
  'model',
  'modelUrl',
  'modelKey',
  'embedding',
  'rerank',
  'embeddingModel',
  'embeddingUrl',
  'rerankModel',
  'rerankUrl',
  's3',
  'search',
  'searchUrl',
  'searchKey',
  ...ASSISTANT_NAMES,
  'research',
  'uiDebug',
]
