/** The later steps of the schema. A step that was released is never changed. */

/** The step by which what is kept has an owner, and others than the local one can ask. */
export const SQLITE_OWNERS = `
  -- Whose: '' is the local owner, whose all was that there was. Ids of conversations are made by clients, and may be the
  -- same for two owners.
  ALTER TABLE conversations RENAME TO conversations_before;
  ALTER TABLE exchanges RENAME TO exchanges_before;
  CREATE TABLE conversations (
    number INTEGER PRIMARY KEY,
    owner TEXT NOT NULL DEFAULT '',
    id TEXT NOT NULL,
    title TEXT NOT NULL,
    place TEXT NOT NULL,
    model TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (owner, id)
  ) STRICT;
  INSERT INTO conversations (number, id, title, place, model, created_at, updated_at)
    SELECT number, id, title, place, model, created_at, updated_at FROM conversations_before;
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
  INSERT INTO exchanges SELECT * FROM exchanges_before;
  DROP TABLE exchanges_before;
  DROP TABLE conversations_before;
  CREATE INDEX conversations_updated ON conversations(owner, updated_at, id);

  ALTER TABLE research_sessions ADD COLUMN owner TEXT NOT NULL DEFAULT '';
  CREATE INDEX research_sessions_owner ON research_sessions(owner, number);

  CREATE TABLE tokens (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    -- Of the secret, which nobody keeps.
    sha256 TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    -- JSON: lists of words. NULL where all collections are meant.
    scopes TEXT NOT NULL,
    collections TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    used_at TEXT,
    revoked_at TEXT
  ) STRICT;
  `

/** An object that nobody has any more is told, by whatever statement it lost its row. As SQLite keeps them: see `TRIGGERS`. */
export const BYTES_TRIGGERS: readonly string[] = [
  'CREATE TRIGGER bytes_deleted AFTER DELETE ON research_bytes WHEN old.key IS NOT NULL BEGIN INSERT OR IGNORE INTO research_gone (key) VALUES (old.key); END',
  'CREATE TRIGGER bytes_moved AFTER UPDATE OF key ON research_bytes WHEN old.key IS NOT NULL BEGIN INSERT OR IGNORE INTO research_gone (key) VALUES (old.key); END',
]

/** The step by which bytes may be in objects beside the database. Those that there are stay where they are. */
export const SQLITE_BYTES = [
  `
  -- Of the object that they are in; NULL where they are in "data", which is else empty.
  ALTER TABLE research_bytes ADD COLUMN key TEXT;
  CREATE UNIQUE INDEX research_bytes_key ON research_bytes(key) WHERE key IS NOT NULL;

  -- Objects that are to be taken away.
  CREATE TABLE research_gone (
    key TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;

  -- Tells what this database keeps beside itself from what others keep in the same place.
  CREATE TABLE identity (
    id TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;
  INSERT INTO identity (id) VALUES (lower(hex(randomblob(16))))`,
  ...BYTES_TRIGGERS,
].join(';\n')

/** The step by which browsers that were let in are known to all processes. */
export const SQLITE_SIGN_INS = `
  CREATE TABLE sign_ins (
    number INTEGER PRIMARY KEY,
    -- Of what the cookie holds, which nobody keeps.
    sha256 TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    -- NULL where it did not come by one.
    token TEXT,
    -- JSON: a list of words. NULL where a token or a name says it.
    scopes TEXT,
    basis TEXT NOT NULL,
    began TEXT UNIQUE,
    expires_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sign_ins_name ON sign_ins(name, number);
  CREATE INDEX sign_ins_expires ON sign_ins(expires_at);

  -- What all processes know together, and nobody else.
  CREATE TABLE keys (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `

/** The step by which an answer may be stopped, and a call of it approved, from any process. */
export const SQLITE_ANSWERS = `
  -- What was said to whoever gives an answer, until it is heard. There may be no such conversation yet.
  CREATE TABLE answer_words (
    number INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    conversation TEXT NOT NULL,
    -- Whom it is said to: what is said of one answer is not heard by the next.
    giver TEXT NOT NULL,
    word TEXT NOT NULL
  ) STRICT;
  CREATE INDEX answer_words_of ON answer_words(owner, conversation, number);
  `

/** The step by which a collection says how its bucket is reached. */
export const SQLITE_ACCESS = `
  -- JSON: endpoint, region, profile and the like; without a secret.
  ALTER TABLE collections ADD COLUMN access TEXT NOT NULL DEFAULT '{}';
  `

/** The step by which a signed-in browser has a name that people know it by. */
export const SQLITE_DEVICES = `
  -- Such as 'Firefox on Linux'; '' where the browser does not tell.
  ALTER TABLE sign_ins ADD COLUMN device TEXT NOT NULL DEFAULT '';
  `

/** The step by which a process waits for the indexing that another does. */
export const SQLITE_AWAITED_JOBS = `
  -- 1 where it ends when nobody waits for it any more.
  ALTER TABLE index_jobs ADD COLUMN awaited INTEGER NOT NULL DEFAULT 0;
  -- JSON: the result, for whoever waits for it.
  ALTER TABLE index_jobs ADD COLUMN answer TEXT;
  `

/** The step by which indexing in the background outlives the process that does it. */
export const SQLITE_INDEX_JOBS = `
  CREATE TABLE index_jobs (
    collection_id INTEGER PRIMARY KEY REFERENCES collections(id) ON DELETE CASCADE,
    owner TEXT NOT NULL,
    forced INTEGER NOT NULL,
    -- queued, running, done, failed, stopped.
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0,
    total INTEGER NOT NULL DEFAULT 0,
    problem TEXT,
    asked_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  `
