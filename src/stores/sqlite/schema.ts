import {
  BYTES_TRIGGERS,
  SQLITE_ACCESS,
  SQLITE_ANSWERS,
  SQLITE_AWAITED_JOBS,
  SQLITE_BYTES,
  SQLITE_DEVICES,
  SQLITE_INDEX_JOBS,
  SQLITE_OWNERS,
  SQLITE_SIGN_INS,
} from './schema-steps.ts'

/** Change numbers: see `changes`. */
const CONTEXT_TRIGGERS: readonly string[] = [
  "CREATE TRIGGER contexts_inserted AFTER INSERT ON path_contexts BEGIN UPDATE changes SET count = count + 1 WHERE what = 'contexts'; END",
  "CREATE TRIGGER contexts_updated AFTER UPDATE ON path_contexts BEGIN UPDATE changes SET count = count + 1 WHERE what = 'contexts'; END",
  "CREATE TRIGGER contexts_deleted AFTER DELETE ON path_contexts BEGIN UPDATE changes SET count = count + 1 WHERE what = 'contexts'; END",
]

/** Each collection counts its documents as they come and go: to count them when they are asked for reads all of them. */
const COUNT_TRIGGERS: readonly string[] = [
  'CREATE TRIGGER documents_inserted AFTER INSERT ON documents BEGIN UPDATE collections SET documents = documents + 1, bytes = bytes + new.size WHERE id = new.collection_id; END',
  'CREATE TRIGGER documents_resized AFTER UPDATE OF size ON documents BEGIN UPDATE collections SET bytes = bytes + new.size - old.size WHERE id = new.collection_id; END',
  'CREATE TRIGGER documents_deleted AFTER DELETE ON documents BEGIN UPDATE collections SET documents = documents - 1, bytes = bytes - old.size WHERE id = old.collection_id; END',
]

/** All that runs by itself. As SQLite keeps it: any other, or one that says more, is not ours. */
export const TRIGGERS: readonly string[] = [...CONTEXT_TRIGGERS, ...COUNT_TRIGGERS, ...BYTES_TRIGGERS]

/** The steps from an empty database to the present one. A step that was released is never changed: add one. */
export const SQLITE_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE collections (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    root TEXT NOT NULL,
    patterns TEXT NOT NULL,
    exclude TEXT NOT NULL,
    paused INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    indexed_at TEXT
  ) STRICT;

  -- Ids are never used again: what a search found is that document, or none.
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    collection_id INTEGER NOT NULL REFERENCES collections(id),
    path TEXT NOT NULL,
    hash BLOB NOT NULL,
    title TEXT NOT NULL,
    format TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime TEXT NOT NULL,
    ctime TEXT NOT NULL,
    modified_at TEXT NOT NULL,
    metadata TEXT NOT NULL,
    UNIQUE (collection_id, path)
  ) STRICT;
  CREATE INDEX documents_hash ON documents(hash);

  -- Files that hold no text to search: looked at again only when they change.
  CREATE TABLE skipped (
    collection_id INTEGER NOT NULL REFERENCES collections(id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime TEXT NOT NULL,
    ctime TEXT NOT NULL,
    why TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (collection_id, path)
  ) STRICT, WITHOUT ROWID;

  -- Apart, so that a walk over the documents does not pass through their texts.
  CREATE TABLE texts (
    document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
    deflated BLOB NOT NULL
  ) STRICT;

  -- '' is what holds everywhere: a NULL would not be equal to another.
  CREATE TABLE path_contexts (
    collection TEXT NOT NULL DEFAULT '',
    path_prefix TEXT NOT NULL,
    context TEXT NOT NULL CHECK (trim(context) <> ''),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (collection, path_prefix)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE segments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- 0 while it is being written.
    active INTEGER NOT NULL DEFAULT 0,
    docs INTEGER NOT NULL DEFAULT 0,
    ids BLOB,
    body_lengths BLOB,
    title_lengths BLOB,
    live_docs INTEGER NOT NULL DEFAULT 0,
    live_body INTEGER NOT NULL DEFAULT 0,
    live_title INTEGER NOT NULL DEFAULT 0,
    dead BLOB
  ) STRICT;

  CREATE TABLE postings (
    segment INTEGER NOT NULL,
    term TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (segment, term)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    -- Milliseconds since 1970.
    expires INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- A model as it is asked: what another made is not to be compared with it.
  CREATE TABLE vector_models (
    id INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    -- A number of 32 bits for each dimension.
    centre BLOB NOT NULL
  ) STRICT;

  -- Contents whose chunks all have vectors; a content without any chunk is one, too.
  CREATE TABLE vector_contents (
    model_id INTEGER NOT NULL REFERENCES vector_models(id) ON DELETE CASCADE,
    hash BLOB NOT NULL,
    PRIMARY KEY (model_id, hash)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE vectors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    model_id INTEGER NOT NULL,
    hash BLOB NOT NULL,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    bits BLOB NOT NULL,
    FOREIGN KEY (model_id, hash) REFERENCES vector_contents(model_id, hash) ON DELETE CASCADE
  ) STRICT;
  CREATE INDEX vectors_content ON vectors(model_id, hash);

  -- Apart, so that a look at all bits does not pass through them.
  CREATE TABLE vector_bytes (
    vector_id INTEGER PRIMARY KEY REFERENCES vectors(id) ON DELETE CASCADE,
    scale REAL NOT NULL,
    data BLOB NOT NULL
  ) STRICT;
  `,
  [
    `
  -- Whether any piece of the texts is in the index, as the collection asks for it, and as each document was indexed.
  ALTER TABLE collections ADD COLUMN substrings INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE documents ADD COLUMN substrings INTEGER NOT NULL DEFAULT 0;

  -- How often contexts were changed, by whatever statement: who keeps them in memory sees whether they are still the same.
  CREATE TABLE changes (
    what TEXT PRIMARY KEY,
    count INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO changes (what, count) VALUES ('contexts', 0);
  `,
    ...CONTEXT_TRIGGERS,
  ].join(';\n'),
  [
    `
  ALTER TABLE collections ADD COLUMN documents INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE collections ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
  UPDATE collections SET
    documents = (SELECT count(*) FROM documents WHERE collection_id = collections.id),
    bytes = (SELECT coalesce(sum(size), 0) FROM documents WHERE collection_id = collections.id)
  `,
    ...COUNT_TRIGGERS,
  ].join(';\n'),
  `
  CREATE TABLE conversations (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    place TEXT NOT NULL,
    model TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX conversations_updated ON conversations(updated_at, id);

  -- A question with all that came of it: as people see it, and as the model was told. JSON.
  CREATE TABLE exchanges (
    number INTEGER PRIMARY KEY,
    conversation INTEGER NOT NULL REFERENCES conversations(number) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    id TEXT NOT NULL,
    question TEXT NOT NULL,
    place TEXT NOT NULL,
    model TEXT NOT NULL,
    asked_at TEXT NOT NULL,
    ended TEXT,
    shown TEXT NOT NULL,
    messages TEXT NOT NULL,
    whole INTEGER NOT NULL,
    state TEXT NOT NULL,
    UNIQUE (conversation, at)
  ) STRICT;
  `,
  `
  CREATE TABLE research_sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    question TEXT NOT NULL,
    follows TEXT,
    status TEXT NOT NULL DEFAULT 'created',
    -- Counts the changes of its files.
    revision INTEGER NOT NULL DEFAULT 0,
    settings TEXT NOT NULL,
    -- What is asked of the process that runs it; '' for nothing.
    wanted TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE research_files (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL REFERENCES research_sessions(id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    alias TEXT NOT NULL,
    size INTEGER NOT NULL,
    type TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    revision INTEGER NOT NULL,
    -- A run may have bound it: it is kept, and its alias is of no other.
    removed INTEGER NOT NULL DEFAULT 0,
    added_at TEXT NOT NULL,
    UNIQUE (session, alias)
  ) STRICT;
  CREATE INDEX research_files_bytes ON research_files(sha256);

  -- What a run is: nothing in it is ever changed.
  CREATE TABLE research_events (
    session TEXT NOT NULL REFERENCES research_sessions(id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (session, seq)
  ) STRICT, WITHOUT ROWID;

  -- As long as a session has a file of them.
  CREATE TABLE research_bytes (
    sha256 TEXT PRIMARY KEY,
    data BLOB NOT NULL
  ) STRICT;

  -- Texts of files and digests, by what they were made of.
  CREATE TABLE research_kept (
    key TEXT PRIMARY KEY,
    sha256 TEXT NOT NULL REFERENCES research_bytes(sha256) ON DELETE CASCADE,
    data BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX research_kept_of ON research_kept(sha256);
  `,
  SQLITE_OWNERS,
  SQLITE_BYTES,
  `
  -- Who is writing it, as in leases: many processes may each write one.
  ALTER TABLE segments ADD COLUMN holder TEXT;
  `,
  SQLITE_SIGN_INS,
  SQLITE_ANSWERS,
  SQLITE_ACCESS,
  SQLITE_INDEX_JOBS,
  SQLITE_DEVICES,
  SQLITE_AWAITED_JOBS,
]
