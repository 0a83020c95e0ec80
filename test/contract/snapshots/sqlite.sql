-- user_version 15

CREATE INDEX answer_words_of ON answer_words(owner, conversation, number);

CREATE INDEX conversations_updated ON conversations(owner, updated_at, id);

CREATE INDEX documents_hash ON documents(hash);

CREATE UNIQUE INDEX research_bytes_key ON research_bytes(key) WHERE key IS NOT NULL;

CREATE INDEX research_files_bytes ON research_files(sha256);

CREATE INDEX research_kept_of ON research_kept(sha256);

CREATE INDEX research_sessions_owner ON research_sessions(owner, number);

CREATE INDEX sign_ins_expires ON sign_ins(expires_at);

CREATE INDEX sign_ins_name ON sign_ins(name, number);

CREATE INDEX vectors_content ON vectors(model_id, hash);

CREATE TABLE answer_words (
  number INTEGER PRIMARY KEY, owner TEXT NOT NULL, conversation TEXT NOT NULL, giver TEXT NOT NULL, word TEXT NOT NULL
) STRICT;

CREATE TABLE changes (
  what TEXT PRIMARY KEY, count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE collections (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, root TEXT NOT NULL,
  patterns TEXT NOT NULL, exclude TEXT NOT NULL, paused INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL, indexed_at TEXT, substrings INTEGER NOT NULL DEFAULT 0,
  documents INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,
  -- JSON: endpoint, region, profile and the like; without a secret.
  access TEXT NOT NULL DEFAULT '{}'
) STRICT;

CREATE TABLE conversations (
  number INTEGER PRIMARY KEY, owner TEXT NOT NULL DEFAULT '', id TEXT NOT NULL,
  title TEXT NOT NULL, place TEXT NOT NULL, model TEXT NOT NULL,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  UNIQUE (owner, id)
) STRICT;

CREATE TABLE documents (
  id INTEGER PRIMARY KEY AUTOINCREMENT, collection_id INTEGER NOT NULL, path TEXT NOT NULL,
  hash BLOB NOT NULL, title TEXT NOT NULL, format TEXT NOT NULL,
  size INTEGER NOT NULL, mtime TEXT NOT NULL, ctime TEXT NOT NULL,
  modified_at TEXT NOT NULL, metadata TEXT NOT NULL, substrings INTEGER NOT NULL DEFAULT 0,
  UNIQUE (collection_id, path),
  FOREIGN KEY (collection_id) REFERENCES collections(id)
) STRICT;

CREATE TABLE exchanges (
  number INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, at INTEGER NOT NULL,
  id TEXT NOT NULL, question TEXT NOT NULL, place TEXT NOT NULL, model TEXT NOT NULL,
  asked_at TEXT NOT NULL, ended TEXT, shown TEXT NOT NULL, messages TEXT NOT NULL,
  whole INTEGER NOT NULL, state TEXT NOT NULL,
  UNIQUE (conversation, at),
  FOREIGN KEY (conversation) REFERENCES conversations(number) ON DELETE CASCADE
) STRICT;

CREATE TABLE identity (
  id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE index_jobs (
  collection_id INTEGER PRIMARY KEY, owner TEXT NOT NULL, forced INTEGER NOT NULL, state TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL DEFAULT 0, total INTEGER NOT NULL DEFAULT 0,
  problem TEXT, asked_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  awaited INTEGER NOT NULL DEFAULT 0, answer TEXT,
  FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE CASCADE
) STRICT;

CREATE TABLE keys (
  name TEXT PRIMARY KEY, value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE leases (
  name TEXT PRIMARY KEY, holder TEXT NOT NULL, expires INTEGER NOT NULL
) STRICT;

CREATE TABLE path_contexts (
  collection TEXT NOT NULL DEFAULT '', path_prefix TEXT NOT NULL,
  context TEXT NOT NULL CHECK (trim(context) <> ''),
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  PRIMARY KEY (collection, path_prefix)
) STRICT, WITHOUT ROWID;

CREATE TABLE postings (
  segment INTEGER NOT NULL, term TEXT NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (segment, term)
) STRICT, WITHOUT ROWID;

CREATE TABLE research_bytes (
  sha256 TEXT PRIMARY KEY, data BLOB NOT NULL, key TEXT
) STRICT;

CREATE TABLE research_events (
  session TEXT NOT NULL, seq INTEGER NOT NULL, at TEXT NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (session, seq),
  FOREIGN KEY (session) REFERENCES research_sessions(id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE research_files (
  number INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, id TEXT NOT NULL,
  name TEXT NOT NULL, alias TEXT NOT NULL, size INTEGER NOT NULL, type TEXT NOT NULL,
  sha256 TEXT NOT NULL, revision INTEGER NOT NULL,
  -- 1: kept for the runs that cite it; its alias is not given again.
  removed INTEGER NOT NULL DEFAULT 0,
  added_at TEXT NOT NULL,
  UNIQUE (session, alias),
  FOREIGN KEY (session) REFERENCES research_sessions(id) ON DELETE CASCADE
) STRICT;

CREATE TABLE research_gone (
  key TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE research_kept (
  key TEXT PRIMARY KEY, sha256 TEXT NOT NULL, data BLOB NOT NULL,
  FOREIGN KEY (sha256) REFERENCES research_bytes(sha256) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE research_sessions (
  number INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL DEFAULT '', id TEXT NOT NULL UNIQUE,
  question TEXT NOT NULL, follows TEXT, status TEXT NOT NULL DEFAULT 'created',
  -- Counts the changes of its files.
  revision INTEGER NOT NULL DEFAULT 0,
  settings TEXT NOT NULL,
  -- What the process that runs it should do; '' for nothing.
  wanted TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE segments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- 0 while a process writes it; the process is the holder, as in leases.
  active INTEGER NOT NULL DEFAULT 0,
  docs INTEGER NOT NULL DEFAULT 0, ids BLOB, body_lengths BLOB, title_lengths BLOB,
  live_docs INTEGER NOT NULL DEFAULT 0, live_body INTEGER NOT NULL DEFAULT 0, live_title INTEGER NOT NULL DEFAULT 0,
  dead BLOB, holder TEXT
) STRICT;

CREATE TABLE sign_ins (
  number INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, name TEXT NOT NULL, token TEXT, scopes TEXT,
  basis TEXT NOT NULL, began TEXT UNIQUE, expires_at TEXT NOT NULL, device TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE skipped (
  collection_id INTEGER NOT NULL, path TEXT NOT NULL,
  size INTEGER NOT NULL, mtime TEXT NOT NULL, ctime TEXT NOT NULL,
  why TEXT NOT NULL, detail TEXT NOT NULL,
  PRIMARY KEY (collection_id, path),
  FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE sqlite_sequence(name,seq);

CREATE TABLE texts (
  document_id INTEGER PRIMARY KEY, deflated BLOB NOT NULL,
  FOREIGN KEY (document_id) REFERENCES documents(id) ON DELETE CASCADE
) STRICT;

CREATE TABLE tokens (
  number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, sha256 TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
  scopes TEXT NOT NULL, collections TEXT,
  created_at TEXT NOT NULL, expires_at TEXT, used_at TEXT, revoked_at TEXT
) STRICT;

CREATE TABLE vector_bytes (
  vector_id INTEGER PRIMARY KEY, scale REAL NOT NULL, data BLOB NOT NULL,
  FOREIGN KEY (vector_id) REFERENCES vectors(id) ON DELETE CASCADE
) STRICT;

CREATE TABLE vector_contents (
  model_id INTEGER NOT NULL, hash BLOB NOT NULL,
  PRIMARY KEY (model_id, hash),
  FOREIGN KEY (model_id) REFERENCES vector_models(id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE vector_models (
  id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, centre BLOB NOT NULL
) STRICT;

CREATE TABLE vectors (
  id INTEGER PRIMARY KEY AUTOINCREMENT, model_id INTEGER NOT NULL, hash BLOB NOT NULL,
  first_line INTEGER NOT NULL, last_line INTEGER NOT NULL, bits BLOB NOT NULL,
  FOREIGN KEY (model_id, hash) REFERENCES vector_contents(model_id, hash) ON DELETE CASCADE
) STRICT;

CREATE TRIGGER bytes_deleted AFTER DELETE ON research_bytes WHEN old.key IS NOT NULL BEGIN INSERT OR IGNORE INTO research_gone (key) VALUES (old.key); END;

CREATE TRIGGER bytes_moved AFTER UPDATE OF key ON research_bytes WHEN old.key IS NOT NULL BEGIN INSERT OR IGNORE INTO research_gone (key) VALUES (old.key); END;

CREATE TRIGGER contexts_deleted AFTER DELETE ON path_contexts BEGIN UPDATE changes SET count = count + 1 WHERE what = 'contexts'; END;

CREATE TRIGGER contexts_inserted AFTER INSERT ON path_contexts BEGIN UPDATE changes SET count = count + 1 WHERE what = 'contexts'; END;

CREATE TRIGGER contexts_updated AFTER UPDATE ON path_contexts BEGIN UPDATE changes SET count = count + 1 WHERE what = 'contexts'; END;

CREATE TRIGGER documents_deleted AFTER DELETE ON documents BEGIN UPDATE collections SET documents = documents - 1, bytes = bytes - old.size WHERE id = old.collection_id; END;

CREATE TRIGGER documents_inserted AFTER INSERT ON documents BEGIN UPDATE collections SET documents = documents + 1, bytes = bytes + new.size WHERE id = new.collection_id; END;

CREATE TRIGGER documents_resized AFTER UPDATE OF size ON documents BEGIN UPDATE collections SET bytes = bytes + new.size - old.size WHERE id = new.collection_id; END;
