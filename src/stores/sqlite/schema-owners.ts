/** The step by which what is kept has an owner, and others than the local one can ask. */
export const OWNERS = `
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
