/** What a store keeps, as rows of tables: the same in each, so that all of it can be moved from one to another. */

/** How the values of a column are told: `bytes` are base64 in a file. */
export type Kind = 'text' | 'number' | 'real' | 'bytes'

export interface Table {
  readonly columns: Readonly<Record<string, Kind>>
  /** The columns by which its rows are told apart, and by which they are in order. */
  readonly key: readonly string[]
  /** The column whose values the database counts up by itself. */
  readonly counted?: string
  /** Which rows are told, as in `statements/statement.ts`; absent: all. */
  readonly where?: string
  /** Rows that are held in memory at once. Default: 1000. */
  readonly atOnce?: number
}

const STAMP = { size: 'number', mtime: 'text', ctime: 'text' } as const

/**
 * In an order in which they can be put back: what refers to a row comes after it. Leases are not told, and neither are counts
 * of changes and of documents, which a store makes by itself, nor segments that nobody has finished.
 */
export const TABLES: Readonly<Record<string, Table>> = {
  collections: {
    columns: {
      id: 'number',
      name: 'text',
      root: 'text',
      patterns: 'text',
      exclude: 'text',
      paused: 'number',
      created_at: 'text',
      indexed_at: 'text',
      substrings: 'number',
      access: 'text',
    },
    key: ['id'],
    counted: 'id',
  },
  documents: {
    columns: {
      id: 'number',
      collection_id: 'number',
      path: 'text',
      hash: 'bytes',
      title: 'text',
      format: 'text',
      ...STAMP,
      modified_at: 'text',
      metadata: 'text',
      substrings: 'number',
    },
    key: ['id'],
    counted: 'id',
  },
  skipped: {
    columns: { collection_id: 'number', path: 'text', ...STAMP, why: 'text', detail: 'text' },
    key: ['collection_id', 'path'],
  },
  texts: { columns: { document_id: 'number', deflated: 'bytes' }, key: ['document_id'], atOnce: 50 },
  path_contexts: {
    columns: { collection: 'text', path_prefix: 'text', context: 'text', created_at: 'text', updated_at: 'text' },
    key: ['collection', 'path_prefix'],
  },
  segments: {
    columns: {
      id: 'number',
      active: 'number',
      docs: 'number',
      ids: 'bytes',
      body_lengths: 'bytes',
      title_lengths: 'bytes',
      live_docs: 'number',
      live_body: 'number',
      live_title: 'number',
      dead: 'bytes',
    },
    key: ['id'],
    counted: 'id',
    where: 'active = 1',
    atOnce: 4,
  },
  postings: {
    columns: { segment: 'number', term: 'text', data: 'bytes' },
    key: ['segment', 'term'],
    where: 'segment IN (SELECT id FROM ambit.segments WHERE active = 1)',
  },
  vector_models: { columns: { id: 'number', fingerprint: 'text', centre: 'bytes' }, key: ['id'], counted: 'id' },
  vector_contents: { columns: { model_id: 'number', hash: 'bytes' }, key: ['model_id', 'hash'] },
  vectors: {
    columns: {
      id: 'number',
      model_id: 'number',
      hash: 'bytes',
      first_line: 'number',
      last_line: 'number',
      bits: 'bytes',
    },
    key: ['id'],
    counted: 'id',
  },
  vector_bytes: { columns: { vector_id: 'number', scale: 'real', data: 'bytes' }, key: ['vector_id'] },
  conversations: {
    columns: {
      number: 'number',
      owner: 'text',
      id: 'text',
      title: 'text',
      place: 'text',
      model: 'text',
      created_at: 'text',
      updated_at: 'text',
    },
    key: ['number'],
    counted: 'number',
  },
  exchanges: {
    columns: {
      number: 'number',
      conversation: 'number',
      at: 'number',
      id: 'text',
      question: 'text',
      place: 'text',
      model: 'text',
      asked_at: 'text',
      ended: 'text',
      shown: 'text',
      messages: 'text',
      whole: 'number',
      state: 'text',
    },
    key: ['number'],
    counted: 'number',
    atOnce: 20,
  },
  research_sessions: {
    columns: {
      number: 'number',
      owner: 'text',
      id: 'text',
      question: 'text',
      follows: 'text',
      status: 'text',
      revision: 'number',
      settings: 'text',
      wanted: 'text',
      created_at: 'text',
      updated_at: 'text',
    },
    key: ['number'],
    counted: 'number',
  },
  research_bytes: { columns: { sha256: 'text', data: 'bytes', key: 'text' }, key: ['sha256'], atOnce: 1 },
  research_files: {
    columns: {
      number: 'number',
      session: 'text',
      id: 'text',
      name: 'text',
      alias: 'text',
      size: 'number',
      type: 'text',
      sha256: 'text',
      revision: 'number',
      removed: 'number',
      added_at: 'text',
    },
    key: ['number'],
    counted: 'number',
  },
  research_events: {
    columns: { session: 'text', seq: 'number', at: 'text', data: 'bytes' },
    key: ['session', 'seq'],
    atOnce: 100,
  },
  tokens: {
    columns: {
      number: 'number',
      id: 'text',
      sha256: 'text',
      name: 'text',
      scopes: 'text',
      collections: 'text',
      created_at: 'text',
      expires_at: 'text',
      used_at: 'text',
      revoked_at: 'text',
    },
    key: ['number'],
    counted: 'number',
  },
  research_kept: { columns: { key: 'text', sha256: 'text', data: 'bytes' }, key: ['key'], atOnce: 20 },
}

export const ROWS_AT_ONCE = 1000
